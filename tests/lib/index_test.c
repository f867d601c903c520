// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Indexes of logs against a model so simple that it is plainly right: who was where at
 * every ns, by evtlog_stream_next() alone.
 *
 * Without arguments on random logs; else on the files named.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include <evtlog/index.h>

#include "../../tools/lib/index.h"
#include "loggen.h"
#include "reading.h"
#include "sample.h"

enum state { IDLE, TASK, SOFTIRQ, IRQ, LOST, STATES };

/* From @from_ns to @until_ns the CPU was in @state. */
struct stretch {
	uint64_t from_ns;
	uint64_t until_ns;
	enum state state;
	uint32_t pid;
};

struct happening {
	uint64_t time_ns;
	enum evtlog_kind kind;
	uint32_t pid;		/* that ran before */
	uint32_t about;
};

/* All of a CPU. */
struct model {
	struct stretch *stretches;
	size_t stretch_count;
	struct happening *happenings;
	size_t happening_count;
	uint64_t begin_ns;
	uint64_t end_ns;
};

static void add_stretch(struct model *model, uint64_t from_ns, uint64_t until_ns,
			enum state state, uint32_t pid)
{
	if (until_ns <= from_ns)
		return;
	/* Doubled at each power of two. */
	if (!(model->stretch_count & (model->stretch_count - 1)))
		model->stretches = reallocarray(model->stretches,
						2 * model->stretch_count + 1,
						sizeof(*model->stretches));
	model->stretches[model->stretch_count++] = (struct stretch) {
		from_ns, until_ns, state, pid,
	};
}

static enum state state_of(const struct evtlog_event *event)
{
	if (event->place == EVTLOG_IN_SOFTIRQ)
		return SOFTIRQ;
	if (event->place != EVTLOG_IN_TASK)
		return IRQ;
	if (event->pid == EVTLOG_PID_UNKNOWN)
		return LOST;
	return event->pid ? TASK : IDLE;
}

/* When which pid became another's. */
struct birth {
	uint64_t time_ns;
	uint32_t pid;
};

static struct birth *births;
static size_t birth_count;

static void add_happening(struct model *model, const struct evtlog_event *event)
{
	struct happening happening = {
		.time_ns = event->time_ns,
		.kind = evtlog_kind_of(event->known),
		.pid = event->pid,
		.about = EVTLOG_PID_UNKNOWN,
	};

	if (event->known == EVTLOG_SCHED_PROCESS_FORK) {
		births = reallocarray(births, birth_count + 1, sizeof(*births));
		births[birth_count++] = (struct birth) {
			event->time_ns, evtlog_record_pid(event->words),
		};
	}
	if (happening.kind <= EVTLOG_KIND_MIGRATION)
		happening.about = evtlog_record_pid(event->words);
	if (!(model->happening_count & (model->happening_count - 1)))
		model->happenings = reallocarray(model->happenings,
						 2 * model->happening_count + 1,
						 sizeof(*model->happenings));
	model->happenings[model->happening_count++] = happening;
}

static void read_model(struct evtlog_file *file, unsigned int slot, struct model *model)
{
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	uint64_t now = 0;

	memset(model, 0, sizeof(*model));
	assert_int_equal(evtlog_stream_new(file, slot, &stream), 0);
	while (evtlog_stream_next(stream, &event) > 0) {
		uint64_t until = event->time_ns;

		if (event->kind == EVTLOG_EVENT_BEGIN) {
			model->begin_ns = now = event->time_ns;
			continue;
		}
		if (event->kind == EVTLOG_EVENT_GAP)
			until = event->from_ns > now ? event->from_ns : now;
		add_stretch(model, now, until, state_of(event), event->pid);
		add_stretch(model, until, event->time_ns, LOST, 0);
		now = event->time_ns;
		if (event->kind == EVTLOG_EVENT_RECORD)
			add_happening(model, event);
	}
	model->end_ns = now;
	evtlog_stream_free(stream);
}

