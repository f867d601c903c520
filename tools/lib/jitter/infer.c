// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Time that no record explains: crossings, the hypervisor, the core's other thread, and the machine
 * below the kernel.
 *
 * All of it is inferred, and its sources are marked as inferred.
 *
 * The first record of an interruption is written after the kernel is entered, the last one before
 * it is left.  The time that the processor needs before and after is about the same each time.  It
 * is calibrated as nearly the least residual of samples with exactly one interruption.  The very
 * least could come from a single late reading of the counter or from a base period that was
 * estimated too long.
 */
#include <math.h>

#include "internal.h"

#define CALIBRATION_PERCENT	1

/*
 * A residual is assigned to a source if it is longer than a crossing, so it can be one that the
 * kernel did not see, and longer than this.  Cold caches after an interruption cost less.
 */
#define INFERRED_MIN_NS		50

/*
 * No processor needs this long.  If almost all samples have such a residual, as on a host with more
 * work than CPUs, the time was taken from the CPU.  The cost of a crossing is then unknown.
 */
#define CROSSING_MAX_NS		20000

static int compare_values(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static bool counts(const struct evtlog_jitter_sample *sample)
{
	return !(sample->flags & (EVTLOG_JITTER_EXCLUDED | EVTLOG_JITTER_BELOW));
}

static int calibrate(struct evtlog_jitter *jitter, struct evtlog_jitter_thread *thread)
{
	const struct evtlog_jitter_sample *samples = jitter->samples + thread->first_sample;
	uint64_t *left = reallocarray(NULL, thread->samples + 1, sizeof(*left));
	size_t count = 0;

	if (!left)
		return -ENOMEM;
	for (uint32_t i = 0; i < thread->samples; i++)
		if (counts(&samples[i]) && samples[i].flags & EVTLOG_JITTER_MATCHED)
			left[count++] = samples[i].noise_ticks > samples[i].kernel_ticks ?
					samples[i].noise_ticks - samples[i].kernel_ticks : 0;
	qsort(left, count, sizeof(*left), compare_values);
	thread->crossing_ticks = evtlog_jitter_percentile(left, count, CALIBRATION_PERCENT);
	if (thread->crossing_ticks * jitter->summary.ns_per_tick > CROSSING_MAX_NS)
		thread->crossing_ticks = 0;
	free(left);
	return 0;
}

/* Ticks of [0, @until) in which the CPU was busy.  @hint and @sum continue from call to call. */
static uint64_t busy_until(const struct jitter_turns *turns, uint64_t until, size_t *hint,
			   uint64_t *sum)
{
	while (*hint + 1 < turns->count && turns->at[*hint + 1] <= until) {
		if (*hint % 2 == 0)
			*sum += turns->at[*hint + 1] - turns->at[*hint];
		(*hint)++;
	}
	if (!turns->count || *hint % 2 || turns->at[*hint] >= until)
		return *sum;
	return *sum + until - turns->at[*hint];
}

static bool is_in_list(const char *list, uint32_t cpu)
{
	unsigned long from, to;
	char *end;

	while (*list) {
		from = to = strtoul(list, &end, 10);
		if (end == list)
			return false;
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (cpu >= from && cpu <= to)
			return true;
		list = *end ? end + 1 : end;
	}
	return false;
}

struct sibling {
	const struct jitter_turns *turns;
	size_t hint;
	uint64_t sum;
};

/* Returns true if another CPU of the core was busy during a part of the sample. */
static bool sibling_was_busy(struct sibling *siblings, size_t count,
			     const struct evtlog_jitter_sample *sample)
{
	bool busy = false;

	for (size_t i = 0; i < count; i++) {
		struct sibling *s = &siblings[i];
		uint64_t before = busy_until(s->turns, sample->begin_ticks, &s->hint, &s->sum);

		busy |= busy_until(s->turns, sample->end_ticks, &s->hint, &s->sum) > before;
	}
	return busy;
}

/* Sets the crossings first: sources are inferred from what remains. */
static void set_crossings(struct evtlog_jitter *jitter, const struct evtlog_jitter_thread *thread)
{
	struct evtlog_jitter_sample *sample = jitter->samples + thread->first_sample;

	for (uint32_t i = 0; i < thread->samples; i++, sample++)
		sample->crossing_ticks = llround(thread->crossing_ticks * sample->interruptions);
}

/* @stolen: stolen ticks of each sample's residual */
static int infer_thread(struct evtlog_jitter *jitter, struct evtlog_jitter_thread *thread,
			struct sibling *siblings, size_t sibling_count, double least,
			const uint64_t *stolen)
{
	struct evtlog_jitter_summary *summary = &jitter->summary;
	/* If so, tasks outside the tree may have run on a CPU that seems idle. */
	bool is_of_tree = evtlog_tree_pid(jitter->file);
	uint32_t source;
	int error = 0;

	for (uint32_t i = 0; i < thread->samples && !error; i++) {
		struct evtlog_jitter_sample *sample =
			&jitter->samples[thread->first_sample + i];
		uint64_t largest;
		int64_t residual;

		residual = evtlog_jitter_residual(sample);
		if (!counts(sample))
			continue;
		summary->crossing_ticks += sample->crossing_ticks;
		largest = residual < 0 ? -residual : residual;
		if (largest > summary->max_residual_ticks)
			summary->max_residual_ticks = largest;
		if (sample->crossing_ticks) {
			error = jitter_source(jitter, EVTLOG_SOURCE_CROSSING, 0, &source);
			if (!error)
				jitter_count(&jitter->sources.at[source],
					     sample->crossing_ticks);
		}
		if (error || residual < 0 || residual <= least)
			continue;
		if (stolen[i] > (uint64_t)residual / 2)
			error = jitter_source(jitter, EVTLOG_SOURCE_STOLEN, 0, &source);
		else if (sibling_was_busy(siblings, sibling_count, sample))
			error = jitter_source(jitter, EVTLOG_SOURCE_SMT, 0, &source);
		else
			error = jitter_source(jitter, EVTLOG_SOURCE_HARDWARE,
					      is_of_tree && sibling_count ? JITTER_OR_SMT : 0,
					      &source);
		if (error)
			continue;
		sample->inferred_source = source;
		jitter_count(&jitter->sources.at[source], residual);
	}
	return error;
}

static int infer_track(struct evtlog_jitter *jitter, size_t number, struct sibling *siblings,
		       size_t sibling_count)
{
	struct evtlog_jitter_thread *thread = &jitter->threads[number];
	double least = INFERRED_MIN_NS / jitter->summary.ns_per_tick;
	uint64_t *stolen = calloc(thread->samples + 1, sizeof(*stolen));
	int error = stolen ? 0 : -ENOMEM;

	if (thread->crossing_ticks > least)
		least = thread->crossing_ticks;
	set_crossings(jitter, thread);
	if (!error)
		error = jitter_steal_share(jitter, &jitter->tracks[number], thread, least, stolen);
	if (!error)
		error = infer_thread(jitter, thread, siblings, sibling_count, least, stolen);
	free(stolen);
	return error;
}

int jitter_infer(struct evtlog_jitter *jitter)
{
	struct sibling *siblings = calloc(jitter->turns_count + 1, sizeof(*siblings));
	int error = siblings ? 0 : -ENOMEM;

	for (size_t i = 0; i < jitter->track_count && !error; i++) {
		struct evtlog_jitter_thread *thread = &jitter->threads[i];
		const char *list = jitter_siblings(jitter, thread->cpu);
		size_t count = 0;

		for (size_t k = 0; list && k < jitter->turns_count; k++)
			if (jitter->turns[k].cpu != thread->cpu &&
			    is_in_list(list, jitter->turns[k].cpu))
				siblings[count++] = (struct sibling) {
					.turns = &jitter->turns[k],
				};
		error = calibrate(jitter, thread);
		if (!error)
			error = infer_track(jitter, i, siblings, count);
	}
	for (size_t i = 0; i < jitter->sources.count; i++) {
		struct evtlog_jitter_source *source = &jitter->sources.at[i];

		if (!source->inferred)
			continue;
		source->activations = source->count;
		source->activation_min = source->min_ticks;
		source->activation_max = source->max_ticks;
	}
	free(siblings);
	return error;
}
