// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes interruptions by hand, for tests of curves.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jitter_made.h"

#define TICKS_PER_NS	2
#define BEGIN_TICKS	1000000

void made_begin(struct made *made, unsigned int threads, double seconds)
{
	memset(made, 0, sizeof(*made));
	made->data.ns_per_tick = 1.0 / TICKS_PER_NS;
	made->data.threads = made->threads;
	made->data.thread_count = threads;
	made->data.sources = made->sources;
	for (unsigned int i = 0; i < threads; i++)
		made->threads[i] = (struct evtlog_jitter_thread) {
			.cpu = i,
			.pid = 100 + i,
			.begin_ticks = BEGIN_TICKS,
			.end_ticks = BEGIN_TICKS + seconds * 1e9 * TICKS_PER_NS,
		};
}

uint32_t made_source(struct made *made, const char *name)
{
	struct evtlog_jitter_source *source = &made->sources[made->data.source_count];

	snprintf(source->name, sizeof(source->name), "%s", name);
	return made->data.source_count++;
}

static void *grow(void *array, size_t count, size_t size)
{
	/* The capacity is a power of two. */
	if (!(count & (count - 1)))
		array = reallocarray(array, count ? 2 * count : 1, size);
	if (!array)
		abort();
	memset((char *)array + count * size, 0, size);
	return array;
}

void made_add(struct made *made, uint32_t thread, double at, uint64_t ns, uint64_t user_ns,
	      uint32_t source)
{
	struct jitter_data *data = &made->data;
	uint64_t leave = BEGIN_TICKS + at * 1e9 * TICKS_PER_NS;
	size_t i = data->interruption_count, s = data->sample_count;

	made->interruptions = grow(made->interruptions, i, sizeof(*made->interruptions));
	made->parts = grow(made->parts, data->part_count, sizeof(*made->parts));
	made->interruptions[i] = (struct evtlog_interruption) {
		.leave_ticks = leave,
		.enter_ticks = leave + ns * TICKS_PER_NS,
		.first_part = data->part_count,
		.parts = 1,
		.thread = thread,
		.sample = EVTLOG_JITTER_NONE,
	};
	made->parts[data->part_count++] = (struct evtlog_jitter_part) {
		.begin_ticks = leave,
		.end_ticks = leave + ns * TICKS_PER_NS,
		.own_ticks = ns * TICKS_PER_NS,
		.source = source,
		.activation = true,
	};
	data->interruption_count++;
	if (user_ns) {
		made->samples = grow(made->samples, s, sizeof(*made->samples));
		made->samples[s] = (struct evtlog_jitter_sample) {
			.begin_ticks = leave,
			.end_ticks = leave + user_ns * TICKS_PER_NS,
			.noise_ticks = user_ns * TICKS_PER_NS,
			.kernel_ticks = ns * TICKS_PER_NS,
			.first_interruption = i,
			.interruptions = 1,
			.thread = thread,
		};
		made->interruptions[i].sample = s;
		data->sample_count++;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct evtlog_interruption *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->leave_ticks > y->leave_ticks) - (x->leave_ticks < y->leave_ticks);
}

void made_end(struct made *made)
{
	struct jitter_data *data = &made->data;

	data->interruptions = made->interruptions;
	data->parts = made->parts;
	data->samples = made->samples;
	if (data->interruption_count)
		qsort(made->interruptions, data->interruption_count,
		      sizeof(*made->interruptions), by_time);
	for (size_t i = 0; i < data->interruption_count; i++) {
		const struct evtlog_interruption *one = &made->interruptions[i];
		struct evtlog_jitter_thread *thread = &made->threads[one->thread];

		if (!thread->interruptions++)
			thread->first_interruption = i;
		if (one->sample != EVTLOG_JITTER_NONE)
			made->samples[one->sample].first_interruption = i;
	}
}

void made_free(struct made *made)
{
	free(made->interruptions);
	free(made->parts);
	free(made->samples);
}

double made_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (double)(*state >> 11) / (1ull << 53);
}
