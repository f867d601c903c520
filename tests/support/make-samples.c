// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a log of the sampler's passes over tasks that move at random, and a separate file with the
 * data of each pass. Some passes lack records. Before some passes the sampler is restarted.
 *
 * Stage: makes input for tests of programs that read samples. The log depends only on the options.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loggen.h"
#include "options.h"
#include "seed.h"

#define CPUS_MAX	8
#define TASKS_MAX	100
#define FIRST_PID	100
#define SAMPLER_PID	7
#define RECORD_NS	100

enum id { ID_PASS = 1, ID_CPU, ID_TASK, ID_POLICY, IDS };

/*
 * The missing records of a pass
 * FATE_TASK, FATE_CPU:	a record, which the pass counts as lost
 * FATE_SILENT:		a record that is not counted
 * FATE_END:		its last record
 * FATE_GAP:		all from its middle on; the buffer has the loss
 */
enum fate { FATE_WHOLE, FATE_TASK, FATE_CPU, FATE_SILENT, FATE_END, FATE_GAP, FATES };

static const char *const fate_names[FATES] = { "whole", "task", "cpu", "silent", "end", "gap" };

/* The sampled tasks */
enum tree { TREE_ALL, TREE_EVEN, TREE_ODD, TREES };

/*
 * @state: 0: no such task; @is_told: its policy is written; @nice: differs from the pid's last task
 */
struct task {
	unsigned int cpu;
	char state;
	bool is_told;
	int8_t nice;
};

struct maker {
	struct loggen *gen;
	FILE *truth;
	struct loggen_options log;
	unsigned int cpus, tasks, passes, every, restarts;
	enum tree tree;
	uint32_t first_id;
	bool is_start;
	struct task sampler;
	uint64_t state, begin, now, number;
	unsigned int stream;
	struct task task[TASKS_MAX];
	unsigned int others[CPUS_MAX];
};

struct pass_record {
	uint64_t pass, begin;
	uint32_t tasks, cpus, missed, lost, unsure, unused;
};

static unsigned int draw(struct maker *maker, unsigned int below)
{
	return (xorshift(&maker->state) >> 33) % below;
}

/* ---- The machine ---- */

/* At most one task runs on a CPU, and none on the sampler's. */
static void move_tasks(struct maker *maker)
{
	bool busy[CPUS_MAX] = { false };

	if (!draw(maker, 10))
		maker->stream = draw(maker, maker->cpus);
	busy[maker->stream] = true;
	for (unsigned int cpu = 0; cpu < maker->cpus; cpu++)
		maker->others[cpu] = !draw(maker, 4);
	for (unsigned int i = 0; i < maker->tasks; i++) {
		struct task *task = &maker->task[i];

		if (task->state == 'X' || task->state == 'Z') {
			task->state = 0;
			task->is_told = false;
			task->nice = (task->nice + 1) % 20;
			continue;
		}
		if (!task->state && draw(maker, 8))
			continue;
		if (task->state && !draw(maker, 60)) {
			task->state = "XZ\0"[draw(maker, 3)];
			if (!task->state) {
				task->is_told = false;
				task->nice = (task->nice + 1) % 20;
			}
			continue;
		}
		if (!task->state || !draw(maker, 12))
			task->cpu = draw(maker, maker->cpus);
		task->state = "SD++R"[draw(maker, 5)];
		if (task->state == 'R' && busy[task->cpu])
			task->state = '+';
		busy[task->cpu] |= task->state == 'R';
	}
}

static unsigned int runnable(const struct maker *maker, unsigned int cpu)
{
	unsigned int count = maker->others[cpu];

	for (unsigned int i = 0; i < maker->tasks; i++)
		count += maker->task[i].cpu == cpu &&
			 (maker->task[i].state == 'R' || maker->task[i].state == '+');
	return count;
}

/* ---- Records ---- */

static bool is_sampled(const struct maker *maker, unsigned int task)
{
	return maker->task[task].state && (!maker->tree || task % 2 == maker->tree - TREE_EVEN);
}

static void put(struct maker *maker, enum id id, const void *payload, uint32_t bytes)
{
	maker->now += RECORD_NS;
	loggen_event(maker->gen, maker->stream, maker->now, maker->first_id + id, payload,
		     bytes);
}

static void put_task(struct maker *maker, uint32_t pid, unsigned int cpu, char state)
{
	struct {
		uint32_t pid;
		uint16_t cpu;
		uint8_t prio;
		char state;
	} record = { pid, cpu, 120, state };

	put(maker, ID_TASK, &record, sizeof(record));
}