static void split_at(struct model *model, const struct birth *birth)
{
	for (size_t i = 0; i < model->stretch_count; i++) {
		struct stretch *stretch = &model->stretches[i];
		uint64_t until_ns = stretch->until_ns;

		if (stretch->state != TASK || stretch->pid != birth->pid ||
		    stretch->from_ns >= birth->time_ns || until_ns <= birth->time_ns)
			continue;
		add_stretch(model, birth->time_ns, until_ns, TASK, birth->pid);
		/* That may have moved them. */
		stretch = &model->stretches[i];
		stretch->until_ns = birth->time_ns;
		/* The new one goes behind this. */
		memmove(stretch + 2, stretch + 1,
			(model->stretch_count - i - 2) * sizeof(*stretch));
		stretch[1] = (struct stretch) {
			birth->time_ns, until_ns, TASK, birth->pid,
		};
		return;
	}
}

/* So that who ran in a stretch is one task. */
static void split_models(struct model *models, unsigned int cpus)
{
	for (size_t i = 0; i < birth_count; i++)
		for (unsigned int c = 0; c < cpus; c++)
			split_at(&models[c], &births[i]);
	free(births);
	births = NULL;
	birth_count = 0;
}

static void free_model(struct model *model)
{
	free(model->stretches);
	free(model->happenings);
}

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

static uint64_t overlap(const struct stretch *stretch, uint64_t from, uint64_t to)
{
	uint64_t a = stretch->from_ns > from ? stretch->from_ns : from;
	uint64_t b = stretch->until_ns < to ? stretch->until_ns : to;

	return b > a ? b - a : 0;
}

