// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Simulates a program for each number of nodes, and finds the sources of its delays.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scale.h"

/* Runs are independent; the confidence interval is from their means. */
#define RUNS		20
/* Without --phases: this many phases, summed over all ranks, within these limits. */
#define RANK_PHASES	20000000
#define PHASES_LEAST	500
#define PHASES_MOST	50000

const double scale_percents[SCALE_PERCENTILES] = { 50, 90, 99, 99.9, 100 };

/*
 * State while a point is simulated.
 * @of_phase:	noise in the current phase, by source
 */
struct blaming {
	const struct scale *scale;
	struct scale_point *point;
	const struct traced_cpu *cpu;
	const struct noise_trace *noise;
	double *of_phase;
};

static void blame_event(void *arg, size_t i, uint64_t ns)
{
	struct blaming *blaming = arg;
	const struct traced_event *event = &blaming->cpu->events[blaming->noise->tags[i]];

	/* If only a part of the interruption was met, each source has its share of it. */
	for (uint32_t j = 0; j < event->count; j++) {
		const struct traced_piece *piece = &blaming->cpu->pieces[event->first + j];

		blaming->of_phase[piece->source] += ns * piece->ns / event->ns;
	}
}

/* The CPU of @trace. */
static const struct traced_cpu *cpu_of(const struct scale *scale,
				       const struct noise_trace *trace)
{
	for (size_t i = 0; i < scale->count; i++) {
		const struct traced *traced = &scale->traced[i];

		if (trace >= traced->noises && trace < traced->noises + traced->count)
			return &traced->cpus[trace - traced->noises];
	}
	abort();
}

static void blame_phase(void *arg, const struct noise_trace *trace,
			const struct noise_place *place, uint64_t elapsed_ns)
{
	struct blaming *blaming = arg;
	struct scale_point *point = blaming->point;
	size_t count = blaming->scale->sources.count, largest = 0;

	memset(blaming->of_phase, 0, count * sizeof(*blaming->of_phase));
	blaming->cpu = cpu_of(blaming->scale, trace);
	blaming->noise = trace;
	noise_met(trace, place, elapsed_ns, blame_event, blaming);
	for (size_t i = 0; i < count; i++) {
		point->blames[i].delay_ns += blaming->of_phase[i];
		if (blaming->of_phase[i] > blaming->of_phase[largest])
			largest = i;
	}
	point->blames[largest].phases++;
	point->delay_ns += elapsed_ns - blaming->scale->opts->work_ns;
	point->late_phases++;
}

static int by_delay(const void *a, const void *b)
{
	const struct scale_blame *x = a, *y = b;

	return (x->delay_ns < y->delay_ns) - (x->delay_ns > y->delay_ns);
}

static void sort_blames(struct scale_point *point, size_t count)
{
	if (count)
		qsort(point->blames, count, sizeof(*point->blames), by_delay);
	while (count && !point->blames[count - 1].phases &&
	       !(point->blames[count - 1].delay_ns > 0))
		count--;
	point->blame_count = count;
}

static unsigned int phases(const struct scale *scale, uint64_t nodes)
{
	size_t most = 1;

	if (scale->opts->phases)
		return scale->opts->phases;
	for (size_t i = 0; i < scale->count; i++)
		if (scale->kinds[i].ranks > most)
			most = scale->kinds[i].ranks;
	return fmax(PHASES_LEAST, fmin(PHASES_MOST, (double)RANK_PHASES / nodes / most));
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void summarize(const struct scale *scale, struct scale_point *point)
{
	struct program_result *result = &point->result;
	double work_ns = scale->opts->work_ns;

	point->slowdown = result->mean_ns / work_ns;
	point->low = result->low_ns / work_ns;
	point->high = result->high_ns / work_ns;
	for (unsigned int i = 0; i < SCALE_PERCENTILES; i++)
		point->percentiles_ns[i] =
			program_percentile(result, scale_percents[i] / 100);
	point->covered = scale->cpu_ns / (result->ranks * result->mean_ns);
	sort_blames(point, scale->sources.count);
	program_free(result);
}

static int run_point(struct scale *scale, struct scale_point *point, double *of_phase)
{
	struct blaming blaming = { .scale = scale, .point = point, .of_phase = of_phase };
	struct program program = {
		.kinds = scale->kinds, .kind_count = scale->count, .nodes = point->nodes,
		.work_ns = scale->opts->work_ns, .phases = phases(scale, point->nodes),
		.runs = RUNS, .seed = scale->opts->seed, .level = scale->opts->level,
		.critical = blame_phase, .arg = &blaming,
	};
	double begin_s = now_s();
	int error;

	point->blames = calloc(scale->sources.count + 1, sizeof(*point->blames));
	if (!point->blames)
		return -ENOMEM;
	for (size_t i = 0; i < scale->sources.count; i++)
		point->blames[i].source = i;
	error = program_run(&program, &point->result);
	if (error)
		return error;
	summarize(scale, point);
	point->took_s = now_s() - begin_s;
	return 0;
}

int scale_run(struct scale *scale)
{
	double *of_phase = calloc(scale->sources.count + 1, sizeof(*of_phase));
	int error = of_phase ? 0 : -ENOMEM;

	scale->points = calloc(scale->opts->node_count, sizeof(*scale->points));
	if (!scale->points)
		error = -ENOMEM;
	while (!error && scale->point_count < scale->opts->node_count) {
		struct scale_point *point = &scale->points[scale->point_count];

		point->nodes = scale->opts->nodes[scale->point_count++];
		error = run_point(scale, point, of_phase);
	}
	free(of_phase);
	return error;
}
