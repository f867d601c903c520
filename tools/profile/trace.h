/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traces of tasks, as in /proc/evtlog/profile/trace.
 */
#ifndef EVTLOG_PROFILE_TRACE_H
#define EVTLOG_PROFILE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/members.h"
#include "profile/period-file.h"

#define TRACE_FILE		"profile/trace"
#define TRACE_EVENTS_MAX	65536

/*
 * struct trace_event - an event of a trace
 * @kind:	enter, leave, user, off or on
 * @name:	what is entered or left, or how the task is off its CPU; "" if none
 */
struct trace_event {
	uint64_t ticks;
	unsigned int cpu;
	char kind[16], name[64];
};

/*
 * struct trace - the last events of a task
 * @written:	number of events so far
 * @count:	number of events that are there, the last ones
 * @events:	lines of these events
 * @newest:	ticks of the last event; 0 if none
 */
struct trace {
	unsigned int pid, tgid;
	bool has_ended;
	char comm[80];
	uint64_t written, count, newest;
	const char *events;
};

/*
 * struct traces - a reading
 * @missing:	number of tasks for which there was no memory for a trace
 * @dropped:	number of traces of ended tasks that were dropped for other ended tasks
 * @at:		in the order in which the traces were begun
 */
struct traces {
	char *text;
	uint64_t missing, dropped;
	struct trace *at;
	size_t count;
};

/** traces_read() - read the kernel's traces; free with traces_free(); 0 or -errno */
int traces_read(struct traces *traces);

/** traces_parse() - the same from a text, which traces_free() frees; 0, -EINVAL or -ENOMEM */
int traces_parse(struct traces *traces, char *text);

void traces_free(struct traces *traces);

/* ---- trace-order.c; functions print errors and return an exit status ---- */

/** trace_begin() - keep the last @events events of a task; @with_tree: and of what it forks */
int trace_begin(uint64_t pid, uint64_t events, bool with_tree);

/** trace_delete() - delete the trace of a task, and stop tracing it */
int trace_delete(uint64_t pid);

/** traces_keep() - keep the traces of at most this number of ended tasks */
int traces_keep(uint64_t tasks);

/** traces_show() - print the trace of a task, or all if @pid is 0 */
int traces_show(uint64_t pid, bool as_json);

/* ---- trace.c ---- */

/** traces_say_failed() - print why traces could not be read or begun; EXIT_FAILED */
int traces_say_failed(int error);

/**
 * trace_print() - print the last events as a table, with us before the end of the trace
 * @events:	number of events
 * @hz:		ticks per second
 */
void trace_print(FILE *out, const struct trace *trace, uint64_t events, uint64_t hz);

struct json;

/** trace_print_json() - print members of an open object */
void trace_print_json(struct json *json, const struct trace *trace, uint64_t events);

/* ---- Traces of processes, with a file for the events of each period ---- */

/*
 * struct trace_record - the traces that are recorded
 * @events:	number of events that are kept for each task; 0: no traces are recorded
 * @before:	the last reading
 * @others:	tasks that had a trace before
 * @lost:	number of traces that were dropped before they were read
 * @said_full:	the warning that memory is full was printed
 * @said_others: the warning that a task already had a trace was printed
 */
struct trace_record {
	uint64_t events, lost;
	struct traces before;
	struct pid_set others;
	bool said_full, said_others;
};

/**
 * trace_record_begin() - remember the traces that exist
 *
 * Returns 0 or -errno; errors other than -ENOMEM were printed.
 */
int trace_record_begin(struct trace_record *record);

/**
 * trace_record_add() - begin traces of processes that have none, and of all that they fork
 * @pids: processes; those that are gone are ignored
 *
 * Returns 0 or -errno; errors were printed.
 */
int trace_record_add(struct trace_record *record, const struct pid_set *pids);

/**
 * trace_record_period() - write the events of traces since the last reading
 *
 * Returns 0 or -errno; errors other than -ENOMEM were printed.
 */
int trace_record_period(struct trace_record *record, const struct period_files *files,
			double begin, double end);

/** trace_record_end() - delete the traces that were begun, and free the memory of @record */
void trace_record_end(struct trace_record *record);

#endif /* EVTLOG_PROFILE_TRACE_H */