/* The first that is not over by @from. */
static size_t first_stretch(const struct model *model, uint64_t from)
{
	size_t low = 0, high = model->stretch_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (model->stretches[middle].until_ns <= from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t first_happening(const struct model *model, uint64_t from)
{
	size_t low = 0, high = model->happening_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (model->happenings[middle].time_ns < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct truth {
	uint64_t ns[STATES];
	uint64_t known;
	uint64_t *by_task;	/* by id; the last is of those unknown */
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
	for (size_t i = first_stretch(model, from);
	     i < model->stretch_count && model->stretches[i].from_ns < to; i++) {
		const struct stretch *stretch = &model->stretches[i];
		uint64_t ns = overlap(stretch, from, to);

		truth->ns[stretch->state] += ns;
		truth->known += ns;
		if (stretch->state == TASK && ns) {
			uint32_t id = evtlog_index_task_at(index, stretch->pid,
							   stretch->from_ns);

			assert_true(id < tasks);
			truth->by_task[id] += ns;
		}
	}
	for (size_t i = first_happening(model, from);
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

/* How far a share may be off. */
static void near(const char *what, size_t bin, uint64_t from, uint64_t to, uint8_t got,
		 uint8_t wanted, int within)
{
	if (abs(got - wanted) > within)
		differ(what, bin, from, to, got, wanted);
}

static void check_bin(const struct evtlog_index *index, const struct model *model,
		      const struct evtlog_bin *bin, size_t number, uint64_t from,
		      uint64_t to, bool refined, bool few, struct truth *truth)
{
	uint64_t width = to - from;
	uint64_t busy;
	/* What is not flagged is right within the part that may be spread. */
	int within = refined ? 0 : 255 / 4 + 1;

	model_bin(index, model, from, to, truth);
	busy = truth->ns[TASK] + truth->ns[SOFTIRQ] + truth->ns[IRQ];
	if (!!(bin->flags & EVTLOG_BIN_OUTSIDE) != (truth->known < width))
		differ("outside", number, from, to, bin->flags, truth->known);
	if (bin->flags & EVTLOG_BIN_APPROXIMATE) {
		assert_false(refined);
		/* Nothing is left out, though. */
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
	/* Of many leaves' tasks only the busiest are known. */
	if (bin->task < evtlog_index_task_count(index)) {
		uint8_t exact = share(truth->by_task[bin->task], width);

		if (few ? bin->task_share != exact : bin->task_share > exact)
			differ("share", number, from, to, bin->task_share, exact);
	} else {
		assert_int_equal(bin->task_share, 0);
	}
}

static void random_edges(const struct model *model, uint64_t *edges, size_t count,
			 uint64_t *state)
{
	uint64_t all = model->end_ns - model->begin_ns;
	uint64_t width, first, at;

	/* All of it and some more, or down to single ns. */
	width = (all + all / 4) >> (random_next(state) % 40);
	width = width / count + 1;
	first = model->begin_ns > all / 16 ? model->begin_ns - all / 16 : 0;
	at = first + random_next(state) % (all + all / 8 + 1);
	if (random_next(state) % 8 == 0)
		at = first;
	for (size_t i = 0; i <= count; i++) {
		edges[i] = at;
		at += random_next(state) % 16 ? width : random_next(state) % (2 * width);
	}
}

#define BINS	64

static void check_cpu(struct evtlog_index *index, unsigned int slot,
		      const struct model *model, unsigned int rounds, uint64_t *state)
{
	struct truth truth;
	uint64_t edges[BINS + 1];
	struct evtlog_bin bins[BINS];

	truth.by_task = calloc(evtlog_index_task_count(index) + 1, sizeof(uint64_t));
	while (rounds--) {
		random_edges(model, edges, BINS, state);
		for (int refine = 0; refine < 2; refine++) {
			assert_int_equal(evtlog_index_bins(index, slot, edges, BINS,
							   refine, bins), 0);
			for (size_t i = 0; i < BINS; i++) {
				bool few = evtlog_index_count(index, slot, edges[i],
							      edges[i + 1]) < 8000;

				check_bin(index, model, &bins[i], i, edges[i],
					  edges[i + 1], refine, few, &truth);
			}
		}
	}
	free(truth.by_task);
}

static void check_totals(const struct evtlog_index *index, unsigned int slot,
			 const struct model *model)
{
	const struct evtlog_index_cpu *cpu = evtlog_index_cpu(index, slot);
	uint64_t ns[STATES] = { 0 }, counts[EVTLOG_KINDS] = { 0 };

	for (size_t i = 0; i < model->stretch_count; i++)
		ns[model->stretches[i].state] += model->stretches[i].until_ns -
						 model->stretches[i].from_ns;
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
	struct evtlog_bin bins[BINS];
	uint64_t edges[BINS + 1];

	random_edges(&models[random_next(state) % cpus], edges, BINS, state);
	assert_int_equal(evtlog_index_task_bins(index, id, edges, BINS, true, bins), 0);
	for (size_t i = 0; i < BINS; i++) {
		uint64_t all = 0, best = 0;
		uint32_t on = EVTLOG_TASK_UNKNOWN, kinds = 0;

		for (unsigned int c = 0; c < cpus; c++) {
			const struct model *model = &models[c];
			uint64_t ns = 0;

			for (size_t k = first_stretch(model, edges[i]);
			     k < model->stretch_count &&
			     model->stretches[k].from_ns < edges[i + 1]; k++)
				if (model->stretches[k].state == TASK &&
				    model->stretches[k].pid == pid &&
				    evtlog_index_task_at(index, pid,
							 model->stretches[k].from_ns) == id)
					ns += overlap(&model->stretches[k], edges[i],
						      edges[i + 1]);
			all += ns;
			if (ns > best) {
				best = ns;
				on = evtlog_index_cpu(index, c)->cpu;
			}
			for (size_t k = first_happening(model, edges[i]);
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
		for (size_t i = 0; i < models[c].stretch_count; i++) {
			const struct stretch *stretch = &models[c].stretches[i];

			if (stretch->state == TASK)
				run[evtlog_index_task_at(index, stretch->pid,
							 stretch->from_ns)] +=
					stretch->until_ns - stretch->from_ns;
		}
	for (size_t i = 1; i < tasks; i++)
		assert_int_equal(evtlog_index_task(index, i)->run_ns, run[i]);
	free(run);
	while (tasks > 1 && rounds--)
		check_task_bins(index, 1 + random_next(state) % (tasks - 1), models, cpus,
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
		read_model(evtlog_index_file(index), slot, &models[slot]);
	split_models(models, cpus);
	for (unsigned int slot = 0; slot < cpus; slot++) {
		check_totals(index, slot, &models[slot]);
		check_cpu(index, slot, &models[slot], rounds, state);
	}
	check_tasks(index, models, cpus, rounds, state);
	for (unsigned int slot = 0; slot < cpus; slot++)
		free_model(&models[slot]);
	free(models);
	evtlog_index_close(index);
}

/* ---- Random logs ---- */

static char log_path[] = "/tmp/index-test-XXXXXX";
static char index_path[sizeof(log_path) + 4];

static int make_paths(void **arg)
{
	int fd = mkstemp(log_path);

	if (fd < 0)
		return -1;
	close(fd);
	snprintf(index_path, sizeof(index_path), "%s.evx", log_path);
	return 0;
}

static int remove_paths(void **arg)
{
	unlink(log_path);
	unlink(index_path);
	return 0;
}

static void save(struct loggen *gen)
{
	loggen_close(gen);
	assert_int_equal(loggen_save(gen, log_path), 0);
	loggen_free(gen);
}

static struct loggen_options random_options(uint64_t *state)
{
	struct loggen_options options = loggen_defaults();

	options.cpus = 1 + random_next(state) % 4;
	options.buffer_bytes = 4096 << random_next(state) % 5;
	options.compress = random_next(state) % LOGGEN_WAYS;
	return options;
}

static void test_random_logs(void **arg)
{
	uint64_t state = sample_seed() | 1;

	for (int i = 0; i < 30; i++) {
		struct loggen_options options = random_options(&state);
		struct loggen *gen = loggen_new(&options);

		random_log(gen, options.cpus, 1 << (4 + random_next(&state) % 12), &state);
		save(gen);
		check_file(log_path, 10, &state);
	}
}

/* One of few pids, which are used again and again. */
static uint32_t some_pid(uint64_t *state)
{
	return random_next(state) % 12;
}

/* Something happens on @cpu at @now. */
static void happen(struct loggen *gen, unsigned int cpu, uint64_t now, uint64_t *state)
{
	uint64_t words[4] = { some_pid(state), 0, 0, 0 };
	uint32_t pid = some_pid(state);

	switch (random_next(state) % 40) {
	case 0:
		loggen_comm(words + 2, "child");
		words[0] |= words[0] << 32;
		loggen_record(gen, cpu, now, EVTLOG_SCHED_PROCESS_FORK, pid, 5, words);
		break;
	case 1:
		loggen_comm(words, "renamed");
		loggen_record(gen, cpu, now, EVTLOG_TASK_RENAME, pid, 3, words);
		break;
	case 2 ... 5:
		loggen_record(gen, cpu, now, EVTLOG_SCHED_WAKING, pid, 1, NULL);
		break;
	case 6:
		loggen_record(gen, cpu, now, EVTLOG_SCHED_MIGRATE_TASK, pid, 2, words);
		break;
	case 7 ... 9:
		loggen_record(gen, cpu, now, EVTLOG_SOFTIRQ_ENTRY, 1, 1, NULL);
		break;
	case 10 ... 13:
		loggen_record(gen, cpu, now, EVTLOG_SOFTIRQ_EXIT, 1, 1, NULL);
		break;
	case 14 ... 16:
		loggen_record(gen, cpu, now, EVTLOG_LOCAL_TIMER_ENTRY, 236, 1, NULL);
		break;
	case 17 ... 20:
		loggen_record(gen, cpu, now, EVTLOG_LOCAL_TIMER_EXIT, 236, 1, NULL);
		break;
	default:
		loggen_record(gen, cpu, now, EVTLOG_SCHED_SWITCH, pid, 1, NULL);
		break;
	}
}

/* Few pids, long sleeps, many events at one ns, losses. */
static void small_world(struct loggen *gen, unsigned int cpus, unsigned int records,
			uint64_t *state)
{
	uint64_t now[64], span = 1 + random_next(state) % 4000;
	bool lossy = random_next(state) % 2;

	for (unsigned int i = 0; i < cpus; i++) {
		now[i] = 5000000000 + random_next(state) % 1000;
		loggen_begin(gen, i, now[i], i, "small");
	}
	while (records--) {
		unsigned int cpu = random_next(state) % cpus;

		if (random_next(state) % 2)
			now[cpu] += random_next(state) % span;
		if (random_next(state) % 2048 == 0)
			now[cpu] += random_next(state) % 20000000000;
		if (lossy && random_next(state) % 1024 == 0) {
			uint64_t until = now[cpu] + random_next(state) % 100000;

			loggen_lose(gen, cpu, now[cpu], until, 3, some_pid(state), 0);
			now[cpu] = until;
		}
		happen(gen, cpu, now[cpu], state);
		if (random_next(state) % 4096 == 0)
			for (int i = 0; i < 1500; i++)
				happen(gen, cpu, now[cpu], state);
	}
	for (unsigned int i = 0; i < cpus; i++)
		loggen_end(gen, i, now[i] + random_next(state) % 2);
}

static void test_small_worlds(void **arg)
{
	uint64_t state = sample_seed() | 1;

	for (int i = 0; i < 30; i++) {
		struct loggen_options options = random_options(&state);
		struct loggen *gen = loggen_new(&options);

		small_world(gen, options.cpus, 1 << (6 + random_next(&state) % 11), &state);
		save(gen);
		check_file(log_path, 10, &state);
	}
}

/* ---- Seeking ---- */

static void same_event(const struct evtlog_event *got, const struct evtlog_event *wanted)
{
	assert_int_equal(got->time_ns, wanted->time_ns);
	assert_int_equal(got->known, wanted->known);
	assert_int_equal(got->pid, wanted->pid);
	if (wanted->words)
		assert_int_equal(got->words[0], wanted->words[0]);
}

static bool begins_buffer(const struct evtlog_event *event)
{
	return event->kind == EVTLOG_EVENT_BEGIN || event->kind == EVTLOG_EVENT_BUFFER ||
	       event->kind == EVTLOG_EVENT_GAP;
}

/* From wherever it is begun, a stream gives what it gives when it is read on. */
static void test_seeking(void **arg)
{
	uint64_t state = sample_seed() | 1;
	struct loggen_options options = loggen_defaults();
	struct loggen *gen = loggen_new(&options);
	struct evtlog_error error;
	struct evtlog_file *file;

	small_world(gen, options.cpus, 20000, &state);
	save(gen);
	assert_int_equal(evtlog_open(log_path, &file, &error), 0);
	for (int i = 0; i < 60; i++) {
		unsigned int slot = random_next(&state) % options.cpus;
		struct evtlog_stream *whole, *sought;
		const struct evtlog_event *a, *b;
		uint64_t at = evtlog_begin_ns(file) - 5 + random_next(&state) %
			      (evtlog_end_ns(file) - evtlog_begin_ns(file) + 10);
		unsigned int number = 0, starts = 0;
		uint64_t start = 0;

		assert_int_equal(evtlog_stream_new(file, slot, &whole), 0);
		assert_int_equal(evtlog_stream_new(file, slot, &sought), 0);
		/* The last buffer that begins by then, seen when all is read. */
		while (evtlog_stream_next(whole, &a) > 0 &&
		       (a->time_ns <= at || a->kind == EVTLOG_EVENT_BEGIN))
			if (begins_buffer(a)) {
				start = a->time_ns;
				number++;
			}
		evtlog_stream_free(whole);
		assert_int_equal(evtlog_stream_seek(sought, at), 0);
		assert_int_equal(evtlog_stream_next(sought, &b), 1);
		assert_int_equal(b->kind, EVTLOG_EVENT_BEGIN);
		assert_int_equal(b->time_ns, start);
		assert_int_equal(evtlog_stream_new(file, slot, &whole), 0);
		while (starts < number) {
			assert_int_equal(evtlog_stream_next(whole, &a), 1);
			starts += begins_buffer(a);
		}
		for (int n = 0; n < 1000; n++) {
			int more = evtlog_stream_next(whole, &a);

			assert_int_equal(evtlog_stream_next(sought, &b), more);
			if (!more)
				break;
			same_event(b, a);
		}
		evtlog_stream_free(whole);
		evtlog_stream_free(sought);
	}
	evtlog_close(file);
}

/* ---- Hostile files ---- */

static uint8_t *read_file(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes;

	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	*length = ftell(file);
	rewind(file);
	bytes = malloc(*length + 1);
	assert_int_equal(fread(bytes, 1, *length, file), *length);
	fclose(file);
	return bytes;
}

static void write_file(const char *path, const uint8_t *bytes, size_t length)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	fclose(file);
}

/* Checksums prove nothing against who writes them. */
static void seal(uint8_t *bytes, size_t length)
{
	struct index_header header;
	uint64_t at;

	if (length < sizeof(header))
		return;
	memcpy(&header, bytes, sizeof(header));
	at = header.directory_offset + header.cpus * (uint64_t)sizeof(struct index_cpu);
	for (uint32_t i = 0; i < header.chunks; i++, at += sizeof(struct index_chunk)) {
		struct index_chunk chunk;
		uint64_t chunk_length;

		if (at > length || length - at < sizeof(chunk))
			break;
		memcpy(&chunk, bytes + at, sizeof(chunk));
		if (chunk.leaves > INDEX_CHUNK_LEAVES)
			continue;
		chunk_length = index_chunk_bytes(chunk.leaves) +
			       ((chunk.roster_bytes + UINT64_C(7)) & ~UINT64_C(7));
		if (chunk.offset > length || chunk_length > length - chunk.offset)
			continue;
		chunk.crc32 = crc32(0, bytes + chunk.offset, chunk_length);
		memcpy(bytes + at, &chunk, sizeof(chunk));
	}
	if (header.directory_offset <= length &&
	    header.directory_bytes <= length - header.directory_offset)
		header.directory_crc32 = crc32(0, bytes + header.directory_offset,
					       header.directory_bytes);
	header.crc32 = 0;
	header.crc32 = crc32(0, (uint8_t *)&header, sizeof(header));
	memcpy(bytes, &header, sizeof(header));
}

/* Asks for all there is; whatever comes back, it must come back. */
static void use(struct evtlog_index *index, uint64_t *state)
{
	struct model span = { .begin_ns = UINT64_MAX };
	struct evtlog_bin bins[BINS];
	uint64_t edges[BINS + 1];

	span.begin_ns = evtlog_begin_ns(evtlog_index_file(index));
	span.end_ns = evtlog_end_ns(evtlog_index_file(index));
	for (int i = 0; i < 6; i++) {
		random_edges(&span, edges, BINS, state);
		if (i == 5) {
			for (int k = 0; k <= BINS; k++)
				edges[k] = UINT64_MAX / BINS * k;
		}
		for (unsigned int slot = 0; evtlog_index_cpu(index, slot); slot++) {
			evtlog_index_bins(index, slot, edges, BINS, i % 2, bins);
			evtlog_index_count(index, slot, edges[0], edges[BINS]);
		}
		for (uint32_t id = 0; id < 8; id++) {
			evtlog_index_task_bins(index, id, edges, BINS, i % 2, bins);
			evtlog_index_task(index, id);
			evtlog_index_task_at(index, id, edges[3]);
		}
	}
}

static void spoil(uint8_t *bytes, size_t *length, uint64_t *state)
{
	unsigned int times = 1 + random_next(state) % 8;

	if (random_next(state) % 16 == 0)
		*length = random_next(state) % *length;
	while (times-- && *length >= 8) {
		/* Heads and tails matter most. */
		size_t at = random_next(state) % 4 ? random_next(state) % *length :
			    random_next(state) % 2 ? random_next(state) % 128 :
			    *length - random_next(state) % 4096;
		uint64_t value = random_next(state) % 3 ? random_next(state) :
				 random_next(state) % 2 ? UINT64_MAX : 0;
		size_t count = 1 << random_next(state) % 4;

		if (at >= *length || count > *length - at)
			continue;
		memcpy(bytes + at, &value, count);
	}
}

static void test_hostile_files(void **arg)
{
	uint64_t state = sample_seed() | 1;
	struct evtlog_index_options options = { .threads = 2 };
	unsigned int taken = 0;

	for (int i = 0; i < 12; i++) {
		struct loggen_options log_options = random_options(&state);
		struct loggen *gen = loggen_new(&log_options);
		struct evtlog_index *index;
		uint8_t *bytes, *spoiled;
		size_t length;

		small_world(gen, log_options.cpus, 10000, &state);
		save(gen);
		options.anew = true;
		assert_int_equal(evtlog_index_open(log_path, &options, &index, NULL), 0);
		assert_string_equal(evtlog_index_origin(index)->path, index_path);
		evtlog_index_close(index);
		options.anew = false;
		bytes = read_file(index_path, &length);
		spoiled = malloc(length);
		for (int k = 0; k < 60; k++) {
			size_t now = length;

			memcpy(spoiled, bytes, length);
			spoil(spoiled, &now, &state);
			/* Half of them show by their checksums. */
			if (k % 2)
				seal(spoiled, now);
			write_file(index_path, spoiled, now);
			assert_int_equal(evtlog_index_open(log_path, &options, &index,
							   NULL), 0);
			taken += !evtlog_index_origin(index)->built;
			if (k % 2)
				use(index, &state);
			else
				assert_true(evtlog_index_origin(index)->built ||
					    !memcmp(spoiled, bytes, length));
			evtlog_index_close(index);
		}
		free(spoiled);
		free(bytes);
	}
	/* Or nothing was tried. */
	assert_true(taken > 50);
}

/* ---- Many ---- */

static void test_many_at_once(void **arg)
{
	enum { MANY = 512 };
	static struct evtlog_index *indexes[MANY];
	struct loggen_options options = loggen_defaults();
	struct loggen *gen;
	uint64_t state = 7, edges[3];
	struct evtlog_bin bins[2];

	options.cpus = 8;
	gen = loggen_new(&options);
	small_world(gen, options.cpus, 4000, &state);
	save(gen);
	for (int i = 0; i < MANY; i++)
		assert_int_equal(evtlog_index_open(log_path, NULL, &indexes[i], NULL), 0);
	for (int i = 0; i < MANY; i++) {
		edges[0] = evtlog_begin_ns(evtlog_index_file(indexes[i]));
		edges[1] = edges[0] + 100000;
		edges[2] = edges[1] + 100000;
		for (unsigned int slot = 0; slot < options.cpus; slot++)
			assert_int_equal(evtlog_index_bins(indexes[i], slot, edges, 2, true,
							   bins), 0);
	}
	for (int i = 0; i < MANY; i++)
		evtlog_index_close(indexes[i]);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_logs),
		cmocka_unit_test(test_small_worlds),
		cmocka_unit_test(test_seeking),
		cmocka_unit_test(test_hostile_files),
		cmocka_unit_test(test_many_at_once),
	};
	uint64_t state = 1;

	if (argc == 1)
		return cmocka_run_group_tests(tests, make_paths, remove_paths);
	for (int i = 1; i < argc; i++)
		check_file(argv[i], 100, &state);
	return 0;
}
