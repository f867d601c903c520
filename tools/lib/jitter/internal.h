/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the parts of the attribution of jitter share.
 *
 * match.c puts the samples to the interruptions; then come statistics and what is inferred.
 * It is not for the library's users.
 */
#ifndef EVTLOG_LIB_JITTER_INTERNAL_H
#define EVTLOG_LIB_JITTER_INTERNAL_H

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include <evtlog/jitter.h>

#include "lib/base/array.h"
#include "lib/base/key-table.h"

/* Time of which a thread knows nothing. */
struct jitter_loss {
	uint64_t from_ticks;
	uint64_t to_ticks;
	uint64_t records;
};

/* When a CPU became busy, idle, busy, ... */
struct jitter_turns {
	uint32_t cpu;
	bool wanted;
	uint64_t *at;
	size_t count;
	size_t capacity;
};

/* A reading of a CPU's steal clock; @left_ns: stolen since the previous one, and in no row yet */
struct jitter_steal {
	uint64_t ticks;
	uint64_t ns;
	uint64_t left_ns;
};

/* Those of a CPU, in order */
struct jitter_steals {
	struct jitter_steal *at;
	size_t count;
	size_t capacity;
};

/*
 * What the replay found for a thread.
 * @slot:	of its CPU in the file; UINT_MAX: it has none
 * @until_ticks: where an interruption that began in the thread's window has to end
 * @first_part of an interruption counts in @parts
 */
struct jitter_track {
	struct evtlog_jitter_thread thread;
	uint64_t until_ticks;
	unsigned int slot;
	struct evtlog_interruption *interruptions;
	size_t count;
	size_t capacity;
	struct evtlog_jitter_part *parts;
	size_t part_count;
	size_t part_capacity;
	struct jitter_loss *losses;
	size_t loss_count;
	size_t loss_capacity;
};

/* A row of the cache from kind and number to a source. */
struct jitter_known {
	uint32_t source;
	uint32_t number;
	uint8_t kind;
	bool used;
};

#define JITTER_KNOWN	256

/* All sources, found by name. */
struct jitter_sources {
	struct evtlog_jitter_source *at;
	size_t count;
	size_t capacity;
	struct key_table by_hash;
	struct jitter_known known[JITTER_KNOWN];
};

/* Sequences of sources, found by these. */
struct jitter_patterns {
	struct evtlog_jitter_pattern *at;
	size_t count;
	size_t capacity;
	struct key_table by_hash;
	uint32_t *sequence;
	size_t length;
	size_t sequence_capacity;
};

struct evtlog_jitter {
	struct evtlog_file *file;
	const struct evtlog_samples *samples_file;
	const struct evtlog_jitter_span *spans;
	size_t span_count;
	struct evtlog_jitter_options options;
	struct evtlog_error *error;

	struct jitter_track *tracks;
	size_t track_count;
	struct jitter_turns *turns;
	size_t turns_count;
	struct jitter_steals *steals;	/* by slot of the CPU */
	unsigned int steals_count;
	struct jitter_sources sources;

	struct evtlog_jitter_summary summary;
	struct evtlog_jitter_thread *threads;
	struct evtlog_interruption *interruptions;
	size_t interruption_count;
	struct evtlog_jitter_part *parts;
	size_t part_count;
	struct evtlog_jitter_sample *samples;
	size_t sample_count;
	struct jitter_patterns patterns;
	struct jitter_patterns chains;
};

/* Says why: @reason as printf() takes it.  Returns @result. */
int jitter_fail(struct evtlog_jitter *jitter, int result, const char *reason, ...)
	__attribute__((format(printf, 3, 4)));

/* The CPUs that share the core of @cpu, as sysfs lists them; NULL: nobody says. */
const char *jitter_siblings(const struct evtlog_jitter *jitter, uint32_t cpu);

/* Reads the log: fills in the tracks: replay.c.  Returns 0 or -errno. */
int jitter_replay(struct evtlog_jitter *jitter);

/* What has a number, by the time that it took: patterns.c. */
struct jitter_rank {
	uint64_t total_ticks;
	uint32_t number;
};

/* The one that took most first, of as many ticks the one that came first. */
void jitter_ranks_sort(struct jitter_rank *ranks, size_t count);

/* ---- sources.c ---- */

/* Number of EVTLOG_SOURCE_HARDWARE where the core's other thread may have been busy as well */
#define JITTER_OR_SMT	1

/* The number of a source that is not a task, *@sourcep.  Returns 0 or -ENOMEM. */
int jitter_source(struct evtlog_jitter *jitter, enum evtlog_jitter_kind kind,
		  uint32_t number, uint32_t *sourcep);

/* The same of a task; @task may be NULL, of which nothing is known. */
int jitter_task_source(struct evtlog_jitter *jitter, uint32_t pid,
		       const struct evtlog_task *task, uint32_t *sourcep);
void jitter_sources_free(struct jitter_sources *sources);

/* Adds a length to a row. */
void jitter_count(struct evtlog_jitter_source *source, uint64_t ticks);

/* Counts, sums and activations of all that is not excluded. */
int jitter_statistics(struct evtlog_jitter *jitter);

/* How long tasks take from waking to sleep: activations.c.  Returns 0 or -ENOMEM. */
int jitter_activations(struct evtlog_jitter *jitter);

/* By total time, with all that names a source by its number. */
int jitter_sort_sources(struct evtlog_jitter *jitter);

/* Puts samples and interruptions together: match.c.  Returns 0 or -errno. */
int jitter_match(struct evtlog_jitter *jitter);

/* Calibrates crossings, and says what the rest is: infer.c. */
int jitter_infer(struct evtlog_jitter *jitter);

/* Notes a COUNTER record of the CPU with @slot: steal.c.  Returns 0 or -ENOMEM. */
int jitter_steal_note(struct jitter_steals *steals, const struct evtlog_event *event);

/*
 * Sets @stolen, by the sample's number in the thread, to the stolen ticks of each sample whose
 * residual is more than @least.  Returns 0 or -ENOMEM.
 */
int jitter_steal_share(struct evtlog_jitter *jitter, const struct jitter_track *track,
		       const struct evtlog_jitter_thread *thread, double least, uint64_t *stolen);

/* Which sources come at regular distances: periods.c. */
int jitter_find_periods(struct evtlog_jitter *jitter);

/* ---- patterns.c ---- */

/* Adds a source behind all sequences; from there on it is a new one. */
int jitter_patterns_add(struct jitter_patterns *patterns, uint32_t source);

/* What was added from @first on is one; it stays if it is new.  0 or -ENOMEM. */
int jitter_patterns_keep(struct jitter_patterns *patterns, size_t first, uint32_t *numberp);
void jitter_patterns_count(struct jitter_patterns *patterns, uint32_t number,
			   uint64_t ticks);
/* NULL if there is none; not in an empty set. */
const struct evtlog_jitter_pattern *
jitter_patterns_find(const struct jitter_patterns *patterns, const uint32_t *sequence,
		     size_t length);
void jitter_patterns_free(struct jitter_patterns *patterns);

/* Which interruptions are alike. */
int jitter_find_patterns(struct evtlog_jitter *jitter);

/* Which tasks come one after the other: chains.c. */
int jitter_find_chains(struct evtlog_jitter *jitter);

#endif /* EVTLOG_LIB_JITTER_INTERNAL_H */
