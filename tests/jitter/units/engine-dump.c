// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * engine-dump LOG SAMPLES | LOG pid N... - prints all that the library attributes, in ticks.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/jitter.h>

static int fail(const char *what, int error, const struct evtlog_error *why)
{
	fprintf(stderr, "engine-dump: %s: %s: %s\n", what, strerror(-error), why->reason);
	return 1;
}

static void dump_parts(const struct evtlog_jitter *jitter)
{
	size_t count, ignored;
	const struct evtlog_interruption *at = evtlog_jitter_interruptions(jitter, &count);
	const struct evtlog_jitter_part *parts = evtlog_jitter_parts(jitter, &ignored);
	const struct evtlog_jitter_source *sources = evtlog_jitter_sources(jitter, &ignored);

	for (size_t i = 0; i < count; i++) {
		printf("interruption %u %" PRIu64 " %" PRIu64 " %x %" PRId32 "\n",
		       at[i].thread, at[i].leave_ticks, at[i].enter_ticks, at[i].flags,
		       (int32_t)at[i].sample);
		for (uint32_t k = 0; k < at[i].parts; k++) {
			const struct evtlog_jitter_part *part = &parts[at[i].first_part + k];

			printf("part %" PRIu64 " %" PRIu64 " %" PRIu64 " %u %d %s\n",
			       part->begin_ticks, part->end_ticks, part->own_ticks,
			       part->pid, part->activation, sources[part->source].name);
		}
	}
}

static void dump_rest(const struct evtlog_jitter *jitter)
{
	const struct evtlog_jitter_summary *summary = evtlog_jitter_summary(jitter);
	size_t count;
	const struct evtlog_jitter_sample *sample = evtlog_jitter_samples(jitter, &count);
	const struct evtlog_jitter_source *source;
	const struct evtlog_jitter_thread *thread;

	for (size_t i = 0; i < count; i++, sample++)
		printf("sample %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		       " %" PRIu64 " %" PRId64 " %u %x %" PRIu64 "\n",
		       sample->thread, sample->begin_ticks, sample->end_ticks,
		       sample->noise_ticks, sample->kernel_ticks, sample->parts_ticks,
		       sample->crossing_ticks, evtlog_jitter_residual(sample),
		       sample->interruptions, sample->flags, evtlog_jitter_inferred(sample));
	source = evtlog_jitter_sources(jitter, &count);
	for (size_t i = 0; i < count; i++, source++)
		printf("source %d %d %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		       " %.3f %" PRIu64 " %" PRIu64 " %" PRIu64 " %.3f %.3f %.4f %.3f %s\n",
		       source->family, source->kind, source->inferred, source->count,
		       source->min_ticks, source->max_ticks, source->total_ticks,
		       source->sum_squares, source->activations, source->activation_min,
		       source->activation_max, source->period_ticks, source->phase_ticks,
		       source->period_share, source->period_spread, source->name);
	thread = evtlog_jitter_threads(jitter, &count);
	for (size_t i = 0; i < count; i++, thread++)
		printf("thread %u %u %" PRIu64 " %" PRIu64 " %u %u %.3f\n",
		       thread->cpu, thread->pid, thread->lost, thread->lost_ticks,
		       thread->interruptions, thread->samples, thread->crossing_ticks);
	printf("summary %.9f %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	       " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
	       summary->ns_per_tick, summary->samples, summary->matched, summary->excluded,
	       summary->interruptions, summary->unseen, summary->missed,
	       summary->noise_ticks, summary->kernel_ticks, summary->crossing_ticks,
	       summary->max_residual_ticks);
}

int main(int argc, char **argv)
{
	struct evtlog_jitter_options options = { 0 };
	struct evtlog_samples *samples = NULL;
	struct evtlog_jitter *jitter;
	struct evtlog_error why = { 0 };
	struct evtlog_file *file;
	uint32_t pids[64];
	int error;

	if (argc < 3 || argc > 64) {
		fprintf(stderr, "Usage: engine-dump LOG SAMPLES | LOG pid N...\n");
		return 2;
	}
	options.by_task = getenv("BY_TASK");
	error = evtlog_open(argv[1], &file, &why);
	if (error)
		return fail(argv[1], error, &why);
	if (!strcmp(argv[2], "pid")) {
		for (int i = 3; i < argc; i++)
			pids[options.pid_count++] = strtoul(argv[i], NULL, 10);
		options.pids = pids;
	} else {
		error = evtlog_samples_open(argv[2], &samples, &why);
		if (error)
			return fail(argv[2], error, &why);
	}
	error = evtlog_jitter_new(file, samples, &options, &jitter, &why);
	if (error)
		return fail("jitter", error, &why);
	dump_parts(jitter);
	dump_rest(jitter);
	evtlog_jitter_free(jitter);
	evtlog_samples_close(samples);
	evtlog_close(file);
	return 0;
}