static void put_policy(struct maker *maker, uint32_t pid, struct task *task)
{
	struct {
		uint32_t pid;
		uint8_t policy;
		int8_t nice;
		uint8_t rt_priority, unused;
	} record = { .pid = pid, .nice = task->nice };

	if (!task->is_told)
		put(maker, ID_POLICY, &record, sizeof(record));
	task->is_told = true;
}

static void lose(struct maker *maker)
{
	uint64_t from = maker->now + RECORD_NS;

	maker->now += 20 * RECORD_NS;
	loggen_lose(maker->gen, maker->stream, from, maker->now, 30, EVTLOG_PID_UNKNOWN, 0);
}

static void put_pass(struct maker *maker, enum fate fate, unsigned int missed)
{
	struct pass_record pass = { .pass = maker->number, .begin = maker->now, .missed = missed };
	unsigned int without = draw(maker, maker->cpus), task_without = draw(maker, maker->tasks);

	for (unsigned int cpu = 0; cpu < maker->cpus; cpu++) {
		uint32_t record[2] = { cpu, runnable(maker, cpu) + (cpu == maker->stream) };

		pass.cpus += fate != FATE_CPU || cpu != without;
		if (fate != FATE_CPU || cpu != without)
			put(maker, ID_CPU, record, sizeof(record));
	}
	put_policy(maker, SAMPLER_PID, &maker->sampler);
	put_task(maker, SAMPLER_PID, maker->stream, 'R');
	pass.tasks = 1;
	while (!is_sampled(maker, task_without) && task_without)
		task_without--;
	for (unsigned int i = 0; i < maker->tasks; i++) {
		bool is_missing = i == task_without && (fate == FATE_TASK || fate == FATE_SILENT);

		if (fate == FATE_GAP && i == maker->tasks / 2) {
			lose(maker);
			return;
		}
		if (!is_sampled(maker, i))
			continue;
		put_policy(maker, FIRST_PID + i, &maker->task[i]);
		pass.tasks += !is_missing || fate == FATE_SILENT;
		if (!is_missing)
			put_task(maker, FIRST_PID + i, maker->task[i].cpu, maker->task[i].state);
	}
	pass.lost = fate == FATE_TASK || fate == FATE_CPU;
	if (fate != FATE_END)
		put(maker, ID_PASS, &pass, sizeof(pass));
}

/* Writes the data that the pass had, even if they are not in the log. */
static void tell(struct maker *maker, enum fate fate, unsigned int missed)
{
	const char *comma = "";

	fprintf(maker->truth, "{\"pass\": %llu, \"fate\": \"%s\", \"ns\": %llu, \"stream\": %u, \"missed\": %u, "
		"\"start\": %u, \"cpus\": [", (unsigned long long)maker->number, fate_names[fate],
		(unsigned long long)(maker->now - maker->begin), maker->stream, missed, maker->is_start);
	for (unsigned int cpu = 0; cpu < maker->cpus; cpu++)
		fprintf(maker->truth, "%s%u", cpu ? ", " : "", runnable(maker, cpu));
	fprintf(maker->truth, "], \"tasks\": [");
	for (unsigned int i = 0; i < maker->tasks; i++) {
		const struct task *task = &maker->task[i];

		if (!is_sampled(maker, i) || task->state == 'X' || task->state == 'Z')
			continue;
		fprintf(maker->truth, "%s[%u, %u, \"%c\"]", comma, FIRST_PID + i, task->cpu, task->state);
		comma = ", ";
	}
	fprintf(maker->truth, "]}\n");
}

static void put_formats(struct maker *maker)
{
	uint32_t first = maker->first_id;

	loggen_format(maker->gen, 0, ++maker->now, first + ID_PASS,
		      "sampler_pass\npass:0:8:u begin:8:8:k tasks:16:4:u cpus:20:4:u missed:24:4:u lost:28:4:u "
		      "unsure:32:4:u\n");
	loggen_format(maker->gen, 0, ++maker->now, first + ID_CPU, "sampler_cpu\ncpu:0:4:u nr_running:4:4:u\n");
	loggen_format(maker->gen, 0, ++maker->now, first + ID_TASK,
		      "sampler_task\npid:0:4:p cpu:4:2:u prio:6:1:u state:7:1:c\n");
	loggen_format(maker->gen, 0, ++maker->now, first + ID_POLICY,
		      "sampler_policy\npid:0:4:p policy:4:1:u nice:5:1:d rt_priority:6:1:u\n");
}

