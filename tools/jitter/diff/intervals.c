// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All recorded and inferred intervals that took time from the program.
 *
 * Stage: between a joined recording and `evtlog jitter diff`.
 */
#include <math.h>

#include "diff.h"

struct walk {
	const struct evtlog_jitter *jitter;
	const struct evtlog_jitter_source *sources;
	const struct evtlog_jitter_source *crossing;
	void (*each)(void *arg, const struct interval *interval);
	void *arg;
};

static void give(const struct walk *walk, const struct evtlog_jitter_thread *thread,
		 const struct evtlog_jitter_source *source, uint64_t at_ticks, double ticks)
{
	struct interval interval = {
		.source = source,
		.at_ns = evtlog_jitter_ns(walk->jitter,
					  (double)(int64_t)(at_ticks - thread->begin_ticks)),
		.length_ns = evtlog_jitter_ns(walk->jitter, ticks),
	};

	walk->each(walk->arg, &interval);
}

static void give_thread(const struct walk *walk, const struct evtlog_jitter_thread *thread)
{
	const struct evtlog_jitter_sample *samples;
	const struct evtlog_interruption *at;
	const struct evtlog_jitter_part *parts;
	size_t count;

	at = evtlog_jitter_interruptions(walk->jitter, &count) + thread->first_interruption;
	parts = evtlog_jitter_parts(walk->jitter, &count);
	samples = evtlog_jitter_samples(walk->jitter, &count) + thread->first_sample;
	for (uint32_t i = 0; i < thread->interruptions; i++) {
		if (at[i].flags & EVTLOG_JITTER_EXCLUDED)
			continue;
		for (uint32_t j = 0; j < at[i].parts; j++) {
			const struct evtlog_jitter_part *part = &parts[at[i].first_part + j];

			give(walk, thread, &walk->sources[part->source], part->begin_ticks,
			     part->own_ticks);
		}
	}
	for (uint32_t i = 0; i < thread->samples; i++) {
		const struct evtlog_jitter_sample *sample = &samples[i];

		if (sample->flags & (EVTLOG_JITTER_EXCLUDED | EVTLOG_JITTER_BELOW))
			continue;
		if (sample->crossing_ticks && walk->crossing)
			give(walk, thread, walk->crossing, sample->begin_ticks,
			     sample->crossing_ticks);
		if (evtlog_jitter_inferred(sample))
			give(walk, thread, &walk->sources[sample->inferred_source],
			     sample->begin_ticks, evtlog_jitter_inferred(sample));
	}
}

void intervals_each(const struct evtlog_jitter *jitter,
		    void (*each)(void *arg, const struct interval *interval), void *arg)
{
	struct walk walk = { .jitter = jitter, .each = each, .arg = arg };
	const struct evtlog_jitter_thread *threads;
	size_t count;

	walk.sources = evtlog_jitter_sources(jitter, &count);
	for (size_t i = 0; i < count; i++)
		if (walk.sources[i].kind == EVTLOG_SOURCE_CROSSING)
			walk.crossing = &walk.sources[i];
	threads = evtlog_jitter_threads(jitter, &count);
	for (size_t i = 0; i < count; i++)
		give_thread(&walk, &threads[i]);
}

double intervals_window_ns(const struct evtlog_jitter *jitter)
{
	const struct evtlog_jitter_thread *threads;
	double least = HUGE_VAL;
	size_t count;

	threads = evtlog_jitter_threads(jitter, &count);
	for (size_t i = 0; i < count; i++)
		least = fmin(least, evtlog_jitter_ns(jitter, threads[i].end_ticks -
						     threads[i].begin_ticks));
	return count ? least : 0;
}

double intervals_cpu_s(const struct evtlog_jitter *jitter)
{
	const struct evtlog_jitter_thread *threads;
	double ticks = 0;
	size_t count;

	threads = evtlog_jitter_threads(jitter, &count);
	for (size_t i = 0; i < count; i++) {
		uint64_t window = threads[i].end_ticks - threads[i].begin_ticks;

		if (threads[i].lost_ticks < window)
			ticks += window - threads[i].lost_ticks;
	}
	return evtlog_jitter_ns(jitter, ticks) / 1e9;
}
