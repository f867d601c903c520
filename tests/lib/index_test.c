// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bins, tasks and sums of indexes equal a model of every ns. Without arguments on random logs, else
 * on the named files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/index.h>

#include "../support/loggen.h"
#include "cpu-model.h"
#include "sample.h"
#include "worlds.h"

static uint8_t share(uint64_t ns, uint64_t width)
{
	long double exact;

	if (!ns)
		return 0;
	if (ns >= width)
		return 255;
	exact = (long double)ns * 255 / width + 0.5L;
	return exact < 1 ? 1 : exact >= 255 ? 254 : (uint8_t)exact;
}

struct truth {
	uint64_t ns[STATES];
	uint64_t known;
	uint64_t *by_task;	/* by id; the last is for unknown tasks */
	uint32_t kinds;
};

static void model_bin(const struct evtlog_index *index, const struct model *model,
		      uint64_t from, uint64_t to, struct truth *truth)
{
	size_t tasks = evtlog_index_task_count(index);

	memset(truth->ns, 0, sizeof(truth->ns));
	memset(truth->by_task, 0, (tasks + 1) * sizeof(*truth->by_task));
	truth->known = 0;
	truth->kinds = 0;
	for (size_t i = model_segment(model, from);
	     i < model->segment_count && model->segments[i].from_ns < to; i++) {
		const struct segment *segment = &model->segments[i];
		uint64_t ns = segment_overlap(segment, from, to);

		truth->ns[segment->state] += ns;
		truth->known += ns;
		if (segment->state == TASK && ns) {
			uint32_t id = evtlog_index_task_at(index, segment->pid,
							   segment->from_ns);

			assert_true(id < tasks);
			truth->by_task[id] += ns;
		}
	}
	for (size_t i = model_happening(model, from);
	     i < model->happening_count && model->happenings[i].time_ns < to; i++)
		truth->kinds |= 1u << model->happenings[i].kind;
}

static uint32_t most(const struct evtlog_index *index, const struct truth *truth)
{
	size_t tasks = evtlog_index_task_count(index);
	uint32_t best = truth->known > truth->ns[LOST] ? 0 : EVTLOG_TASK_UNKNOWN;
	uint64_t ns = 0;

	for (size_t i = 0; i < tasks; i++)
		if (truth->by_task[i] > ns) {
			ns = truth->by_task[i];
			best = i;
		}
	return best;
}

static void differ(const char *what, size_t bin, uint64_t from, uint64_t to,
		   uint64_t got, uint64_t wanted)
{
	fail_msg("bin %zu [%" PRIu64 ", +%" PRIu64 "): %s is %" PRIu64 ", not %" PRIu64,
		 bin, from, to - from, what, got, wanted);
}

/* Fails if a share is off by more than @within. */
static void near(const char *what, size_t bin, uint64_t from, uint64_t to, uint8_t got,
		 uint8_t wanted, int within)
{
	if (abs(got - wanted) > within)
		differ(what, bin, from, to, got, wanted);
}

static void check_bin(const struct evtlog_index *index, const struct evtlog_bin *bin,
		      size_t number, uint64_t from, uint64_t to, bool refined, bool few,
		      const struct truth *truth)
{
	uint64_t width = to - from;
	uint64_t busy;
	/* Without APPROXIMATE, the error is at most a quarter of the bin, which may be spread. */
	int within = refined ? 0 : 255 / 4 + 1;

	busy = truth->ns[TASK] + truth->ns[SOFTIRQ] + truth->ns[IRQ];
	if (!!(bin->flags & EVTLOG_BIN_OUTSIDE) != (truth->known < width))
		differ("outside", number, from, to, bin->flags, truth->known);
	if (bin->flags & EVTLOG_BIN_APPROXIMATE) {
		assert_false(refined);
		/* No kind of event is left out. */
		assert_int_equal(truth->kinds & ~bin->kinds, 0);
		return;
	}
	near("busy", number, from, to, bin->busy, share(busy, width), within);
	near("irq", number, from, to, bin->irq, share(truth->ns[IRQ], width), within);
	near("softirq", number, from, to, bin->softirq,
	     share(truth->ns[SOFTIRQ], width), within);
	near("lost", number, from, to, bin->lost, share(truth->ns[LOST], width), within);
	if (refined ? truth->kinds != bin->kinds : !!(truth->kinds & ~bin->kinds))
		differ("kinds", number, from, to, bin->kinds, truth->kinds);
	if (!refined)
		return;
	if (few) {
		uint32_t best = most(index, truth);

		if (bin->task != best)
			differ("task", number, from, to, bin->task, best);
	}
	/* In bins of many leaves, only the busiest tasks are known. */
	if (bin->task < evtlog_index_task_count(index)) {
		uint8_t exact = share(truth->by_task[bin->task], width);

		if (few ? bin->task_share != exact : bin->task_share > exact)
			differ("share", number, from, to, bin->task_share, exact);
	} else {
		assert_int_equal(bin->task_share, 0);
	}
}

