/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One host of a log or of a merged file, as one data stream of KernelShark has it.
 *
 * It gives the host's events in the order of time, and keeps what they say; load.c makes
 * KernelShark's entries of them, methods.c answers questions about these.
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

/* ---- What KernelShark calls the events of a log: a number and a name ---- */

/*
 * Of the form system/event.
 *
 * Systems are those of the kernel's tracepoints; what the kernel has none for is of "evtlog".
 */

/*
 * A CPU's part of a run begins; numbers of the file's types, from 1; registered events by
 * their ids; a CPU's part ends.
 */
enum event_id {
	EVENT_ID_START = 0,
	EVENT_ID_REGISTERED = EVTLOG_TYPE_MAX + 1,
	EVENT_ID_END = EVENT_ID_REGISTERED + EVTLOG_EVENT_ID_MAX + 1,
	EVENT_IDS
};

/* Longest name with its NUL */
#define EVENT_NAME_BYTES	(2 * (EVTLOG_NAME_MAX + 1))

/* Of an event that is shown; -EOVERFLOW, as KernelShark has it, where something is missing. */
int event_id(const struct evtlog_event *event);

/* ---- Names of tasks as they were at any event of a log ---- */

/*
 * Positions are those of records, below.
 *
 * Beside struct evtlog_tasks, which knows the last names only.
 */

/* The last of all positions: names as they are at the log's end */
#define NAMES_LAST	UINT64_MAX

/*
 * A name that a task has from a position on.
 * @before:	number of the one that it had; KEY_NONE: nobody knows
 */
struct name {
	uint64_t from;
	uint32_t pid;
	uint32_t before;
	char comm[EVTLOG_COMM_LEN];
};

/*
 * All zero: none.
 * @latest:	number of each task's last name
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
 * Returns EVTLOG_COMM_LEN bytes, untrusted; NULL: nobody knows.
 */
const char *names_at(const struct names *names, uint32_t pid, uint64_t position);

/* ---- What the events of a log say, each at a position by which it is found again ---- */

/*
 * What the events of a log say, kept in memory, each at a position by which it is found again.
 *
 * KernelShark has one number of its own in each entry, and asks for names and fields at any
 * time and in any order; merged files can be read in their order only.  It keeps no times:
 * those are the entries'.
 */

/* All zero: none. */
struct records {
	uint64_t *words;
	size_t count;
	size_t capacity;
};

/**
 * records_add() - keep an event behind those that are kept
 * @file:	that describes its type
 * @doubtful:	as of struct evtlog_merged_event
 *
 * Its position is @count before the call.  Returns 0 or -ENOMEM.
 */
int records_add(struct records *records, const struct evtlog_file *file,
		const struct evtlog_event *event, bool doubtful);

/**
 * records_get() - an event that is kept
 * @position:	that records_add() gave it
 * @event:	filled in but for its times, CPU and number of the context; its words live until the next records_add()
 * @doubtful:	as it was given; may be NULL
 *
 * Returns false if there is none at @position: it comes from outside.
 */
bool records_get(const struct records *records, uint64_t position, struct evtlog_event *event,
		 bool *doubtful);

void records_free(struct records *records);

/* ---- A host ---- */

struct tep_handle;

/*
 * @tep:	of scheduler.h; libkshark takes the first member of each stream's handle for it
 * @path:	the stream's
 * @merged:	NULL: @file is a log, and owned
 * @number:	of the host in @merged
 * @read:	@merged was read from, and has to be opened anew
 * @loaded:	entries were made before: the plug-ins know these
 * @seen:	ids of registered events that entries have
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
 * host_open() - a host of a file
 * @path:	of the file; must live as long as the host
 * @number:	of the host, of a merged file; else 0
 *
 * Says on stderr what is wrong.  Returns 0 or -errno.
 */
int host_open(struct host **hostp, const char *path, size_t number);
void host_close(struct host *host);

/* Number of hosts in the host's file: 1 unless it is a merged one. */
size_t host_count(const struct host *host);

/* Its name; NULL: the file has none. */
const char *host_name(const struct host *host);

/* Which event an entry is of, by its own number for the reader; see host_each(). */
typedef int host_take(void *context, const struct iterator_event *at, uint64_t position);

/**
 * host_each() - give all events of the host to @take, but those that dump does not show
 *
 * What was kept before is dropped.  Of a merged file that ends before its end, or is damaged,
 * what can be read is given, and that is said on stderr.  Returns 0 or -errno, also that of
 * @take.
 */
int host_each(struct host *host, host_take *take, void *context);

#endif /* EVTLOG_KSHARK_HOST_H */
