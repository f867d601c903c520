/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes region traces of processes (EVTLOG_TRACE_FILE) into the archive of logs of the same run.
 *
 * The boot id connects a trace with its log.  Times of both are CLOCK_MONOTONIC_RAW.  Events are
 * read one thread after the other, so memory does not grow with their number.
 */
#ifndef EVTLOG_OTF2_REGION_TRACES_H
#define EVTLOG_OTF2_REGION_TRACES_H

#include "definitions.h"
#include "export/region-trace.h"
#include "host.h"
#include "input/log-set.h"

/*
 * The trace of a process.
 * @host:	index of its log
 * @first:	number of the first thread's location
 * @events:	number of written events of each thread
 */
struct region_traced {
	struct region_trace_file file;
	size_t host;
	uint64_t first;
	uint64_t *events;
};

/*
 * @groups:	number of location groups in front of these
 * @threads, @thread_count: threads that the logs may have; join_threads() moves @threads
 * @foreign:	threads of another pid namespace with unknown numbers in the log
 * @outside:	left-out files that have no part within their log
 * @empty:	left-out files without regions
 * @names:	defined regions, a tree of tsearch()
 * @begin_ns, @end_ns: range of written times; @begin_ns is larger if there are none
 * @error_ns:	largest error of times
 * @open:	regions that were open at the end
 * @unmatched:	ends without a begin
 * @bad:	chunks that are missing or invalid
 * @lost:	events that the program could not write
 * @cut:	files that the program could not write until its own end
 * @shorter:	files that are shorter than when the program wrote them
 * @unsaved:	files that the program has not finished
 */
struct region_traces {
	struct region_traced *files;
	size_t count;
	size_t capacity;
	uint32_t groups;
	struct thread *threads;
	size_t thread_count;
	size_t foreign;
	size_t outside;
	size_t empty;
	struct output *out;
	struct evtlog_clocksync *hosts;
	void *names;
	uint32_t kind;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t error_ns;
	uint64_t events;
	uint64_t open;
	uint64_t unmatched;
	uint64_t bad;
	uint64_t lost;
	uint64_t missed;
	uint64_t threads_missed;
	uint64_t cut;
	uint64_t shorter;
	uint64_t unsaved;
};

/**
 * region_traces_open() - open all files of @paths, and find the log of each
 * @paths:	each a file, or a value of EVTLOG_TRACE_FILE for all its files
 * @logs:	the logs; @wanted: true if a log's host is wanted
 *
 * Return: an exit status, after an error message.  Call region_traces_close() in all cases.
 */
int region_traces_open(struct region_traces *traces, char *const *paths, size_t count,
		       const struct logs *logs, const bool *wanted);
void region_traces_close(struct region_traces *traces);

/** region_traces_find() - add the files of a path; region_traces_open() calls it */
int region_traces_find(struct region_traces *traces, const char *path);

/* region_traces_threads() - set @threads and @groups; 0 or -ENOMEM */
int region_traces_threads(struct region_traces *traces, uint32_t groups);

/* Writes events and definitions.  Returns 0 or -errno; errors of writing are in the archive. */
int region_traces_write(struct region_traces *traces, struct output *out, const uint32_t *nodes);

/* Sets the clock errors of each file's locations, like those of hosts. */
void region_traces_offsets(struct region_traces *traces, const struct log_set_file *logs,
			   const struct offsets *hosts, struct offsets *offsets);

/* Returns true if a part of the traces is missing. */
bool region_traces_lack(const struct region_traces *traces);

/* Reports the written and the missing parts. */
void region_traces_say(const struct region_traces *traces);

#endif /* EVTLOG_OTF2_REGION_TRACES_H */