static void check_cpu(struct evtlog_index *index, unsigned int slot,
		      const struct model *model, unsigned int rounds, uint64_t *state)
{
	struct truth truth;
	uint64_t edges[BINS + 1];
	struct evtlog_bin bins[2][BINS];

	truth.by_task = calloc(evtlog_index_task_count(index) + 1, sizeof(uint64_t));
	while (rounds--) {
		random_edges(model->begin_ns, model->end_ns, edges, BINS, state);
		for (int refine = 0; refine < 2; refine++)
			assert_int_equal(evtlog_index_bins(index, slot, edges, BINS,
							   refine, bins[refine]), 0);
		for (size_t i = 0; i < BINS; i++) {
			bool few = evtlog_index_count(index, slot, edges[i], edges[i + 1]) < 8000;

			model_bin(index, model, edges[i], edges[i + 1], &truth);
			for (int refine = 0; refine < 2; refine++)
				check_bin(index, &bins[refine][i], i, edges[i], edges[i + 1],
					  refine, few, &truth);
		}
	}
	free(truth.by_task);
}

/*
 * Adjacent bins of one width cut the same leaf at their edge. The error of one bin is the opposite
 * of the next bin's error: the sum is right, except for rounding.
 */
static void check_sum(const char *what, const struct evtlog_bin *bins, size_t offset,
		      size_t count, uint64_t width, uint64_t exact_ns)
{
	long double wanted = (long double)exact_ns * 255 / width;
	/* Shares are rounded, or kept from 0 and 255. Each part of a cut loses part of a ns. */
	long double within = count * (1 + 6 * 255.0L / width);
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += *((const uint8_t *)&bins[i] + offset);
	if (fabsl(sum - wanted) > within)
		fail_msg("%zu bins of %" PRIu64 " ns: %s is %.3f of 255, not %.3f", count, width,
			 what, (double)sum / count, (double)(wanted / count));
}

static void check_sums(struct evtlog_index *index, unsigned int slot,
		       const struct model *model, unsigned int rounds, uint64_t *state)
{
	struct truth truth;
	uint64_t edges[BINS + 1];
	struct evtlog_bin bins[BINS];

	truth.by_task = calloc(evtlog_index_task_count(index) + 1, sizeof(uint64_t));
	while (rounds--) {
		size_t count = 1 + xorshift(state) % BINS;
		uint64_t width = (model->end_ns - model->begin_ns) / count;

		if (!width)
			continue;
		for (size_t i = 0; i <= count; i++)
			edges[i] = model->begin_ns + i * width;
		assert_int_equal(evtlog_index_bins(index, slot, edges, count, false, bins), 0);
		model_bin(index, model, edges[0], edges[count], &truth);
		check_sum("busy", bins, offsetof(struct evtlog_bin, busy), count, width,
			  truth.ns[TASK] + truth.ns[SOFTIRQ] + truth.ns[IRQ]);
		check_sum("irq", bins, offsetof(struct evtlog_bin, irq), count, width,
			  truth.ns[IRQ]);
		check_sum("softirq", bins, offsetof(struct evtlog_bin, softirq), count, width,
			  truth.ns[SOFTIRQ]);
		check_sum("lost", bins, offsetof(struct evtlog_bin, lost), count, width,
			  truth.ns[LOST]);
	}
	free(truth.by_task);
}

static void check_totals(const struct evtlog_index *index, unsigned int slot,
			 const struct model *model)
{
	const struct evtlog_index_cpu *cpu = evtlog_index_cpu(index, slot);
	uint64_t ns[STATES] = { 0 }, counts[EVTLOG_KINDS] = { 0 };

	for (size_t i = 0; i < model->segment_count; i++)
		ns[model->segments[i].state] += model->segments[i].until_ns -
						 model->segments[i].from_ns;
	for (size_t i = 0; i < model->happening_count; i++)
		counts[model->happenings[i].kind]++;
	assert_int_equal(cpu->begin_ns, model->begin_ns);
	assert_int_equal(cpu->end_ns, model->end_ns);
	assert_int_equal(cpu->events, model->happening_count);
	assert_int_equal(cpu->idle_ns, ns[IDLE]);
	assert_int_equal(cpu->unknown_ns, ns[LOST]);
	assert_int_equal(cpu->irq_ns, ns[IRQ]);
	assert_int_equal(cpu->softirq_ns, ns[SOFTIRQ]);
	assert_int_equal(cpu->busy_ns, ns[IRQ] + ns[SOFTIRQ] + ns[TASK]);
	assert_memory_equal(cpu->counts, counts, sizeof(counts));
	assert_int_equal(evtlog_index_count(index, slot, 0, UINT64_MAX), cpu->events);
}

/* ---- Tasks ---- */