static bool has_any(const struct maker *maker)
{
	for (unsigned int i = 0; i < maker->tasks; i++)
		if (is_sampled(maker, i) && maker->task[i].state != 'X' && maker->task[i].state != 'Z')
			return true;
	return false;
}

/*
 * Restarts the sampler, with the same tree or another. Or it was off, and is registered again.
 * Returns the time that it was off, in intervals.
 */
static unsigned int restart(struct maker *maker)
{
	unsigned int off = draw(maker, 2) ? 3 + draw(maker, 30) : 0;

	maker->sampler.is_told = false;
	for (unsigned int i = 0; i < maker->tasks; i++)
		maker->task[i].is_told = false;
	do {
		maker->tree = draw(maker, TREES);
	} while (!has_any(maker));
	if (off) {
		maker->first_id += IDS;
		put_formats(maker);
	}
	return off;
}

static void make(struct maker *maker, uint64_t interval_ns)
{
	struct loggen_options options = maker->log;
	uint64_t due;

	options.cpus = maker->cpus;
	options.buffer_bytes = 65536;
	options.compress = LOGGEN_PACK;
	/* No other types are recorded. */
	options.off = 1ull << EVTLOG_SCHED_SWITCH | 1ull << EVTLOG_SCHED_WAKING |
		      1ull << EVTLOG_SCHED_MIGRATE_TASK;
	options.tells_events = true;
	maker->gen = loggen_new(&options);
	maker->begin = maker->now = options.boot_ticks + 1000000;
	for (unsigned int cpu = 0; cpu < maker->cpus; cpu++)
		loggen_begin(maker->gen, cpu, maker->now, 0, "swapper");
	put_formats(maker);
	due = maker->begin;
	for (unsigned int i = 0; i < maker->passes; i++) {
		unsigned int missed = draw(maker, 9) ? 0 : 1 + draw(maker, 3);
		/* The first and the last pass are complete. */
		enum fate fate = maker->every && i && i + 1 < maker->passes && !draw(maker, maker->every) ?
				 1 + draw(maker, FATES - 1) : FATE_WHOLE;

		maker->is_start = maker->restarts && i > 5 && !draw(maker, maker->restarts);
		if (maker->is_start) {
			missed = 0;
			fate = FATE_WHOLE;
			due += restart(maker) * interval_ns;
		}
		maker->number++;
		due += (1 + missed) * interval_ns;
		maker->now = due;
		move_tasks(maker);
		put_pass(maker, fate, missed);
		tell(maker, fate, missed);
	}
	/* With restarts, the sampler was off at the end. */
	maker->now += maker->restarts ? 40 * interval_ns : interval_ns / 2;
	for (unsigned int cpu = 0; cpu < maker->cpus; cpu++)
		loggen_end(maker->gen, cpu, maker->now);
	loggen_close(maker->gen);
}

int main(int argc, char **argv)
{
	struct maker maker = { .log = loggen_defaults(), .cpus = 2, .tasks = 20, .passes = 200 };
	const char *truth = "/dev/null", *path;
	uint64_t interval_us = 1000;
	const struct test_option table[] = {
		OPTION("cpus", "N", &maker.cpus, "(2)"),
		OPTION("tasks", "N", &maker.tasks, "at one time, at most (20)"),
		OPTION("passes", "N", &maker.passes, "(200)"),
		OPTION("interval-us", "N", &interval_us, "(1000)"),
		OPTION("every", "N", &maker.every, "of one in N passes, records are missing (0)"),
		OPTION("restarts", "N", &maker.restarts,
		       "before one in N passes the sampler starts anew (0: never)"),
		OPTION("host", "NAME", &maker.log.host, "(testhost)"),
		OPTION("boot", "N", &maker.log.boot, "another boot, or another host's (0)"),
		OPTION("truth", "FILE", &truth, "what each pass saw, a JSON object a line"),
		{ }
	};
	int error;

	path = *test_options(table, "[OPTION...] FILE\n\n"
			     "SEED in the environment determines the random numbers.", 1, argc, argv);
	if (!maker.cpus || maker.cpus > CPUS_MAX || !maker.tasks || maker.tasks > TASKS_MAX ||
	    !interval_us)
		return 2;
	maker.truth = fopen(truth, "w");
	if (!maker.truth) {
		perror(truth);
		return 1;
	}
	maker.state = seed_state();
	make(&maker, interval_us * 1000);
	fclose(maker.truth);
	error = loggen_save(maker.gen, path);
	loggen_free(maker.gen);
	if (error)
		fprintf(stderr, "make-samples: %s: %s\n", path, strerror(-error));
	return error ? 1 : 0;
}
