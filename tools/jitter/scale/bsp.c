// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Simulates a bulk-synchronous program with recorded noise.
 *
 * Stage: between the noise of CPUs and `evtlog jitter scale`. The caller finds the sources of the
 * noise.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "bsp.h"
#include "jitter/statistics/probability.h"

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
