// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measures how long the bins of all CPUs of a log take, at zooms from the whole log down to ns.
 *
 * Run by index-figures.  Prints, for each zoom, the median of several places, in ms of CPU time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <evtlog/index.h>

#define ROUNDS	9

static uint64_t random_state = 88172645463325252u;

static uint64_t random64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static double cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static int compare(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare);
	return values[count / 2];
}

/* One picture: @pixels bins of @cpus CPUs; returns its CPU time in ms. */
static double draw(struct evtlog_index *index, unsigned int cpus, size_t pixels,
		   uint64_t from_ns, uint64_t width_ns, uint64_t *edges,
		   struct evtlog_bin *bins, size_t *approximate)
{
	double began = cpu_ms();

	for (size_t i = 0; i <= pixels; i++)
		edges[i] = from_ns + i * width_ns;
	for (unsigned int slot = 0; slot < cpus; slot++) {
		if (evtlog_index_bins(index, slot, edges, pixels, false, bins))
			exit(1);
		for (size_t i = 0; i < pixels; i++)
			*approximate += bins[i].flags & EVTLOG_BIN_APPROXIMATE;
	}
	return cpu_ms() - began;
}

int main(int argc, char **argv)
{
	size_t pixels = argc > 2 ? strtoul(argv[2], NULL, 10) : 1600;
	struct evtlog_index *index;
	struct evtlog_error error = { 0 };
	uint64_t begin_ns = UINT64_MAX, end_ns = 0, events = 0, *edges;
	const struct evtlog_index_cpu *cpu;
	struct evtlog_bin *bins;
	unsigned int cpus = 0;
	double worst = 0, opened = cpu_ms();

	if (argc < 2) {
		fprintf(stderr, "Usage: index_figures FILE [PIXELS]\n");
		return 2;
	}
	if (evtlog_index_open(argv[1], NULL, &index, &error)) {
		fprintf(stderr, "index_figures: %s: %s\n", argv[1], error.reason);
		return 1;
	}
	opened = cpu_ms() - opened;
	for (; (cpu = evtlog_index_cpu(index, cpus)); cpus++) {
		events += cpu->events;
		if (cpu->begin_ns < begin_ns)
			begin_ns = cpu->begin_ns;
		if (cpu->end_ns > end_ns)
			end_ns = cpu->end_ns;
	}
	if (cpus > 16)
		cpus = 16;
	edges = calloc(pixels + 1, sizeof(*edges));
	bins = calloc(pixels, sizeof(*bins));
	printf("# %" PRIu64 " events, %u CPUs, %zu pixels, index of %" PRIu64
	       " bytes, opened in %.1f ms%s\n", events, cpus, pixels,
	       evtlog_index_origin(index)->bytes, opened,
	       evtlog_index_origin(index)->built ? " (built)" : "");
	for (uint64_t width = (end_ns - begin_ns) / pixels + 1;; width /= 4) {
		double ms[ROUNDS], middle;
		size_t approximate = 0;
		uint64_t span = width * pixels;

		for (int i = 0; i < ROUNDS; i++) {
			uint64_t room = end_ns - begin_ns > span ?
					end_ns - begin_ns - span : 0;
			uint64_t from = begin_ns + (room ? random64() % room : 0);

			ms[i] = draw(index, cpus, pixels, from, width, edges, bins,
				     &approximate);
		}
		middle = median(ms, ROUNDS);
		if (middle > worst)
			worst = middle;
		printf("%" PRIu64 "\t%.2f\t%.0f\n", width, middle,
		       100.0 * approximate / (ROUNDS * cpus * pixels));
		if (width <= 1)
			break;
	}
	printf("worst\t%.2f\n", worst);
	free(edges);
	free(bins);
	evtlog_index_close(index);
	return 0;
}
