/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of a host and of its CPUs over time, in bins of 2^level ns: how many tasks are
 * runnable, switches, migrations, forks and exits.
 *
 * Stage: between analysis/interval and the answers; any thread may ask.
 */
#ifndef EVTLOG_VIEW_SESSION_COUNTERS_H
#define EVTLOG_VIEW_SESSION_COUNTERS_H

#include "analysis/interval/interval.h"
#include "session.h"

/* More are not given at once: of a CPU, and of all that are asked for. */
#define COUNTERS_BINS_MAX	8192
#define COUNTERS_ALL_MAX	(1u << 19)
#define COUNTERS_LEVEL_MAX	50

/* What is counted of events; runnable tasks are beside them. */
enum counter {
	COUNTER_SWITCHES,
	COUNTER_MIGRATIONS_IN,
	COUNTER_MIGRATIONS_OUT,
	COUNTER_FORKS,
	COUNTER_EXITS,
	COUNTERS
};

/* Keys in JSON, as of evtlog stat --interval */
extern const char *const counter_keys[COUNTERS];

/* Tracks that people choose by name; the list ends with NULL. */
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

/* Bits of those in "runnable,switches".  0; -EINVAL: there is no such name. */
int tracks_parse(unsigned int *tracks, const char *text);
/* The same back: free() it; NULL: there is no memory. */
char *tracks_text(unsigned int tracks);

/*
 * What is known of a bin, of the part of it that is in the log.
 * COUNTERS_OUTSIDE: none of it is, or what would tell is not recorded
 * COUNTERS_UNKNOWN: events are lost, or nothing is known yet
 * COUNTERS_LEAST: not all of the tasks, or not all of the time
 */
enum counters_state {
	COUNTERS_OUTSIDE,
	COUNTERS_UNKNOWN,
	COUNTERS_LEAST,
	COUNTERS_KNOWN
};

/*
 * @mean:	of runnable tasks, over the time that is known; 0 if none is
 * @weight:	of @mean: that time
 * @most:	runnable tasks at an instant
 * @state:	of runnable tasks, and of migrations
 * @counts_state: of the other counts
 * @counts:	UINT32_MAX: or more
 */
struct counter_bin {
	double mean;
	double weight;
	uint32_t most : 28;
	uint32_t state : 2;
	uint32_t counts_state : 2;
	uint32_t counts[COUNTERS];
};

/* Bins of a host that were asked for once, and what is known at some times between. */
struct host_counters;

/* It holds nothing before the first question.  NULL: there is no memory. */
struct host_counters *session_counters_new(void);
void session_counters_free(struct host_counters *counters);

/*
 * @level:	bin i is [i << @level, (i + 1) << @level), up to COUNTERS_LEVEL_MAX
 * @first:	number of the first bin
 * @count:	of them, up to COUNTERS_BINS_MAX
 * @slots:	of CPUs that are wanted beside the sum of those that are shown, @slot_count of them
 * @given_up:	asked now and then: the answer is not wanted any more
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
 * @bins:	of the sum, then of each of the slots; the asker's: as many as all of them need
 * @recorded:	the log can tell of it; @runnable_recorded: and of runnable tasks
 * @read_events: that had to be read from the log
 */
struct counters_answer {
	struct counter_bin *bins;
	bool recorded[COUNTERS];
	bool runnable_recorded;
	uint64_t read_events;
};

/**
 * session_counters() - counters of bins of one width
 *
 * The first question reads the log once and keeps bins of all of it, of which there are as many for
 * any log.  Finer ones are read from the log, from a time on of which what is known was kept: that
 * costs what the bins hold, a buffer of each CPU, and up to some ten thousand events.
 *
 * Return: 0; -EINVAL; -ECANCELED; -EOPNOTSUPP: the log is of a global named buffer; -ENOMEM;
 * -errno of reading.
 */
int session_counters(struct session *session, const struct counters_question *question,
		     struct counters_answer *answer);

/* The same of bins [@edges[i], @edges[i + 1]), all read from the log; level and first are not used. */
int session_counters_between(struct session *session, const struct counters_question *question,
			     const int64_t *edges, struct counters_answer *answer);

/* Both bins as one. */
struct counter_bin counter_bin_merge(const struct counter_bin *a, const struct counter_bin *b);

/* ---- Reads counters from a host's log, and keeps what is known at some times of it ---- */

/* Between counters.c and counters-log.c. */

/*
 * Checkpoints of a log, by time.
 * @every:	so many events are between two of them, and those of one bin
 * @last:	events that were read when the last was kept
 * @bytes:	of all; up to @bytes_max
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
 * counters_log_read() - bins [@edges[i], @edges[i + 1]), @question->count of them
 * @from:	checkpoints that are there; NULL: the log is read from its start
 * @keep:	where those that are passed go; NULL: nowhere
 *
 * Return: as session_counters().
 */
int counters_log_read(struct session *session, const struct counters_question *question,
		      const int64_t *edges, const struct checkpoints *from,
		      struct checkpoints *keep, struct counters_answer *answer);

#endif /* EVTLOG_VIEW_SESSION_COUNTERS_H */
