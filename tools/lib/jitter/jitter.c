// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * OS jitter from a log and samples: the public functions.
 *
 * Stage: checks that log and samples belong together, has the log replayed, matched and summed up,
 * and keeps the results.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

/* Elements that are moved before memory is freed */
#define MOVED_AT_ONCE	65536

int jitter_fail(struct evtlog_jitter *jitter, int result, const char *reason, ...)
{
	va_list arguments;

	if (jitter->error) {
		va_start(arguments, reason);
		vsnprintf(jitter->error->reason, sizeof(jitter->error->reason), reason,
			  arguments);
		va_end(arguments);
		jitter->error->offset = 0;
	}
	return result;
}

const char *jitter_siblings(const struct evtlog_jitter *jitter, uint32_t cpu)
{
	char key[24];

	if (!jitter->samples_file)
		return NULL;
	snprintf(key, sizeof(key), "smt.%u", cpu);
	return evtlog_samples_meta(jitter->samples_file, key);
}

/* The first tick of the clock that is not before @ns. */
static uint64_t ticks_at(const struct clock *clock, uint64_t ns)
{
	uint64_t low = 0, high = UINT64_MAX;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (clock_ns(clock, middle) < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct clock *thread_clock(const struct evtlog_jitter *jitter, size_t thread)
{
	unsigned int slot = jitter->tracks[thread].slot;

	return file_clock(jitter->file, slot == NO_SLOT ? 0 : slot);
}

/* Shrinks the window to whole samples.  Interruptions of a partial sample would be in no sample. */
static void cut_no_sample(const struct evtlog_samples *samples, size_t number,
			  struct evtlog_jitter_thread *thread)
{
	uint64_t begin = thread->begin_ticks, end = thread->end_ticks;
	uint64_t count = evtlog_samples_thread(samples, number)->samples;
	const struct evtlog_sample *sample = evtlog_samples_of(samples, number);

	for (uint64_t i = 0; i < count && sample[i].begin_ticks < end; i++) {
		if (sample[i].begin_ticks < begin && sample[i].end_ticks > begin)
			thread->begin_ticks = sample[i].end_ticks;
		if (sample[i].end_ticks > end)
			thread->end_ticks = sample[i].begin_ticks;
	}
}

/* Limits the window to the requested times, in ticks. */
static void cut_window(struct evtlog_jitter *jitter, size_t number)
{
	const struct evtlog_jitter_options *options = &jitter->options;
	struct evtlog_jitter_thread *thread = &jitter->tracks[number].thread;
	const struct clock *clock = thread_clock(jitter, number);
	uint64_t ticks;

	if (options->from_ns) {
		ticks = ticks_at(clock, options->from_ns);
		if (ticks > thread->begin_ticks)
			thread->begin_ticks = ticks;
	}
	if (options->to_ns) {
		ticks = ticks_at(clock, options->to_ns);
		if (ticks < thread->end_ticks)
			thread->end_ticks = ticks;
	}
	if (jitter->samples_file && (options->from_ns || options->to_ns))
		cut_no_sample(jitter->samples_file, number, thread);
	if (thread->end_ticks < thread->begin_ticks)
		thread->end_ticks = thread->begin_ticks;
	thread->begin_ns = clock_ns(clock, thread->begin_ticks);
	thread->end_ns = clock_ns(clock, thread->end_ticks);
	jitter->tracks[number].until_ticks = thread->end_ticks;
}

static int check_run(struct evtlog_jitter *jitter)
{
	const char *boot = evtlog_samples_meta(jitter->samples_file, "boot_id");
	uint8_t id[16];
	size_t digits = 0;

	if (boot) {
		memset(id, 0, sizeof(id));
		for (; *boot && digits < 32; boot++) {
			const char *hex = "0123456789abcdef", *at = strchr(hex, *boot | 0x20);

			if (*boot == '-' || !at)
				continue;
			id[digits / 2] |= (at - hex) << (digits % 2 ? 0 : 4);
			digits++;
		}
		if (digits == 32 && memcmp(id, evtlog_boot_id(jitter->file), 16))
			return jitter_fail(jitter, -EXDEV,
					   "the samples were taken on another host, or before another boot");
	}
	for (size_t i = 0; i < jitter->track_count; i++) {
		const struct evtlog_samples_thread *from =
			evtlog_samples_thread(jitter->samples_file, i);

		if (from->begin.run && from->begin.run != evtlog_run(jitter->file))
			return jitter_fail(jitter, -EXDEV,
					   "the samples are of run %llu, the log is of run %llu",
					   (unsigned long long)from->begin.run,
					   (unsigned long long)evtlog_run(jitter->file));
	}
	return 0;
}

static int tracks_of_samples(struct evtlog_jitter *jitter)
{
	const struct evtlog_samples_header *header =
		evtlog_samples_header(jitter->samples_file);

	jitter->track_count = header->threads;
	jitter->tracks = calloc(jitter->track_count + 1, sizeof(*jitter->tracks));
	if (!jitter->tracks)
		return -ENOMEM;
	for (size_t i = 0; i < jitter->track_count; i++) {
		const struct evtlog_samples_thread *from =
			evtlog_samples_thread(jitter->samples_file, i);
		struct jitter_track *track = &jitter->tracks[i];

		if (!from->pid)
			return jitter_fail(jitter, -EINVAL,
					   "a thread of the samples has no pid");
		track->slot = file_slot(jitter->file, from->cpu);
		track->thread = (struct evtlog_jitter_thread) {
			.cpu = from->cpu,
			.pid = from->pid,
			.begin_ticks = from->begin_ticks,
			.end_ticks = from->end_ticks,
			.period_ticks = header->method == EVTLOG_SAMPLES_LOOP ?
					from->base_ticks : 0,
			.threshold_ticks = from->threshold_ticks,
		};
		/* After the last stored sample, the program's measurements are missing. */
		if (from->dropped && from->samples)
			track->thread.end_ticks = evtlog_samples_of(
				jitter->samples_file, i)[from->samples - 1].end_ticks;
		cut_window(jitter, i);
	}
	return check_run(jitter);
}

/* Ticks of a time, limited to the log */
static uint64_t ticks_in(const struct evtlog_jitter *jitter, uint64_t ns)
{
	uint64_t begin_ns = evtlog_begin_ns(jitter->file), end_ns = evtlog_end_ns(jitter->file);

	return ticks_at(file_clock(jitter->file, 0), ns < begin_ns ? begin_ns :
						     ns > end_ns ? end_ns : ns);
}

static int check_span(struct evtlog_jitter *jitter, const struct evtlog_jitter_span *span)
{
	if (span->pid)
		return 0;
	if (evtlog_tree_pid(jitter->file))
		return jitter_fail(jitter, -EINVAL,
				   "pid 0 is outside the log's tree: idle, or a task that is not in the tree");
	return jitter_fail(jitter, -EINVAL, "pid 0 is idle, and never in user mode");
}

/* Makes a track for each span, except those outside of the requested times. */
static int tracks_of_spans(struct evtlog_jitter *jitter)
{
	const struct evtlog_jitter_options *options = &jitter->options;
	uint64_t last_ns = options->to_ns ? options->to_ns : UINT64_MAX;

	if (jitter->file->clock_count > 1)
		return jitter_fail(jitter, -EOPNOTSUPP,
				   "the CPUs' counters differ: a task can't be followed from one to another");
	jitter->tracks = calloc(jitter->span_count + 1, sizeof(*jitter->tracks));
	if (!jitter->tracks)
		return -ENOMEM;
	for (size_t i = 0; i < jitter->span_count; i++) {
		const struct evtlog_jitter_span *span = &jitter->spans[i];
		struct jitter_track *track = &jitter->tracks[jitter->track_count];
		int error = check_span(jitter, span);

		if (error)
			return error;
		if (span->to_ns <= options->from_ns || span->from_ns >= last_ns)
			continue;
		track->slot = NO_SLOT;
		track->thread = (struct evtlog_jitter_thread) {
			.cpu = UINT32_MAX,
			.pid = span->pid,
			.begin_ticks = ticks_in(jitter, span->from_ns),
			.end_ticks = ticks_in(jitter, span->to_ns),
		};
		cut_window(jitter, jitter->track_count);
		track->until_ticks = ticks_in(jitter, last_ns);
		jitter->track_count++;
	}
	return 0;
}

/* Prepares the list of the CPUs that share a core with a measured CPU. */
static int prepare_turns(struct evtlog_jitter *jitter)
{
	unsigned int count = evtlog_cpu_count(jitter->file);
	bool wanted = false;

	for (size_t i = 0; i < jitter->track_count; i++)
		wanted |= !!jitter_siblings(jitter, jitter->tracks[i].thread.cpu);
	if (!wanted)
		return 0;
	jitter->turns = calloc(count + 1, sizeof(*jitter->turns));
	if (!jitter->turns)
		return -ENOMEM;
	jitter->turns_count = count;
	for (unsigned int slot = 0; slot < count; slot++)
		jitter->turns[slot].cpu = evtlog_cpu_number(jitter->file, slot);
	return 0;
}

/*
 * Appends an array of a track to the common array with @count of @capacity elements.  Moves from
 * the end and frees moved memory, so there are never two full copies.
 */
static void *append(void *to, size_t count, size_t capacity, void *from, size_t more, size_t size)
{
	void *all;

	if (!count) {
		all = reallocarray(from, capacity + 1, size);
		if (all)
			free(to);
		return all;
	}
	while (more) {
		size_t some = more < MOVED_AT_ONCE ? more : MOVED_AT_ONCE;
		void *rest;

		more -= some;
		memcpy((char *)to + (count + more) * size, (char *)from + more * size,
		       some * size);
		rest = more ? realloc(from, more * size) : NULL;
		if (rest)
			from = rest;
	}
	free(from);
	return to;
}

static int take_track(struct evtlog_jitter *jitter, struct jitter_track *track,
		      size_t interruptions, size_t parts)
{
	void *all;

	all = append(jitter->interruptions, jitter->interruption_count, interruptions,
		     track->interruptions, track->count, sizeof(*track->interruptions));
	if (!all)
		return -ENOMEM;
	track->interruptions = NULL;
	jitter->interruptions = all;
	all = append(jitter->parts, jitter->part_count, parts, track->parts,
		     track->part_count, sizeof(*track->parts));
	if (!all)
		return -ENOMEM;
	track->parts = NULL;
	jitter->parts = all;
	for (size_t k = 0; k < track->count; k++)
		jitter->interruptions[jitter->interruption_count + k].first_part +=
			jitter->part_count;
	jitter->interruption_count += track->count;
	jitter->part_count += track->part_count;
	return 0;
}

/* Unites the tracks' arrays: the first array grows, and the others are moved into it. */
static int unite(struct evtlog_jitter *jitter)
{
	size_t interruptions = 0, parts = 0;
	int error = 0;

	for (size_t i = 0; i < jitter->track_count; i++) {
		interruptions += jitter->tracks[i].count;
		parts += jitter->tracks[i].part_count;
	}
	if (interruptions >= EVTLOG_JITTER_NONE || parts >= EVTLOG_JITTER_NONE)
		return jitter_fail(jitter, -EOVERFLOW, "too many interruptions");
	jitter->threads = calloc(jitter->track_count + 1, sizeof(*jitter->threads));
	if (!jitter->threads)
		return -ENOMEM;
	for (size_t i = 0; i < jitter->track_count && !error; i++) {
		struct jitter_track *track = &jitter->tracks[i];

		track->thread.first_interruption = jitter->interruption_count;
		track->thread.interruptions = track->count;
		jitter->threads[i] = track->thread;
		error = take_track(jitter, track, interruptions, parts);
	}
	return error;
}

static int build(struct evtlog_jitter *jitter)
{
	int error;

	if (!jitter->samples_file && !jitter->span_count)
		return jitter_fail(jitter, -EINVAL, "neither samples nor tasks are given");
	error = jitter->samples_file ? tracks_of_samples(jitter) : tracks_of_spans(jitter);
	if (!error)
		error = prepare_turns(jitter);
	if (!error)
		error = jitter_replay(jitter);
	if (!error)
		error = unite(jitter);
	if (!error)
		error = jitter_match(jitter);
	if (!error)
		error = jitter_statistics(jitter);
	if (!error)
		error = jitter_infer(jitter);
	if (!error)
		error = jitter_sort_sources(jitter);
	if (!error)
		error = jitter_find_periods(jitter);
	if (!error)
		error = jitter_find_patterns(jitter);
	if (!error)
		error = jitter_find_chains(jitter);
	return error;
}

static int make(struct evtlog_file *file, const struct evtlog_samples *samples,
		const struct evtlog_jitter_span *spans, size_t count,
		const struct evtlog_jitter_options *options, struct evtlog_jitter **jitterp,
		struct evtlog_error *error)
{
	struct evtlog_jitter *jitter = calloc(1, sizeof(*jitter));
	int result;

	*jitterp = NULL;
	if (error)
		*error = (struct evtlog_error) { 0 };
	if (!jitter)
		return -ENOMEM;
	jitter->file = file;
	jitter->samples_file = samples;
	jitter->spans = spans;
	jitter->span_count = count;
	jitter->error = error;
	if (options)
		jitter->options = *options;
	result = build(jitter);
	if (result) {
		if (error && !error->reason[0])
			jitter_fail(jitter, result, "%s", strerror(-result));
		evtlog_jitter_free(jitter);
		return result;
	}
	/* Owned by the caller, who may free them now. */
	jitter->error = NULL;
	jitter->options.pids = NULL;
	jitter->options.joined = NULL;
	jitter->samples_file = NULL;
	jitter->spans = NULL;
	*jitterp = jitter;
	return 0;
}

int evtlog_jitter_new(struct evtlog_file *file, const struct evtlog_samples *samples,
		      const struct evtlog_jitter_options *options,
		      struct evtlog_jitter **jitterp, struct evtlog_error *error)
{
	size_t count = options && !samples ? options->pid_count : 0;
	struct evtlog_jitter_span *spans = calloc(count + 1, sizeof(*spans));
	int result;

	*jitterp = NULL;
	if (!spans)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		spans[i] = (struct evtlog_jitter_span) { options->pids[i], 0, UINT64_MAX };
	result = make(file, samples, spans, count, options, jitterp, error);
	free(spans);
	return result;
}

int evtlog_jitter_new_of(struct evtlog_file *file, const struct evtlog_jitter_span *spans,
			 size_t count, const struct evtlog_jitter_options *options,
			 struct evtlog_jitter **jitterp, struct evtlog_error *error)
{
	return make(file, NULL, spans, count, options, jitterp, error);
}

void evtlog_jitter_free(struct evtlog_jitter *jitter)
{
	if (!jitter)
		return;
	for (size_t i = 0; jitter->tracks && i < jitter->track_count; i++) {
		free(jitter->tracks[i].interruptions);
		free(jitter->tracks[i].parts);
		free(jitter->tracks[i].losses);
	}
	free(jitter->tracks);
	for (size_t i = 0; i < jitter->turns_count; i++)
		free(jitter->turns[i].at);
	free(jitter->turns);
	for (unsigned int i = 0; i < jitter->steals_count; i++)
		free(jitter->steals[i].at);
	free(jitter->steals);
	jitter_sources_free(&jitter->sources);
	jitter_patterns_free(&jitter->patterns);
	jitter_patterns_free(&jitter->chains);
	free(jitter->threads);
	free(jitter->interruptions);
	free(jitter->parts);
	free(jitter->samples);
	free(jitter);
}

const struct evtlog_jitter_summary *
evtlog_jitter_summary(const struct evtlog_jitter *jitter)
{
	return &jitter->summary;
}

const struct evtlog_jitter_thread *
evtlog_jitter_threads(const struct evtlog_jitter *jitter, size_t *count)
{
	*count = jitter->track_count;
	return jitter->threads;
}

const struct evtlog_jitter_source *
evtlog_jitter_sources(const struct evtlog_jitter *jitter, size_t *count)
{
	*count = jitter->sources.count;
	return jitter->sources.at;
}

const struct evtlog_interruption *
evtlog_jitter_interruptions(const struct evtlog_jitter *jitter, size_t *count)
{
	*count = jitter->interruption_count;
	return jitter->interruptions;
}

const struct evtlog_jitter_part *
evtlog_jitter_parts(const struct evtlog_jitter *jitter, size_t *count)
{
	*count = jitter->part_count;
	return jitter->parts;
}

const struct evtlog_jitter_sample *
evtlog_jitter_samples(const struct evtlog_jitter *jitter, size_t *count)
{
	*count = jitter->sample_count;
	return jitter->samples;
}

double evtlog_jitter_ns(const struct evtlog_jitter *jitter, double ticks)
{
	return ticks * jitter->summary.ns_per_tick;
}

uint64_t evtlog_jitter_time_ns(const struct evtlog_jitter *jitter, size_t thread,
			       uint64_t ticks)
{
	return clock_ns(thread_clock(jitter, thread), ticks);
}

uint64_t evtlog_jitter_percentile(const uint64_t *sorted, size_t count, double percent)
{
	double rank = ceil(percent / 100 * (double)count);

	if (!count)
		return 0;
	if (!(rank >= 1))
		return sorted[0];
	return sorted[rank >= (double)count ? count - 1 : (size_t)rank - 1];
}
