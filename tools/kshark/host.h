/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One host of a log or of a merged file: a data stream of KernelShark.
 *
 * Reads the host's events in the order of time and keeps them in memory.  load.c makes
 * KernelShark's entries from the events, methods.c answers KernelShark's queries about entries.
 */
#ifndef EVTLOG_KSHARK_HOST_H
#define EVTLOG_KSHARK_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

#include "lib/base/key-table.h"
#include "lib/merge/iterator.h"
#include "print/fields.h"

/* ---- Ids and names of events in KernelShark ---- */

/* Names are system/event, as of the kernel's tracepoint; without a tracepoint, evtlog/event. */

/*
 * EVENT_ID_START: a CPU joins the run; then the numbers of the file's types, from 1;
 * EVENT_ID_REGISTERED plus its id: a registered event; EVENT_ID_END: a CPU leaves the run.
 */
enum event_id {
	EVENT_ID_START = 0,
	EVENT_ID_REGISTERED = EVTLOG_TYPE_MAX + 1,
	EVENT_ID_END = EVENT_ID_REGISTERED + EVTLOG_EVENT_ID_MAX + 1,
	EVENT_IDS
};

/* Size of the longest name, with its NUL */
#define EVENT_NAME_BYTES	(2 * (EVTLOG_NAME_MAX + 1))

/* The id of a shown event; for missing events -EOVERFLOW, which is KS_EVENT_OVERFLOW. */
int event_id(const struct evtlog_event *event);

/* ---- Names of tasks at any event of a log ---- */

/* struct evtlog_tasks has only the current names.  Positions are those of struct records. */

/* The largest position: the names at the log's end */
#define NAMES_LAST	UINT64_MAX

/*
 * A name of a task, valid from a position on.
 * @before:	number of the task's previous name; KEY_NONE if unknown
 */
struct name {
	uint64_t from;
	uint32_t pid;
	uint32_t before;
	char comm[EVTLOG_COMM_LEN];
};

/*
 * All zero: empty.
 * @names:	names of all tasks
 * @tasks:	from a pid to the task's number in @latest
 * @latest:	number of each task's last name in @names
 */
struct names {
	struct name *names;
	size_t count;
	size_t capacity;
	struct key_table tasks;
	uint32_t *latest;
	size_t latest_count;
	size_t latest_capacity;
};

/**
 * names_at() - the name of a task at a position
 *
 * Returns EVTLOG_COMM_LEN bytes, untrusted; NULL if unknown.
 */
const char *names_at(const struct names *names, uint32_t pid, uint64_t position);

/* ---- The events of a log in memory, each at a position ---- */

/*
 * KernelShark asks for names and fields in any order, but merged files can be read only from start
 * to end: so the events are kept.  Each KernelShark entry has one number for its plug-in, the
 * position of the event.  Times are in the entries only.
 */

/* All zero: empty. */
struct records {
	uint64_t *words;
	size_t count;
	size_t capacity;
};

/**
 * records_add() - append an event
 * @file:	describes the event's type
 * @doubtful:	as in struct evtlog_merged_event
 *
 * The event's position is the value of @count before the call.  Returns 0 or -ENOMEM.
 */
int records_add(struct records *records, const struct evtlog_file *file,
		const struct evtlog_event *event, bool doubtful);

/**
 * records_get() - read an event
 * @position:	of the event in @records
 * @event:	filled in, except times, CPU and number of the context; its words are valid until
 *		the next records_add()
 * @doubtful:	as passed to records_add(); may be NULL
 *
 * Returns false if @position, which KernelShark passes in, is out of range.
 */
bool records_get(const struct records *records, uint64_t position, struct evtlog_event *event,
		 bool *doubtful);

void records_free(struct records *records);

/* ---- A host ---- */

struct tep_handle;

/*
 * @tep:	see scheduler.h; must be first, where libkshark expects a stream's libtraceevent
 *		handle
 * @path:	path of the file, owned by the stream
 * @file:	a log, owned by the host; or, if @merged is not NULL, the host's part of @merged
 * @merged:	NULL if the file is a log
 * @number:	of the host in @merged
 * @read:	@merged was read and must be opened again before the next reading
 * @loaded:	entries were made before, and plug-ins have pointers to them
 * @seen:	by id: registered events that have entries
 */
struct host {
	struct tep_handle *tep;
	const char *path;
	struct evtlog_file *file;
	struct evtlog_merged *merged;
	size_t number;
	bool read;
	bool loaded;
	struct fields fields;
	struct records records;
	struct names names;
	bool seen[EVENT_IDS];
};

/**
 * host_open() - open a host of a file
 * @path:	of the file; must live as long as the host
 * @number:	of the host in a merged file; 0 for a log
 *
 * Prints errors on stderr.  Returns 0 or -errno.
 */
int host_open(struct host **hostp, const char *path, size_t number);
void host_close(struct host *host);

/* Number of hosts in the host's file: 1 unless it is a merged one. */
size_t host_count(const struct host *host);

/* The host's name; NULL if the file has none. */
const char *host_name(const struct host *host);

/* Receives an event and its position in @records.  Returns 0 or -errno, which ends host_each(). */
typedef int host_take(void *context, const struct iterator_event *at, uint64_t position);

/**
 * host_each() - pass all events of the host that `evtlog dump` shows to @take
 *
 * First drops the records and names of an earlier call.  If a merged file is cut off or damaged,
 * passes the events in its readable part and prints a warning on stderr.  Returns 0 or -errno,
 * also the error of @take.
 */
int host_each(struct host *host, host_take *take, void *context);

#endif /* EVTLOG_KSHARK_HOST_H */
