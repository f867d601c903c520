/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traces of tasks, as /proc/evtlog/profile/trace has them.
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
 * @name:	of what is entered or left, or how the task is off its CPU; "": has none
 */
struct trace_event {
	uint64_t ticks;
	unsigned int cpu;
	char kind[16], name[64];
};

/*
 * struct trace - the last events of a task
 * @written:	events so far
 * @count:	of which these are there, the last ones
 * @events:	their lines
 * @newest:	ticks of the last one; 0: there is none
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
 * @missing:	tasks that found no memory for a trace
 * @dropped:	traces of tasks that ended which went for those of others that ended
 * @at:		in the order in which they were begun
 */
struct traces {
	char *text;
	uint64_t missing, dropped;
	struct trace *at;
	size_t count;
};

/** traces_read() - what the kernel has now; free with traces_free(); 0 or -errno */
int traces_read(struct traces *traces);

/** traces_parse() - the same of a text, which is freed by traces_free(); 0, -EINVAL or -ENOMEM */
int traces_parse(struct traces *traces, char *text);

void traces_free(struct traces *traces);

/** traces_say_failed() - why the kernel's could not be read or begun; EXIT_FAILED */
int traces_say_failed(int error);

/**
 * trace_print() - its last events as a table, with us before its end
 * @events:	so many
 * @hz:		ticks a second
 */
void trace_print(FILE *out, const struct trace *trace, uint64_t events, uint64_t hz);

struct json;

/** trace_print_json() - members of an object that is open */
void trace_print_json(struct json *json, const struct trace *trace, uint64_t events);

/* ---- Traces of processes, with a file for each period: the events of the period ---- */

/*
 * struct trace_record - what is recorded
 * @events:	of each task that are kept; 0: no traces are recorded
 * @before:	the last reading
 * @others:	tasks that had a trace before
 * @lost:	traces that were dropped before they were read
 * @said_full:	there is no memory for more traces
 * @said_others: a task's trace is another's
 */
struct trace_record {
	uint64_t events, lost;
	struct traces before;
	struct pid_set others;
	bool said_full, said_others;
};

/**
 * trace_record_begin() - remember what traces there are
 *
 * Returns 0 or -errno, after saying what is wrong unless it is -ENOMEM.
 */
int trace_record_begin(struct trace_record *record);

/**
 * trace_record_add() - begin traces of processes that have none, and of all that they fork
 * @pids:	processes; of those that are gone there is none
 *
 * Returns 0 or -errno, after saying what is wrong.
 */
int trace_record_add(struct trace_record *record, const struct pid_set *pids);

/**
 * trace_record_period() - write what traces have got since the last reading
 *
 * Returns 0 or -errno, after saying what is wrong unless it is -ENOMEM.
 */
int trace_record_period(struct trace_record *record, const struct period_files *files,
			double begin, double end);

/** trace_record_end() - forget traces that were begun; frees @record's memory */
void trace_record_end(struct trace_record *record);

#endif /* EVTLOG_PROFILE_TRACE_H */
