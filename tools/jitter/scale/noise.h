/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The noise of a CPU, as a program on it meets it: computes when work is done.
 *
 * Stage: between recorded interruptions and `evtlog jitter scale`. It is independent of sources.
 */
#ifndef EVTLOG_JITTER_SCALE_NOISE_H
#define EVTLOG_JITTER_SCALE_NOISE_H

#include <stddef.h>
#include <stdint.h>

#include <evtlog/jitter.h>

/*
 * @begin_ns:	start of an interruption, since the start of the window
 * @before_ns:	sum of the lengths of all earlier interruptions
 */
struct noise_point {
	uint64_t begin_ns;
	uint64_t before_ns;
};

/*
 * A trace, which starts again after its end.
 * @points:	@count of them, and one more at the end of the window
 * @tags:	for each interruption, a number from the caller
 */
struct noise_trace {
	uint64_t window_ns;
	size_t count;
	size_t capacity;
	struct noise_point *points;
	uint32_t *tags;
};

/*
 * The position of a program in a trace.
 * @next:	the first interruption that has not ended at @at_ns
 */
struct noise_place {
	uint64_t at_ns;
	uint32_t next;
};

/* Returns 0 or -ENOMEM; free with noise_free(). */
int noise_new(struct noise_trace *trace, uint64_t window_ns, size_t capacity);
void noise_free(struct noise_trace *trace);

/*
 * Adds an interruption: at most @capacity, ordered by start. If it begins before the last one
 * ends, it is moved to that end. It is cut at the end of the window.
 */
void noise_add(struct noise_trace *trace, uint64_t begin_ns, uint64_t length_ns, uint32_t tag);

/* noise_close() - after the last noise_add(); returns the time left for work, maybe 0 */
uint64_t noise_close(struct noise_trace *trace);

static inline uint64_t noise_length(const struct noise_trace *trace, size_t i)
{
	return trace->points[i + 1].before_ns - trace->points[i].before_ns;
}

/* The place at @at_ns, which is less than the window. */
struct noise_place noise_at(const struct noise_trace *trace, uint64_t at_ns);

/* The time that @work_ns > 0 of work takes from @place on. */
uint64_t noise_work(const struct noise_trace *trace, const struct noise_place *place,
		    uint64_t work_ns);

/* Moves @place by @ns. */
void noise_advance(const struct noise_trace *trace, struct noise_place *place, uint64_t ns);

/*
 * noise_met() - find the interruptions of a program in the @elapsed_ns after @place
 * @each: gets the number of an interruption, and its time in this interval, which is not 0
 */
void noise_met(const struct noise_trace *trace, const struct noise_place *place,
	       uint64_t elapsed_ns, void (*each)(void *arg, size_t i, uint64_t ns), void *arg);

/* ---- A recording as noise, with its sources ---- */

/* A source of any recording, by family and name. @without: leave it out. */
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
 * An interruption of the noise: pieces [@first, @first + @count), which sum up to @ns. The tag in
 * the trace is the number of the event.
 */
struct traced_event {
	uint32_t first;
	uint32_t count;
	double begin_ns;
	double ns;
};

/* The events of a CPU. */
struct traced_cpu {
	struct traced_event *events;
	size_t event_count;
	size_t event_capacity;
	struct traced_piece *pieces;
	size_t piece_count;
	size_t piece_capacity;
};

/* @noises: of each CPU, in the window that all CPUs have in common */
struct traced {
	struct traced_cpu *cpus;
	struct noise_trace *noises;
	size_t count;
	uint64_t window_ns;
};

/* traced_sources_add() - add the rows of @jitter to @sources. Returns 0 or -ENOMEM. */
int traced_sources_add(struct traced_sources *sources, const struct evtlog_jitter *jitter);
void traced_sources_free(struct traced_sources *sources);

/*
 * traced_new() - convert the first @ranks CPUs of a recording; 0: all
 *
 * @sources has all rows of the recording. Excluded interruptions, and sources with @without,
 * count as time of the program. If only kernel entry and exit are left of an interruption, it is
 * dropped.
 * Returns 0; -ENODATA no time is left in which a program could work; -ENOMEM. The caller calls
 * traced_free() after 0.
 */
int traced_new(struct traced *traced, const struct evtlog_jitter *jitter, size_t ranks,
	       const struct traced_sources *sources);
void traced_free(struct traced *traced);

#endif /* EVTLOG_JITTER_SCALE_NOISE_H */
