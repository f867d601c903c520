// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs the benchmark, with or without a recording, and saves its samples.
 *
 * Stage: between the benchmark and its files.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "record/workload.h"
#include "run.h"

#define NS_PER_S	1000000000ULL
/* By then, the logger has done the work that the start of a run causes. */
#define SETTLE_NS	50000000

struct watch {
	struct progress progress;
	struct timespec begin;
};

static void on_second(void *arg)
{
	struct watch *watch = arg;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	progress_update(&watch->progress, (now.tv_sec - watch->begin.tv_sec) * NS_PER_S +
			now.tv_nsec - watch->begin.tv_nsec);
}

/* Runs the benchmark's threads. Returns 0, -EINTR or the error of a thread. */
static int measure(struct bench *bench, const char *what)
{
	struct watch watch;
	int error;

	progress_begin(&watch.progress, what, bench->options->duration_ns);
	clock_gettime(CLOCK_MONOTONIC, &watch.begin);
	bench_go(bench);
	/* Without a terminal, avoid the wake-ups for showing the progress. */
	error = bench_wait(bench, watch.progress.terminal ? on_second : NULL, &watch);
	progress_end(&watch.progress);
	return error;
}

static void sum_up(struct run_cpu *cpu, const struct evtlog_samples *samples, uint32_t number)
{
	const struct evtlog_samples_thread *thread = evtlog_samples_thread(samples, number);
	const struct evtlog_sample *sample = evtlog_samples_of(samples, number);

	cpu->thread = *thread;
	for (uint64_t i = 0; i < thread->samples; i++) {
		uint64_t noise = evtlog_sample_noise(samples, thread, &sample[i]);

		if (noise <= thread->threshold_ticks)
			continue;
		cpu->over++;
		cpu->noise_ticks += noise;
		if (noise > cpu->largest_ticks)
			cpu->largest_ticks = noise;
	}
}

/* Reads the saved file, so that the output shows what is in the file. */
static int read_back(struct run_phase *phase, const char *path)
{
	struct evtlog_samples *samples;
	struct evtlog_error why;
	int error = evtlog_samples_open(path, &samples, &why);

	if (error) {
		pr_err("%s: %s", path, why.reason);
		return error;
	}
	phase->count = evtlog_samples_header(samples)->threads;
	phase->hz = evtlog_samples_header(samples)->ticks_hz;
	phase->cpus = calloc(phase->count, sizeof(*phase->cpus));
	if (!phase->cpus)
		error = -ENOMEM;
	for (uint32_t i = 0; i < phase->count && !error; i++)
		sum_up(&phase->cpus[i], samples, i);
	evtlog_samples_close(samples);
	return error;
}

static int write_samples(const struct bench *bench, const char *path, const char *text,
			 uint32_t flags, uint64_t hz)
{
	struct samples_file file = {
		.flags = flags,
		.method = bench->options->method,
		.ticks_hz = hz,
		.text = text,
		.count = bench->count,
	};
	struct evtlog_samples_thread *threads = calloc(bench->count, sizeof(*threads));
	const struct evtlog_sample **samples = calloc(bench->count, sizeof(*samples));
	int error = threads && samples ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < bench->count && !error; i++) {
		threads[i] = bench->threads[i].result;
		samples[i] = bench->threads[i].samples;
	}
	file.threads = threads;
	file.samples = samples;
	if (!error)
		error = samples_save(path, &file);
	free(samples);
	free(threads);
	if (error)
		pr_err("%s: %s", path, strerror(-error));
	return error;
}

/* State of a phase, from its start until its samples are saved. */
struct keeping {
	const struct run_options *options;
	const struct cpus *cpus;
	const struct control_status *status;
	struct ticks_at begin;
	uint64_t started_ns;
	uint64_t stolen_ms;
};

static void keep_begin(struct keeping *keeping)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	keeping->started_ns = now.tv_sec * NS_PER_S + now.tv_nsec;
	keeping->stolen_ms = cpus_stolen_ms(keeping->cpus);
	keeping->begin = ticks_at_now();
}

