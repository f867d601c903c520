/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording as noise that a program can be played through, and what it is made of.
 *
 * Stage: between a joined recording and `evtlog jitter scale`.
 */
#ifndef EVTLOG_JITTER_SCALE_NOISE_TRACE_H
#define EVTLOG_JITTER_SCALE_NOISE_TRACE_H

#include <evtlog/jitter.h>

#include "noise.h"

/* All sources of all recordings, by family and name. */
struct traced_source {
	enum evtlog_jitter_family family;
	bool inferred;
	bool without;
	char name[EVTLOG_SOURCE_NAME];
};

struct traced_sources {
	struct traced_source *at;
	size_t count;
	size_t capacity;
};

/* A piece of an interruption's time. */
struct traced_piece {
	uint32_t source;
	double ns;
};

/*
 * What an interruption of the noise is made of: pieces [@first, @first + @count), which
 * sum up to @ns.  The noise's tag is its number.
 */
struct traced_event {
	uint32_t first;
	uint32_t count;
	double begin_ns;
	double ns;
};

/* A CPU's. */
struct traced_cpu {
	struct traced_event *events;
	size_t event_count;
	size_t event_capacity;
	struct traced_piece *pieces;
	size_t piece_count;
	size_t piece_capacity;
};

/*
 * @noises:	of each CPU, in the window that all of them have in common
 */
struct traced {
	struct traced_cpu *cpus;
	struct noise_trace *noises;
	size_t count;
	uint64_t window_ns;
};

/*
 * traced_sources_add() - the rows of @jitter are in @sources from now on
 *
 * Returns 0 or -ENOMEM.
 */
int traced_sources_add(struct traced_sources *sources, const struct evtlog_jitter *jitter);
void traced_sources_free(struct traced_sources *sources);

/*
 * traced_new() - of the first @ranks CPUs, 0: all; @sources has all rows of it
 *
 * What is excluded is as if nothing had interrupted, as is all whose source is @without;
 * an interruption that had nothing else but the kernel's own way in and out is none then.
 * Returns 0; -ENODATA there is no time in which a program could work; -ENOMEM.
 * traced_free() what it gives.
 */
int traced_new(struct traced *traced, const struct evtlog_jitter *jitter, size_t ranks,
	       const struct traced_sources *sources);
void traced_free(struct traced *traced);

#endif /* EVTLOG_JITTER_SCALE_NOISE_TRACE_H */
