// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Converts a recording to noise for the simulation of a program.
 *
 * Stage: between a joined recording and `evtlog jitter scale`.
 *
 * An interruption costs the program the time in the kernel, and the crossing. The inferred time
 * of a sample is placed at the end of the sample if the sample has interruptions, else at its
 * start.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "noise.h"

static uint32_t find_source(const struct traced_sources *sources,
			    const struct evtlog_jitter_source *source)
{
	for (size_t i = 0; i < sources->count; i++)
		if (sources->at[i].family == source->family &&
		    !strcmp(sources->at[i].name, source->name))
			return i;
	return EVTLOG_JITTER_NONE;
}

int traced_sources_add(struct traced_sources *sources, const struct evtlog_jitter *jitter)
{
	const struct evtlog_jitter_source *at;
	size_t count;

	at = evtlog_jitter_sources(jitter, &count);
	for (size_t i = 0; i < count; i++) {
		struct traced_source *source;

		if (find_source(sources, &at[i]) != EVTLOG_JITTER_NONE)
			continue;
		if (array_reserve(&sources->at, &sources->capacity,
				  sources->count, sizeof(*source)))
			return -ENOMEM;
		source = &sources->at[sources->count++];
		*source = (struct traced_source){
			.family = at[i].family,
			.inferred = at[i].inferred,
		};
		memcpy(source->name, at[i].name, sizeof(source->name));
		source->name[sizeof(source->name) - 1] = '\0';
	}
	return 0;
}

void traced_sources_free(struct traced_sources *sources)
{
	free(sources->at);
	*sources = (struct traced_sources){ 0 };
}

/*
 * State while a CPU is converted.
 * @numbers:	from the recording's source numbers to numbers in @sources
 * @from_ns:	start of the common window, as in events
 * @crossing:	number of crossings in @sources; EVTLOG_JITTER_NONE if there are none
 */
struct taking {
	const struct evtlog_jitter *jitter;
	const struct evtlog_jitter_thread *thread;
	const struct traced_sources *sources;
	const uint32_t *numbers;
	const struct evtlog_jitter_source *rows;
	const struct evtlog_jitter_part *parts;
	uint64_t from_ns;
	uint32_t crossing;
	struct traced_cpu *cpu;
	struct noise_trace *noise;
};

static double since_ns(const struct taking *taking, uint64_t ticks)
{
	const struct evtlog_jitter_thread *thread = taking->thread;

	/* A difference: a double cannot hold fractions of an absolute time in ns. */
	return (double)(int64_t)(thread->begin_ns - taking->from_ns) +
	       evtlog_jitter_ns(taking->jitter,
				(double)(int64_t)(ticks - thread->begin_ticks));
}

static int begin_event(struct taking *taking, uint64_t ticks)
{
	struct traced_cpu *cpu = taking->cpu;

	if (array_reserve(&cpu->events, &cpu->event_capacity, cpu->event_count,
			  sizeof(*cpu->events)))
		return -ENOMEM;
	cpu->events[cpu->event_count++] = (struct traced_event){
		.first = cpu->piece_count,
		.begin_ns = since_ns(taking, ticks),
	};
	return 0;
}

/* Adds time to the last event, unless @source, a number in @sources, is left out. */
static int add_piece(struct taking *taking, uint32_t source, double ticks)
{
	struct traced_cpu *cpu = taking->cpu;
	struct traced_event *event = &cpu->events[cpu->event_count - 1];
	double ns = evtlog_jitter_ns(taking->jitter, ticks);

	if (source == EVTLOG_JITTER_NONE || taking->sources->at[source].without || !(ns > 0))
		return 0;
	if (array_reserve(&cpu->pieces, &cpu->piece_capacity, cpu->piece_count,
			  sizeof(*cpu->pieces)))
		return -ENOMEM;
	cpu->pieces[cpu->piece_count++] = (struct traced_piece){ source, ns };
	event->count++;
	event->ns += ns;
	return 0;
}

/* Returns true if a cause is not left out, or if the kernel itself is the only cause. */
static bool has_cause(const struct taking *taking, const struct evtlog_interruption *of)
{
	bool without = false;

	for (uint32_t i = 0; i < of->parts; i++) {
		uint32_t row = taking->parts[of->first_part + i].source;

		if (taking->rows[row].kind == EVTLOG_SOURCE_ENTRY)
			continue;
		if (!taking->sources->at[taking->numbers[row]].without)
			return true;
		without = true;
	}
	return !without;
}

static int take_interruption(struct taking *taking, const struct evtlog_interruption *of)
{
	int error;

	if (!has_cause(taking, of))
		return 0;
	error = begin_event(taking, of->leave_ticks);
	for (uint32_t i = 0; !error && i < of->parts; i++) {
		const struct evtlog_jitter_part *part = &taking->parts[of->first_part + i];

		error = add_piece(taking, taking->numbers[part->source], part->own_ticks);
	}
	if (!error)
		error = add_piece(taking, taking->crossing, taking->thread->crossing_ticks);
	return error;
}

