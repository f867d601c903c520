/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shared by the parts of the attribution of jitter.
 *
 * match.c assigns interruptions to samples; statistics and inferred sources follow.  Not for users
 * of the library.
 */
#ifndef EVTLOG_LIB_JITTER_INTERNAL_H
#define EVTLOG_LIB_JITTER_INTERNAL_H

#include <errno.h>
#include <stdlib.h>

#include <evtlog/jitter.h>

#include "lib/base/array.h"
#include "lib/base/key-table.h"
#include "lib/file/file.h"

/* Time for which events of a thread are missing. */
struct jitter_loss {
	uint64_t from_ticks;
	uint64_t to_ticks;
	uint64_t records;
};

/* Times at which a CPU became busy, idle, busy, ... */
struct jitter_turns {
	uint32_t cpu;
	bool wanted;
	uint64_t *at;
	size_t count;
	size_t capacity;
};

/* A reading of a CPU's steal clock.  @left_ns: stolen since the last one, not yet assigned */
struct jitter_steal {
	uint64_t ticks;
	uint64_t ns;
	uint64_t left_ns;
};

/* The readings of a CPU, in order */
struct jitter_steals {
	struct jitter_steal *at;
	size_t count;
	size_t capacity;
};

/*
 * Results of the replay for a thread.
 * @slot:	slot of its CPU in the file; NO_SLOT if it has none
 * @until_ticks: latest end of an interruption that begins in the thread's window
 * @first_part of an interruption is an index into @parts
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

/* An entry of the cache from kind and number to a source. */
struct jitter_known {
	uint32_t source;
	uint32_t number;
	uint8_t kind;
	bool used;
};

#define JITTER_KNOWN	256

/* All sources, with a hash table by name. */
struct jitter_sources {
	struct evtlog_jitter_source *at;
	size_t count;
	size_t capacity;
	struct key_table by_hash;
	struct jitter_known known[JITTER_KNOWN];
};

/* Sequences of sources, with a hash table by sequence. */
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

/* Sets the reason in @jitter->error; @reason as for printf().  Returns @result. */
int jitter_fail(struct evtlog_jitter *jitter, int result, const char *reason, ...)
	__attribute__((format(printf, 3, 4)));

/* The CPUs that share the core of @cpu, as in sysfs; NULL if unknown. */
const char *jitter_siblings(const struct evtlog_jitter *jitter, uint32_t cpu);

/* Reads the log and fills in the tracks: replay.c.  Returns 0 or -errno. */
int jitter_replay(struct evtlog_jitter *jitter);

/* A numbered object and its total time: patterns.c. */
struct jitter_rank {
	uint64_t total_ticks;
	uint32_t number;
};

/* Sorts by descending time, then by number. */
void jitter_ranks_sort(struct jitter_rank *ranks, size_t count);

/* ---- sources.c ---- */

/* Number of EVTLOG_SOURCE_HARDWARE if the core's other thread may also have been busy */
#define JITTER_OR_SMT	1

/* Stores the number of a source that is not a task in @sourcep.  Returns 0 or -ENOMEM. */
int jitter_source(struct evtlog_jitter *jitter, enum evtlog_jitter_kind kind,
		  uint32_t number, uint32_t *sourcep);

/* The same for a task.  @task: NULL if unknown. */
int jitter_task_source(struct evtlog_jitter *jitter, uint32_t pid,
		       const struct evtlog_task *task, uint32_t *sourcep);
void jitter_sources_free(struct jitter_sources *sources);

/* Adds a length to a source. */
void jitter_count(struct evtlog_jitter_source *source, uint64_t ticks);

/* Counts, sums and activations of everything that is not excluded. */
int jitter_statistics(struct evtlog_jitter *jitter);

/* Time of tasks from wake-up to sleep: activations.c.  Returns 0 or -ENOMEM. */
int jitter_activations(struct evtlog_jitter *jitter);

/* Sorts sources by total time and updates all source numbers. */
int jitter_sort_sources(struct evtlog_jitter *jitter);

/* Assigns interruptions to samples: match.c.  Returns 0 or -errno. */
int jitter_match(struct evtlog_jitter *jitter);

/* Calibrates crossings and assigns the residuals: infer.c. */
int jitter_infer(struct evtlog_jitter *jitter);

/* Stores a COUNTER record if it is a reading of the steal clock: steal.c.  Returns 0 or -ENOMEM. */
int jitter_steal_note(struct jitter_steals *steals, const struct evtlog_event *event);

/*
 * Sets @stolen, indexed by the sample's number in the thread, to the stolen ticks of each sample
 * whose residual is more than @least.  Returns 0 or -ENOMEM.
 */
int jitter_steal_share(struct evtlog_jitter *jitter, const struct jitter_track *track,
		       const struct evtlog_jitter_thread *thread, double least, uint64_t *stolen);

/* Finds sources with a period: periods.c. */
int jitter_find_periods(struct evtlog_jitter *jitter);

/* ---- patterns.c ---- */

/* Appends a source to the new sequence, after all stored ones. */
int jitter_patterns_add(struct jitter_patterns *patterns, uint32_t source);

/* Stores the sequence from @first on, if it is new.  Returns 0 or -ENOMEM. */
int jitter_patterns_keep(struct jitter_patterns *patterns, size_t first, uint32_t *numberp);
void jitter_patterns_count(struct jitter_patterns *patterns, uint32_t number,
			   uint64_t ticks);
/* NULL if not found.  Do not call it for an empty set. */
const struct evtlog_jitter_pattern *
jitter_patterns_find(const struct jitter_patterns *patterns, const uint32_t *sequence,
		     size_t length);
void jitter_patterns_free(struct jitter_patterns *patterns);

/* Finds interruptions with the same sequence of sources. */
int jitter_find_patterns(struct evtlog_jitter *jitter);

/* Finds tasks that follow each other: chains.c. */
int jitter_find_chains(struct evtlog_jitter *jitter);

#endif /* EVTLOG_LIB_JITTER_INTERNAL_H */
