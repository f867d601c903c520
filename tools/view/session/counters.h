/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of a host and of its CPUs over time, in bins of 2^level ns: runnable tasks, context
 * switches, migrations, forks and exits.
 *
 * Stage: between analysis/interval and the answers.  Any thread may call these functions.
 */
#ifndef EVTLOG_VIEW_SESSION_COUNTERS_H
#define EVTLOG_VIEW_SESSION_COUNTERS_H

#include "analysis/interval/interval.h"
#include "session.h"

/* Limits of one answer: bins of one CPU, and bins of all requested CPUs together */
#define COUNTERS_BINS_MAX	8192
#define COUNTERS_ALL_MAX	(1u << 19)
#define COUNTERS_LEVEL_MAX	50

/* Counts of events.  The number of runnable tasks is separate. */
enum counter {
	COUNTER_SWITCHES,
	COUNTER_MIGRATIONS_IN,
	COUNTER_MIGRATIONS_OUT,
	COUNTER_FORKS,
	COUNTER_EXITS,
	COUNTERS
};

/* Keys in JSON, the same as in evtlog stat --interval */
extern const char *const counter_keys[COUNTERS];

/* Tracks, which users select by name.  The list of names ends with NULL. */
enum track_kind {
	TRACK_RUNNABLE,
	TRACK_SWITCHES,
	TRACK_MIGRATIONS,
	TRACK_FORKS,
	TRACK_EXITS,
	TRACK_KINDS
};
#define TRACKS_ALL	((1u << TRACK_KINDS) - 1)
extern const char *const track_names[TRACK_KINDS + 1];

/* Prints bits as a list such as "runnable,switches".  free() it; NULL if there is no memory. */
char *tracks_text(unsigned int tracks);

/*
 * How much is known about the part of a bin that is within the log.
 * COUNTERS_OUTSIDE: no part of the bin is within the log, or the log does not record this counter
 * COUNTERS_UNKNOWN: events are lost, or nothing is known yet
 * COUNTERS_LEAST: a lower bound: some tasks or some of the time are unknown
 */
enum counters_state {
	COUNTERS_OUTSIDE,
	COUNTERS_UNKNOWN,
	COUNTERS_LEAST,
	COUNTERS_KNOWN
};

/*
 * @mean:	mean number of runnable tasks over the known time; 0 if none is known
 * @weight:	the known time, which is the weight of @mean
 * @most:	largest number of runnable tasks at an instant
 * @state:	state of runnable tasks and of migrations
 * @counts_state: state of the other counts
 * @counts:	numbers of events; UINT32_MAX: this many or more
 */
struct counter_bin {
	double mean;
	double weight;
	uint32_t most : 28;
	uint32_t state : 2;
	uint32_t counts_state : 2;
	uint32_t counts[COUNTERS];
};

/* Kept bins and checkpoints of a host. */
struct host_counters;

/* Empty until the first request.  NULL if there is no memory. */
struct host_counters *session_counters_new(void);
void session_counters_free(struct host_counters *counters);

/*
 * @level:	bin i is [i << @level, (i + 1) << @level) ns; at most COUNTERS_LEVEL_MAX
 * @first:	number of the first bin
 * @count:	number of bins, at most COUNTERS_BINS_MAX
 * @slots:	@slot_count CPUs to return in addition to the sum of all shown CPUs
 * @given_up:	called now and then; returns true if the answer is no longer wanted
 */
struct counters_question {
	uint32_t host;
	unsigned int level;
	uint64_t first;
	size_t count;
	const uint32_t *slots;
	size_t slot_count;
	bool (*given_up)(void *context);
	void *context;
};

/*
 * @bins:	owned by the caller, with room for all: first the bins of the sum, then of each slot
 * @recorded:	true if the log has the events of this counter
 * @runnable_recorded: true if the log has the events that determine runnable tasks
 * @read_events: events that were read from the log for this answer
 */
struct counters_answer {
	struct counter_bin *bins;
	bool recorded[COUNTERS];
	bool runnable_recorded;
	uint64_t read_events;
};

/**
 * session_counters() - get counters in bins of one width
 *
 * The first request reads the whole log once and keeps bins of it, at most a fixed number for any
 * log.  Finer bins are read from the log, starting at a checkpoint.  That costs the events in the
 * bins, one buffer of each CPU, and up to some ten thousand events.
 *
 * Return: 0; -EINVAL; -ECANCELED; -EOPNOTSUPP: the log is of a global named buffer; -ENOMEM;
 * -errno of reading.
 */
int session_counters(struct session *session, const struct counters_question *question,
		     struct counters_answer *answer);

/* The same for bins [@edges[i], @edges[i + 1]), read from the log.  Ignores level and first. */
int session_counters_between(struct session *session, const struct counters_question *question,
			     const int64_t *edges, struct counters_answer *answer);

/* Merges two bins into one. */
struct counter_bin counter_bin_merge(const struct counter_bin *a, const struct counter_bin *b);

/* ---- Reading counters from a host's log, with checkpoints ---- */

/* Used by counters.c, implemented in counters-log.c. */

/*
 * Checkpoints of a log, by time.
 * @every:	events between two checkpoints, at least; a checkpoint is at the end of a bin
 * @last:	number of events read at the last checkpoint
 * @bytes:	size of all checkpoints, at most @bytes_max
 */
struct checkpoints {
	struct interval_checkpoint *at;
	size_t count;
	size_t capacity;
	uint64_t every;
	uint64_t last;
	size_t bytes;
	size_t bytes_max;
};

void checkpoints_free(struct checkpoints *checkpoints);

/*
 * counters_log_read() - read @question->count bins [@edges[i], @edges[i + 1])
 * @from:	existing checkpoints; NULL: read from the start of the log
 * @keep:	receives new checkpoints; NULL: none are kept
 *
 * Return: as session_counters().
 */
int counters_log_read(struct session *session, const struct counters_question *question,
		      const int64_t *edges, const struct checkpoints *from,
		      struct checkpoints *keep, struct counters_answer *answer);

#endif /* EVTLOG_VIEW_SESSION_COUNTERS_H */