static int take_inferred(struct taking *taking, const struct evtlog_jitter_sample *sample)
{
	uint64_t behind;
	int error;

	if (!evtlog_jitter_inferred(sample) ||
	    sample->flags & (EVTLOG_JITTER_EXCLUDED | EVTLOG_JITTER_BELOW))
		return 0;
	/* After interruptions, the inferred time ends with the sample. */
	behind = sample->interruptions ? sample->end_ticks - evtlog_jitter_inferred(sample) :
		 sample->begin_ticks;
	error = begin_event(taking, behind);
	if (!error)
		error = add_piece(taking, taking->numbers[sample->inferred_source],
				  evtlog_jitter_inferred(sample));
	return error;
}

static int by_begin(const void *a, const void *b)
{
	const struct traced_event *x = a, *y = b;

	return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static int take_cpu(struct taking *taking, uint64_t window_ns)
{
	const struct evtlog_jitter_thread *thread = taking->thread;
	const struct evtlog_interruption *interruptions;
	const struct evtlog_jitter_sample *samples;
	struct traced_cpu *cpu = taking->cpu;
	size_t count;
	int error = 0;

	interruptions = evtlog_jitter_interruptions(taking->jitter, &count);
	interruptions += thread->first_interruption;
	samples = evtlog_jitter_samples(taking->jitter, &count) + thread->first_sample;
	for (uint32_t i = 0; !error && i < thread->interruptions; i++)
		if (!(interruptions[i].flags & EVTLOG_JITTER_EXCLUDED))
			error = take_interruption(taking, &interruptions[i]);
	for (uint32_t i = 0; !error && i < thread->samples; i++)
		error = take_inferred(taking, &samples[i]);
	if (error)
		return error;
	if (cpu->event_count)
		qsort(cpu->events, cpu->event_count, sizeof(*cpu->events), by_begin);
	error = noise_new(taking->noise, window_ns, cpu->event_count);
	if (error)
		return error;
	for (size_t i = 0; i < cpu->event_count; i++) {
		const struct traced_event *event = &cpu->events[i];

		if (event->begin_ns + event->ns > 0)
			noise_add(taking->noise, llround(fmax(0, event->begin_ns)),
				  llround(event->ns + fmin(0, event->begin_ns)), i);
	}
	return noise_close(taking->noise) ? 0 : -ENODATA;
}

/* The window that all threads have in common. */
static uint64_t common_window(const struct evtlog_jitter_thread *threads, size_t count,
			      uint64_t *from_ns)
{
	uint64_t to_ns = UINT64_MAX;

	*from_ns = 0;
	for (size_t i = 0; i < count; i++) {
		if (threads[i].begin_ns > *from_ns)
			*from_ns = threads[i].begin_ns;
		if (threads[i].end_ns < to_ns)
			to_ns = threads[i].end_ns;
	}
	return count && to_ns > *from_ns ? to_ns - *from_ns : 0;
}

int traced_new(struct traced *traced, const struct evtlog_jitter *jitter, size_t ranks,
	       const struct traced_sources *sources)
{
	struct taking taking = {
		.jitter = jitter, .sources = sources, .crossing = EVTLOG_JITTER_NONE,
	};
	const struct evtlog_jitter_thread *threads;
	uint32_t *numbers = NULL;
	size_t count, source_count;
	int error = -ENODATA;

	*traced = (struct traced){ 0 };
	threads = evtlog_jitter_threads(jitter, &count);
	if (ranks && ranks < count)
		count = ranks;
	traced->window_ns = common_window(threads, count, &taking.from_ns);
	if (!traced->window_ns)
		return error;
	error = -ENOMEM;
	taking.rows = evtlog_jitter_sources(jitter, &source_count);
	numbers = calloc(source_count + 1, sizeof(*numbers));
	traced->cpus = calloc(count, sizeof(*traced->cpus));
	traced->noises = calloc(count, sizeof(*traced->noises));
	if (!numbers || !traced->cpus || !traced->noises)
		goto out;
	for (size_t i = 0; i < source_count; i++) {
		numbers[i] = find_source(sources, &taking.rows[i]);
		if (taking.rows[i].kind == EVTLOG_SOURCE_CROSSING)
			taking.crossing = numbers[i];
	}
	taking.numbers = numbers;
	taking.parts = evtlog_jitter_parts(jitter, &source_count);
	error = 0;
	for (traced->count = 0; !error && traced->count < count;) {
		taking.thread = &threads[traced->count];
		taking.noise = &traced->noises[traced->count];
		taking.cpu = &traced->cpus[traced->count++];
		error = take_cpu(&taking, traced->window_ns);
	}
out:
	free(numbers);
	if (error)
		traced_free(traced);
	return error;
}

void traced_free(struct traced *traced)
{
	for (size_t i = 0; i < traced->count; i++) {
		noise_free(&traced->noises[i]);
		free(traced->cpus[i].events);
		free(traced->cpus[i].pieces);
	}
	free(traced->cpus);
	free(traced->noises);
	*traced = (struct traced){ 0 };
}
