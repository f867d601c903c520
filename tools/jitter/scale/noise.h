/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The noise of a CPU as a program on it meets it: what it may work until, and when it
 * is through.
 *
 * Stage: between recorded interruptions and `evtlog jitter scale`.  It knows no
 * sources.
 */
#ifndef EVTLOG_JITTER_SCALE_NOISE_H
#define EVTLOG_JITTER_SCALE_NOISE_H

#include <stddef.h>
#include <stdint.h>

#include <evtlog/jitter.h>

/*
 * @begin_ns:	of an interruption, since the window's begin
 * @before_ns:	what all interruptions before it took
 */
struct noise_point {
	uint64_t begin_ns;
	uint64_t before_ns;
};

/*
 * Goes on from its begin when it is at its end.
 * @points:	@count of them, and one behind the last, at the window's end
 * @tags:	of each interruption, the user's own
 */
struct noise_trace {
	uint64_t window_ns;
	size_t count;
	size_t capacity;
	struct noise_point *points;
	uint32_t *tags;
};

/*
 * Where a program is.
 * @next:	the first interruption that is not over at @at_ns
 */
struct noise_place {
	uint64_t at_ns;
	uint32_t next;
};

/* 0 or -ENOMEM; noise_free() what it gives. */
int noise_new(struct noise_trace *trace, uint64_t window_ns, size_t capacity);
void noise_free(struct noise_trace *trace);

/*
 * By their begins, not more than there is room for.  One that begins before the last
 * ends is put behind it, what is behind the window's end is cut off.
 */
void noise_add(struct noise_trace *trace, uint64_t begin_ns, uint64_t length_ns, uint32_t tag);

/* noise_close() - after the last; what is left to work in the window, 0: nothing can */
uint64_t noise_close(struct noise_trace *trace);

static inline uint64_t noise_length(const struct noise_trace *trace, size_t i)
{
	return trace->points[i + 1].before_ns - trace->points[i].before_ns;
}

/* @at_ns < the window. */
struct noise_place noise_at(const struct noise_trace *trace, uint64_t at_ns);

/* The time that @work_ns > 0 of work takes from @place on. */
uint64_t noise_work(const struct noise_trace *trace, const struct noise_place *place,
		    uint64_t work_ns);

/* @ns later. */
void noise_advance(const struct noise_trace *trace, struct noise_place *place, uint64_t ns);

/*
 * noise_met() - the interruptions that a program met which needed @elapsed_ns from @place on
 * @each: gets how much of interruption @i it met, but for 0
 */
void noise_met(const struct noise_trace *trace, const struct noise_place *place,
	       uint64_t elapsed_ns, void (*each)(void *arg, size_t i, uint64_t ns), void *arg);

/* ---- A recording as noise that a program can be played through, and what it is made of ---- */

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

#endif /* EVTLOG_JITTER_SCALE_NOISE_H */
