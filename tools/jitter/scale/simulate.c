// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Simulates a bulk-synchronous program with recorded noise for each number of nodes, and finds the
 * sources of its delays.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "jitter/statistics/probability.h"
#include "scale.h"

/* ---- The program ---- */

struct rank {
	const struct noise_trace *trace;
	struct noise_place place;
};

/* The recording that a node replays, and its start time in it. */
struct seated {
	size_t kind;
	uint64_t at_ns;
};

static int by_place(const void *a, const void *b)
{
	const struct seated *x = a, *y = b;

	if (x->kind != y->kind)
		return (x->kind > y->kind) - (x->kind < y->kind);
	return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

/*
 * Chooses a random recording and start time for each node, and stores the ranks of all nodes.
 * Returns the number of ranks. The ranks are ordered by position in their trace, so that a phase
 * reads each trace from start to end, which is several times as fast as random access.
 */
static size_t seat(const struct program *program, struct random_state *random,
		   struct seated *seated, struct rank *ranks)
{
	size_t count = 0, first = 0, behind;

	for (uint64_t i = 0; i < program->nodes; i++) {
		seated[i].kind = random_below(random, program->kind_count);
		seated[i].at_ns = random_below(random,
				program->kinds[seated[i].kind].traces[0].window_ns);
	}
	qsort(seated, program->nodes, sizeof(*seated), by_place);
	for (size_t kind = 0; kind < program->kind_count; kind++, first = behind) {
		const struct program_node *node = &program->kinds[kind];

		for (behind = first; behind < program->nodes && seated[behind].kind == kind;)
			behind++;
		for (size_t i = 0; i < node->ranks; i++)
			for (size_t j = first; j < behind; j++)
				ranks[count++] = (struct rank){
					&node->traces[i],
					noise_at(&node->traces[i], seated[j].at_ns),
				};
	}
	return count;
}

static uint64_t phase(const struct program *program, struct rank *ranks, size_t count)
{
	const struct rank *last = ranks;
	uint64_t longest_ns = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t ns = noise_work(ranks[i].trace, &ranks[i].place, program->work_ns);

		if (ns > longest_ns) {
			longest_ns = ns;
			last = &ranks[i];
		}
	}
	if (program->critical && longest_ns > program->work_ns)
		program->critical(program->arg, last->trace, &last->place, longest_ns);
	for (size_t i = 0; i < count; i++)
		noise_advance(ranks[i].trace, &ranks[i].place, longest_ns);
	return longest_ns;
}

static int by_length(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Runs are independent: the variance of their means gives the confidence interval. */
static void interval(const struct program *program, const double *means, unsigned int runs,
		     struct program_result *result)
{
	double sum = 0, squares = 0, half;

	for (unsigned int i = 0; i < runs; i++)
		sum += means[i];
	result->mean_ns = sum / runs;
	result->low_ns = result->high_ns = NAN;
	if (runs < 2)
		return;
	for (unsigned int i = 0; i < runs; i++)
		squares += (means[i] - result->mean_ns) * (means[i] - result->mean_ns);
	half = exact_student(runs - 1, program->level) * sqrt(squares / (runs - 1) / runs);
	result->low_ns = result->mean_ns - half;
	result->high_ns = result->mean_ns + half;
}

int program_run(const struct program *program, struct program_result *result)
{
	unsigned int runs = program->runs < program->phases ? program->runs : program->phases;
	unsigned int each = (program->phases + runs - 1) / runs;
	struct random_state random;
	size_t most = 0;
	struct seated *seated;
	struct rank *ranks;
	double *means;
	int error = -ENOMEM;

	for (size_t i = 0; i < program->kind_count; i++)
		if (program->kinds[i].ranks > most)
			most = program->kinds[i].ranks;
	*result = (struct program_result){ .phases = runs * each };
	means = calloc(runs, sizeof(*means));
	if (!means)
		return error;
	seated = calloc(program->nodes, sizeof(*seated));
	if (!seated)
		goto free_means;
	ranks = calloc(program->nodes * most, sizeof(*ranks));
	if (!ranks)
		goto free_seated;
	result->times_ns = calloc(result->phases, sizeof(*result->times_ns));
	if (!result->times_ns)
		goto free_ranks;
	/* The result for N nodes must not depend on the other numbers of nodes. */
	random_seed(&random, program->seed ^ program->nodes << 32);
	for (unsigned int i = 0; i < runs; i++) {
		size_t count = seat(program, &random, seated, ranks);

		if (count > result->ranks)
			result->ranks = count;
		for (unsigned int j = 0; j < each; j++) {
			uint64_t ns = phase(program, ranks, count);

			result->times_ns[i * each + j] = ns;
			means[i] += (double)ns / each;
		}
	}
	interval(program, means, runs, result);
	qsort(result->times_ns, result->phases, sizeof(*result->times_ns), by_length);
	error = 0;
free_ranks:
	free(ranks);
free_seated:
	free(seated);
free_means:
	free(means);
	return error;
}

void program_free(struct program_result *result)
{
	free(result->times_ns);
	result->times_ns = NULL;
}

uint64_t program_percentile(const struct program_result *result, double share)
{
	double rank = ceil(share * result->phases);

	return result->times_ns[rank < 1 ? 0 : (size_t)rank - 1];
}

/* ---- Numbers of nodes, and the sources of delays ---- */

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
