/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traces of regions of processes (EVTLOG_TRACE_FILE), which are written into the archive of logs of
 * the same run.
 *
 * They are tied to logs by the id of the boot, and their times are those of the log's clock:
 * CLOCK_MONOTONIC_RAW.  Events are read thread after thread, so that memory does not grow with
 * them.
 */
#ifndef EVTLOG_OTF2_REGION_TRACES_H
#define EVTLOG_OTF2_REGION_TRACES_H

#include "definitions.h"
#include "export/region-trace.h"
#include "host.h"
#include "input/log-set.h"

/*
 * A process's
 * @host:	index of its log
 * @first:	number of its first thread's location
 * @events:	of each thread, once they are written
 */
struct region_traced {
	struct region_trace_file file;
	size_t host;
	uint64_t first;
	uint64_t *events;
};

/*
 * @groups:	of locations, that the archive has before
 * @threads, @thread_count: those that the logs may know; whoever has the array of all of them moves
 *		@threads
 * @foreign:	threads of another pid namespace whose numbers in the log are not known
 * @outside:	files that have no part within their log, and are left out
 * @empty:	files without regions, which are left out
 * @names:	regions that are defined, a tree of tsearch()
 * @begin_ns, @end_ns: the least and the largest time that was written; none: @begin_ns is larger
 * @error_ns:	of the times, the largest
 * @open, @unmatched, @bad, @lost: regions that were open at the end, ends without a begin, chunks that
 *		can't be read or are not there, events that were not written
 * @cut, @shorter, @unsaved: files that the program could not write up to its own end, that are shorter than
 *		when the program wrote them, and that the program has not finished
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
 * region_traces_open() - opens the files that paths name, and finds the log of each
 * @paths:	a file, or what EVTLOG_TRACE_FILE was set to: then all of that
 * @logs, @wanted: and whether a log's host is wanted
 *
 * Return: an exit status, after saying what is wrong; region_traces_close() in all cases.
 */
int region_traces_open(struct region_traces *traces, char *const *paths, size_t count,
		       const struct logs *logs, const bool *wanted);
void region_traces_close(struct region_traces *traces);

/**
 * region_traces_find() - adds what a path names; region_traces_open() calls it
 */
int region_traces_find(struct region_traces *traces, const char *path);

/* region_traces_threads() - @threads of all files, behind @groups of locations; 0 or -ENOMEM */
int region_traces_threads(struct region_traces *traces, uint32_t groups);

/* Locations and definitions of regions; then all events.  Errors are the archive's; 0 or -errno. */
int region_traces_write(struct region_traces *traces, struct output *out, const uint32_t *nodes);

/* How right times of a file's locations are, as those of hosts say it. */
void region_traces_offsets(struct region_traces *traces, const struct log_set_file *logs,
			   const struct offsets *hosts, struct offsets *offsets);

/* Is a part of the traces missing? */
bool region_traces_lack(const struct region_traces *traces);

/* What was written, and what was not. */
void region_traces_say(const struct region_traces *traces);

#endif /* EVTLOG_OTF2_REGION_TRACES_H */
