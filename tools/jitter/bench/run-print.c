// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints what `evtlog jitter run` measured, and the cost of logging.
 *
 * Stage: the last step of the command. `evtlog jitter report` shows the sources of the noise.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/json.h"
#include "jitter/dataset.h"
#include "run.h"

static double to_ns(const struct run_phase *phase, uint64_t ticks)
{
	return ticks * 1e9 / phase->hz;
}

static uint64_t window_ticks(const struct run_cpu *cpu)
{
	return cpu->thread.end_ticks - cpu->thread.begin_ticks;
}

/* Noise in ns per second. */
static double rate(const struct run_cpu *cpu)
{
	uint64_t ticks = window_ticks(cpu);

	return ticks ? cpu->noise_ticks * 1e9 / ticks : 0;
}

static double rate_of_all(const struct run_phase *phase)
{
	uint64_t noise = 0, window = 0;

	for (uint32_t i = 0; i < phase->count; i++) {
		noise += phase->cpus[i].noise_ticks;
		window += window_ticks(&phase->cpus[i]);
	}
	return window ? noise * 1e9 / window : NAN;
}

static void json_cpu(struct json *json, const char *key, const struct run_phase *phase,
		     const struct run_cpu *cpu)
{
	json_object(json, key);
	json_double(json, "window_ns", to_ns(phase, window_ticks(cpu)), 0);
	json_u64(json, "rounds", cpu->thread.rounds);
	json_double(json, "base_ns", to_ns(phase, cpu->thread.base_ticks), 2);
	json_u64(json, "samples", cpu->thread.samples);
	json_u64(json, "samples_over_threshold", cpu->over);
	json_u64(json, "dropped_samples", cpu->thread.dropped);
	json_double(json, "noise_ns", to_ns(phase, cpu->noise_ticks), 0);
	json_double(json, "noise_ns_per_s", rate(cpu), 1);
	json_double(json, "noise_below_ns", to_ns(phase, cpu->thread.below_ticks), 0);
	json_double(json, "largest_ns", to_ns(phase, cpu->largest_ticks), 1);
	json_end(json);
}

static void show_json(const struct run_options *options, const struct run_result *result)
{
	const struct run_phase *logged = &result->logged, *unlogged = &result->unlogged;
	double with = rate_of_all(logged), without = rate_of_all(unlogged);
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_string(&json, "directory", result->directory);
	json_string(&json, "log", *result->log ? result->log : NULL);
	json_u64(&json, "run", result->run);
	json_string(&json, "method", dataset_methods[options->bench.method]);
	json_u64(&json, "duration_ns", options->bench.duration_ns);
	json_u64(&json, "threshold_ns", options->bench.threshold_ns);
	json_bool(&json, "interrupted", result->interrupted);
	json_u64(&json, "buffers", result->buffers);
	json_u64(&json, "lost", result->lost);
	json_u64(&json, "ticks_hz", logged->hz ? logged->hz : unlogged->hz);
	json_double(&json, "noise_logged_ns_per_s", with, 1);
	json_double(&json, "noise_unlogged_ns_per_s", without, 1);
	json_double(&json, "disturbance_ratio", without > 0 ? with / without : NAN, 4);
	json_array(&json, "cpus");
	for (uint32_t i = 0; i < (logged->count ? logged->count : unlogged->count); i++) {
		const struct run_cpu *cpu = logged->count ? &logged->cpus[i] : &unlogged->cpus[i];

		json_object(&json, NULL);
		json_u64(&json, "cpu", cpu->thread.cpu);
		json_u64(&json, "pid", cpu->thread.pid);
		if (logged->count)
			json_cpu(&json, "logged", logged, &logged->cpus[i]);
		if (unlogged->count)
			json_cpu(&json, "unlogged", unlogged, &unlogged->cpus[i]);
		json_end(&json);
	}
	json_end(&json);
	json_end(&json);
}

static void print_phase(const struct run_phase *phase, uint32_t number)
{
	const struct run_cpu *cpu;

	if (!phase->count) {
		printf("  %9s %12s %12s", "-", "-", "-");
		return;
	}
	cpu = &phase->cpus[number];
	printf("  %9" PRIu64 " %12.2f %12.2f", cpu->over, rate(cpu) / 1e3,
	       to_ns(phase, cpu->largest_ticks) / 1e3);
}

static void print_ratio(double with, double without)
{
	if (without > 0 && with >= 0)
		printf("  %6.3f\n", with / without);
	else
		printf("  %6s\n", "-");
}

static void print_all(const struct run_phase *phase)
{
	if (phase->count)
		printf("  %9s %12.2f %12s", "", rate_of_all(phase) / 1e3, "");
	else
		printf("  %9s %12s %12s", "", "-", "");
}

static void print_dropped(const struct run_phase *phase, const char *what)
{
	for (uint32_t i = 0; i < phase->count; i++)
		if (phase->cpus[i].thread.dropped)
			printf("CPU %" PRIu32 ", %s: %" PRIu64 " samples dropped: "
			       "use a higher --threshold, or a shorter --duration\n",
			       phase->cpus[i].thread.cpu, what, phase->cpus[i].thread.dropped);
}

static void show_text(const struct run_options *options, const struct run_result *result)
{
	const struct run_phase *logged = &result->logged, *unlogged = &result->unlogged;
	const struct run_phase *there = logged->count ? logged : unlogged;

	printf("Noise above %.2f us, method %s%s\n\n", options->bench.threshold_ns / 1e3,
	       dataset_methods[options->bench.method],
	       result->interrupted ? " (ended early)" : "");
	printf("%4s  %-35s  %-35s  %6s\n", "", "logged -----------------------------",
	       "not logged -------------------------", "logged/");
	printf("%4s  %9s %12s %12s  %9s %12s %12s  %6s\n", "CPU", "samples", "us/s",
	       "max us", "samples", "us/s", "max us", "not");
	for (uint32_t i = 0; i < there->count; i++) {
		printf("%4" PRIu32, there->cpus[i].thread.cpu);
		print_phase(logged, i);
		print_phase(unlogged, i);
		print_ratio(logged->count ? rate(&logged->cpus[i]) : -1,
			    unlogged->count ? rate(&unlogged->cpus[i]) : -1);
	}
	if (there->count > 1) {
		fputs(" all", stdout);
		print_all(logged);
		print_all(unlogged);
		print_ratio(rate_of_all(logged), rate_of_all(unlogged));
	}
	print_dropped(logged, "logged");
	print_dropped(unlogged, "not logged");
	if (result->lost)
		printf("%" PRIu64 " events lost: use more or larger --buffers\n",
		       result->lost);
	printf("\nSamples%s are in %s.\n", *result->log ? " and log" : "",
	       result->directory);
	if (*result->log && logged->count)
		printf("Next: evtlog jitter report %s\n", result->directory);
}

void run_show(const struct run_options *options, const struct run_result *result)
{
	if (options->json)
		show_json(options, result);
	else
		show_text(options, result);
}