static void check_task_bins(struct evtlog_index *index, uint32_t id,
			    const struct model *models, unsigned int cpus,
			    uint64_t *state)
{
	uint32_t pid = evtlog_index_task(index, id)->pid;
	const struct model *about;
	struct evtlog_bin bins[BINS];
	uint64_t edges[BINS + 1];

	about = &models[xorshift(state) % cpus];
	random_edges(about->begin_ns, about->end_ns, edges, BINS, state);
	assert_int_equal(evtlog_index_task_bins(index, id, edges, BINS, true, bins), 0);
	for (size_t i = 0; i < BINS; i++) {
		uint64_t all = 0, best = 0;
		uint32_t on = EVTLOG_TASK_UNKNOWN, kinds = 0;

		for (unsigned int c = 0; c < cpus; c++) {
			const struct model *model = &models[c];
			uint64_t ns = 0;

			for (size_t k = model_segment(model, edges[i]);
			     k < model->segment_count &&
			     model->segments[k].from_ns < edges[i + 1]; k++)
				if (model->segments[k].state == TASK &&
				    model->segments[k].pid == pid &&
				    evtlog_index_task_at(index, pid,
							 model->segments[k].from_ns) == id)
					ns += segment_overlap(&model->segments[k], edges[i],
							      edges[i + 1]);
			all += ns;
			if (ns > best) {
				best = ns;
				on = evtlog_index_cpu(index, c)->cpu;
			}
			for (size_t k = model_happening(model, edges[i]);
			     k < model->happening_count &&
			     model->happenings[k].time_ns < edges[i + 1]; k++) {
				const struct happening *h = &model->happenings[k];

				if ((h->about == pid ||
				     (h->kind == EVTLOG_KIND_SWITCH && h->pid == pid)) &&
				    evtlog_index_task_at(index, pid, h->time_ns) == id)
					kinds |= 1u << h->kind;
			}
		}
		if (bins[i].busy != share(all, edges[i + 1] - edges[i]) ||
		    bins[i].task_share != bins[i].busy)
			differ("task's busy", i, edges[i], edges[i + 1], bins[i].busy,
			       share(all, edges[i + 1] - edges[i]));
		if (bins[i].task != on)
			differ("task's CPU", i, edges[i], edges[i + 1], bins[i].task, on);
		if (bins[i].kinds != kinds)
			differ("task's kinds", i, edges[i], edges[i + 1], bins[i].kinds,
			       kinds);
	}
}

static void check_tasks(struct evtlog_index *index, const struct model *models,
			unsigned int cpus, unsigned int rounds, uint64_t *state)
{
	size_t tasks = evtlog_index_task_count(index);
	uint64_t *run = calloc(tasks + 1, sizeof(*run));

	for (unsigned int c = 0; c < cpus; c++)
		for (size_t i = 0; i < models[c].segment_count; i++) {
			const struct segment *segment = &models[c].segments[i];

			if (segment->state == TASK)
				run[evtlog_index_task_at(index, segment->pid,
							 segment->from_ns)] +=
					segment->until_ns - segment->from_ns;
		}
	for (size_t i = 1; i < tasks; i++)
		assert_int_equal(evtlog_index_task(index, i)->run_ns, run[i]);
	free(run);
	while (tasks > 1 && rounds--)
		check_task_bins(index, 1 + xorshift(state) % (tasks - 1), models, cpus,
				state);
}

static void check_file(const char *path, unsigned int rounds, uint64_t *state)
{
	struct evtlog_index_options options = { .in_memory = true, .threads = 2 };
	struct evtlog_error error = { 0 };
	struct evtlog_index *index;
	struct model *models;
	unsigned int cpus;

	if (evtlog_index_open(path, &options, &index, &error))
		fail_msg("%s: %s", path, error.reason);
	cpus = evtlog_cpu_count(evtlog_index_file(index));
	models = calloc(cpus, sizeof(*models));
	for (unsigned int slot = 0; slot < cpus; slot++)
		model_read(evtlog_index_file(index), slot, &models[slot]);
	models_split(models, cpus);
	for (unsigned int slot = 0; slot < cpus; slot++) {
		check_totals(index, slot, &models[slot]);
		check_cpu(index, slot, &models[slot], rounds, state);
		check_sums(index, slot, &models[slot], rounds, state);
	}
	check_tasks(index, models, cpus, rounds, state);
	for (unsigned int slot = 0; slot < cpus; slot++)
		model_free(&models[slot]);
	free(models);
	evtlog_index_close(index);
}

/* ---- Random logs ---- */

static void test_random_logs(void **arg)
{
	uint64_t state = sample_seed() | 1;

	for (int i = 0; i < 30; i++) {
		struct loggen_options options = random_options(&state);
		struct loggen *gen = loggen_new(&options);

		random_log(gen, options.cpus, 1 << (4 + xorshift(&state) % 12), &state);
		save_log(gen);
		check_file(log_path, 10, &state);
	}
}

static void test_small_worlds(void **arg)
{
	uint64_t state = sample_seed() | 1;

	for (int i = 0; i < 30; i++) {
		struct loggen_options options = random_options(&state);
		struct loggen *gen = loggen_new(&options);

		small_world(gen, options.cpus, 1 << (6 + xorshift(&state) % 11), &state);
		save_log(gen);
		check_file(log_path, 10, &state);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_logs),
		cmocka_unit_test(test_small_worlds),
	};
	uint64_t state = 1;

	if (argc == 1)
		return cmocka_run_group_tests(tests, make_paths, remove_paths);
	for (int i = 1; i < argc; i++)
		check_file(argv[i], 100, &state);
	return 0;
}