static int keep(const struct keeping *keeping, const struct bench *bench, uint64_t run,
		struct run_result *result, const struct ticks_at *end)
{
	const struct run_options *options = keeping->options;
	uint64_t stolen_ms = cpus_stolen_ms(keeping->cpus);
	const struct description description = {
		.options = &options->bench,
		.cpus = keeping->cpus,
		.boot_id = keeping->status->boot_id,
		.run = run,
		.command = options->command,
		.started_ns = keeping->started_ns,
		.stolen_ms = stolen_ms - keeping->stolen_ms,
		/* If nothing was stolen since boot, the kernel may have no steal clock. */
		.has_stolen = stolen_ms,
	};
	char path[PATH_MAX];
	char *text = describe_machine(&description);
	int error;

	if (!text) {
		pr_err("%s", strerror(ENOMEM));
		return -ENOMEM;
	}
	snprintf(path, sizeof(path), "%.*s/%s", PATH_MAX - 32, result->directory,
		 run ? "logged.samples" : "unlogged.samples");
	error = write_samples(bench, path, text, run ? EVTLOG_SAMPLES_LOGGED : 0,
			      ticks_hz(&keeping->begin, end));
	free(text);
	if (!error)
		error = read_back(run ? &result->logged : &result->unlogged, path);
	return error;
}

int phase_run_unlogged(const struct run_options *options, const struct cpus *cpus,
		       const struct control_status *status, struct run_result *result)
{
	struct keeping keeping = { .options = options, .cpus = cpus, .status = status };
	struct ticks_at end;
	struct bench bench;
	int error = bench_start(&bench, &options->bench, cpus, false);

	if (!error) {
		keep_begin(&keeping);
		error = measure(&bench, "measuring, nothing logged");
		end = ticks_at_now();
	}
	result->interrupted = error == -EINTR;
	if (!error || result->interrupted)
		error = keep(&keeping, &bench, 0, result, &end);
	bench_end(&bench);
	return error ? EXIT_FAILED : EXIT_OK;
}

/* Runs the benchmark within a run. Returns 0, -EINTR or the error. */
static int measure_logged(struct recording *recording, struct bench *bench)
{
	const struct timespec settle = { .tv_nsec = SETTLE_NS };
	int error = recording_start(recording), stopped;

	if (error)
		return error;
	nanosleep(&settle, NULL);
	error = measure(bench, "measuring, with the log");
	stopped = recording_stop(recording);
	return error && error != -EINTR ? error : stopped ? stopped : error;
}

/* Returns true if the run lasted as long as the benchmark; else prints a warning. */
static bool went_on(const struct bench *bench)
{
	for (uint32_t i = 0; i < bench->count; i++) {
		const struct evtlog_samples_thread *thread = &bench->threads[i].result;

		if (thread->end.run == thread->begin.run)
			continue;
		pr_warn("run %" PRIu64 " was stopped before the benchmark ended: reports exclude later samples",
		       thread->begin.run);
		return false;
	}
	return true;
}

/* Fills in run and log of @result; links or copies the log to the directory if needed. */
static int take_log(const struct recording *recording, struct run_result *result)
{
	const struct logger_file *file = &recording->file;

	result->run = recording->after.run;
	result->buffers = file->buffers;
	result->lost = recording->lost;
	return output_dir_bring(file->path, result->directory, result->log);
}

int phase_run_logged(const struct run_options *options, const struct cpus *cpus,
		     const struct control_status *status, struct run_result *result)
{
	struct keeping keeping = { .options = options, .cpus = cpus, .status = status };
	int error, collected;
	struct recording recording;
	struct ticks_at end;
	struct bench bench;

	control_say_tree();
	control_say_sampler();
	if (recording_begin(&recording, &options->recording))
		return EXIT_FAILED;
	error = bench_start(&bench, &options->bench, cpus, true);
	if (!error) {
		keep_begin(&keeping);
		error = measure_logged(&recording, &bench);
		end = ticks_at_now();
	}
	result->interrupted = error == -EINTR;
	if (error && !result->interrupted) {
		/* First, as its open files lock the buffers. */
		bench_end(&bench);
		recording_end(&recording);
		return EXIT_FAILED;
	}
	collected = recording_collect(&recording);
	recording_end(&recording);
	if (collected != EXIT_FAILED && take_log(&recording, result))
		collected = EXIT_FAILED;
	if (!went_on(&bench) && collected == EXIT_OK)
		collected = EXIT_EVENTS_LOST;
	error = 0;
	/* Without the log, the samples still show the amount of noise. */
	if (recording.after.run)
		error = keep(&keeping, &bench, recording.after.run, result, &end);
	bench_end(&bench);
	return error ? EXIT_FAILED : collected;
}
