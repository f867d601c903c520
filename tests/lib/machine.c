// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Simulates a machine: tasks that wake, run and block, interrupts, softirqs, ICMP.
 *
 * Stage: makes the records of make-log. The simulation itself sums up the truth, not from the log:
 * where time was spent, and how long each woken task waited. One tick is one ns: sums must agree
 * exactly.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/xorshift.h"
#include "machine.h"

#define FIRST_PID	100
#define LOGGER_PID	77

enum task_state { BLOCKED, QUEUED, RUNNING };

#define NAMES_MAX	8

/* The sums of a task under one of its names */
struct name {
	char comm[16];
	uint64_t run_ns;
	uint64_t switches;
	uint64_t wakeups;
	uint64_t migrations;
	uint64_t waits;
	uint64_t longest;
};

/* @names: in order of first use; @name: the present name; @woken_name: when woken */
struct task {
	uint32_t pid;
	enum task_state state;
	unsigned int cpu;
	uint64_t woken;		/* 0 if it did not wait for a CPU after a wake-up */
	uint64_t blocked;
	uint64_t run_ns;
	uint64_t switches;
	uint64_t voluntary;
	uint64_t preempted;
	uint64_t wakeups;
	uint64_t migrations;
	uint64_t *waits;
	size_t wait_count;
	char comm[16];
	struct name names[NAMES_MAX];
	unsigned int name_count;
	unsigned int name;
	unsigned int woken_name;
};

struct cpu {
	uint64_t now;
	int task;		/* -1 if idle */
	int queue[MACHINE_TASKS_MAX];
	unsigned int queued;
	uint64_t task_ns;
	uint64_t logger_ns;
	uint64_t idle_ns;
	uint64_t softirq_ns;
	uint64_t irq_ns;
	uint64_t switches;
	uint64_t counted[64];
	uint64_t softirqs[10];
	bool owes_softirqs;	/* must still record the softirq counters of the start */
};

static struct machine_options options;
static struct loggen *gen;
static struct task tasks[MACHINE_TASKS_MAX];
static struct cpu cpus[MACHINE_CPUS_MAX];
static uint64_t records, ctxt_base = 1000000;
static uint64_t random_state;

static uint64_t below(uint64_t limit)
{
	return xorshift(&random_state) % limit;
}

static void softirq_counters(unsigned int on, bool at_end);

/* The CPU's tick counter, which stamps all its records */
static uint64_t stamp(unsigned int on)
{
	return cpus[on].now + on * options.ahead;
}

static void record(unsigned int cpu, unsigned int type, uint32_t data,
		   unsigned int words, const uint64_t *more)
{
	/* The latest moment that the kernel allows */
	if (cpus[cpu].owes_softirqs &&
	    (type == EVTLOG_SOFTIRQ_ENTRY || type == EVTLOG_IRQ_HANDLER_EXIT)) {
		cpus[cpu].owes_softirqs = false;
		softirq_counters(cpu, false);
	}
	loggen_record(gen, cpu, stamp(cpu), type, data, words, more);
	cpus[cpu].counted[type]++;
	records++;
}

/* Lets time pass, and adds it to @spent. */
static void pass(struct cpu *cpu, uint64_t *spent, uint64_t ns)
{
	cpu->now += ns;
	*spent += ns;
}

static struct name *name_of(struct task *task)
{
	return &task->names[task->name];
}

/* Makes the task's comm its present name. */
static void take_name(struct task *task)
{
	unsigned int at = 0;

	while (at < task->name_count && strcmp(task->names[at].comm, task->comm))
		at++;
	if (at == task->name_count)
		memcpy(task->names[task->name_count++].comm, task->comm, sizeof(task->comm));
	task->name = at;
}

static void run_task(struct cpu *cpu, uint64_t ns)
{
	if (cpu->task < 0) {
		pass(cpu, &cpu->idle_ns, ns);
		return;
	}
	tasks[cpu->task].run_ns += ns;
	name_of(&tasks[cpu->task])->run_ns += ns;
	pass(cpu, tasks[cpu->task].pid == LOGGER_PID ? &cpu->logger_ns :
	     &cpu->task_ns, ns);
}

static void enqueue(unsigned int on, int number)
{
	struct cpu *cpu = &cpus[on];

	cpu->queue[cpu->queued++] = number;
	tasks[number].state = QUEUED;
	tasks[number].cpu = on;
}

static void wake(unsigned int from)
{
	int number = below(options.tasks);
	struct task *task = &tasks[number];
	unsigned int to = task->cpu;

	/* The CPUs' clocks differ: at this CPU's time, the task may not have blocked yet. */
	if (task->state != BLOCKED || task->blocked >= cpus[from].now)
		return;
	record(from, EVTLOG_SCHED_WAKING, task->pid, 1, NULL);
	task->wakeups++;
	name_of(task)->wakeups++;
	task->woken = cpus[from].now;
	task->woken_name = task->name;
	if (!below(8)) {
		to = below(options.log.cpus);
		if (to != task->cpu) {
			uint64_t word = task->cpu | (uint64_t)to << 32;

			record(from, EVTLOG_SCHED_MIGRATE_TASK, task->pid, 2,
			       &word);
			task->migrations++;
			name_of(task)->migrations++;
		}
	}
	enqueue(to, number);
}

static void switch_task(unsigned int on)
{
	struct cpu *cpu = &cpus[on];
	int prev = cpu->task, next = -1;
	unsigned int state = 0;
	struct task *task;
	struct name *woken;

	if (cpu->queued) {
		next = cpu->queue[0];
		/* The task cannot run before its wake-up. */
		if (tasks[next].woken >= cpu->now)
			return;
		memmove(cpu->queue, cpu->queue + 1,
			--cpu->queued * sizeof(*cpu->queue));
	} else if (prev < 0) {
		return;
	}
	if (prev >= 0) {
		bool blocks = next < 0 || below(3);

		task = &tasks[prev];
		/* The task yields, or is preempted. */
		state = blocks ? 1 + below(2) : cpu->now % 2 ? 0 : EVTLOG_STATE_PREEMPTED;
		task->voluntary += blocks;
		task->preempted += !blocks;
		task->woken = 0;
		task->blocked = cpu->now;
		if (blocks)
			task->state = BLOCKED;
		else
			enqueue(on, prev);
	}
	record(on, EVTLOG_SCHED_SWITCH,
	       (next < 0 ? 0 : tasks[next].pid) | state << EVTLOG_PID_BITS, 1,
	       NULL);
	loggen_running(gen, on, next < 0 ? "swapper" : tasks[next].comm);
	cpu->switches++;
	cpu->task = next;
	if (next < 0)
		return;
	task = &tasks[next];
	task->state = RUNNING;
	task->switches++;
	name_of(task)->switches++;
	if (!task->woken)
		return;
	woken = &task->names[task->woken_name];
	woken->waits++;
	if (cpu->now - task->woken > woken->longest)
		woken->longest = cpu->now - task->woken;
	/* The capacity is doubled at each power of two. */
	if (!(task->wait_count & (task->wait_count - 1))) {
		task->waits = reallocarray(task->waits,
					   2 * task->wait_count + 1,
					   sizeof(*task->waits));
		if (!task->waits)
			abort();
	}
	task->waits[task->wait_count++] = cpu->now - task->woken;
}

static void softirq(unsigned int on, unsigned int vec)
{
	struct cpu *cpu = &cpus[on];

	record(on, EVTLOG_SOFTIRQ_ENTRY, vec, 1, NULL);
	cpu->softirqs[vec]++;
	pass(cpu, &cpu->softirq_ns, 50 + below(2000));
	if (vec == 3) {
		uint64_t words[4] = {
			0x0100 | (uint64_t)0x0200000a << 32,
			0x0100000a | (uint64_t)64 << 32,
			stamp(on) - 20,
		};

		record(on, EVTLOG_ICMP_RX, 8, 5, words);
		pass(cpu, &cpu->softirq_ns, 10 + below(100));
		words[2] = 0;
		record(on, EVTLOG_ICMP_TX, 0, 4, words);
		pass(cpu, &cpu->softirq_ns, 10 + below(100));
	}
	if (!below(4)) {
		/* A hard interrupt within the softirq */
		record(on, EVTLOG_RESCHEDULE_ENTRY, 253, 1, NULL);
		pass(cpu, &cpu->irq_ns, 20 + below(200));
		record(on, EVTLOG_RESCHEDULE_EXIT, 253, 1, NULL);
		pass(cpu, &cpu->softirq_ns, 1 + below(50));
	}
	if (!below(2))
		wake(on);
	record(on, EVTLOG_SOFTIRQ_EXIT, vec, 1, NULL);
}

static void tick(unsigned int on)
{
	struct cpu *cpu = &cpus[on];

	record(on, EVTLOG_LOCAL_TIMER_ENTRY, 236, 1, NULL);
	pass(cpu, &cpu->irq_ns, 100 + below(3000));
	record(on, EVTLOG_LOCAL_TIMER_EXIT, 236, 1, NULL);
	if (!below(2))
		softirq(on, 1);
}

static void device(unsigned int on)
{
	struct cpu *cpu = &cpus[on];

	record(on, EVTLOG_IRQ_HANDLER_ENTRY, 24, 1, NULL);
	pass(cpu, &cpu->irq_ns, 200 + below(5000));
	record(on, EVTLOG_IRQ_HANDLER_EXIT, 24 | 1 << 24, 1, NULL);
	softirq(on, 3);
}

static void snapshot(unsigned int on)
{
	for (unsigned int i = 0; i < options.tasks; i++) {
		uint64_t words[6] = {
			tasks[i].pid | (uint64_t)1 << 32, 1000000, tasks[i].cpu,
		};

		loggen_comm(words + 4, tasks[i].comm);
		/* The tasks sleep. */
		record(on, EVTLOG_TASK, tasks[i].pid | 1 << EVTLOG_PID_BITS, 7, words);
		cpus[on].now += 1;
		cpus[on].idle_ns += 1;
	}
}

static void counter(unsigned int on, bool at_end, enum evtlog_counter which,
		    unsigned int index, uint64_t value)
{
	record(on, EVTLOG_COUNTER, at_end | which << 1 | index << 6, 2, &value);
}

static void softirq_counters(unsigned int on, bool at_end)
{
	for (unsigned int i = 0; i < 10; i++)
		counter(on, at_end, EVTLOG_COUNTER_SOFTIRQ, i, 500 + cpus[on].softirqs[i]);
	if (options.count_icmp)
		counter(on, at_end, EVTLOG_COUNTER_ICMP, 0,
			70 + cpus[on].counted[EVTLOG_ICMP_RX] +
			(at_end && !on ? options.miscount_icmp : 0));
}

static void counters(unsigned int on, bool at_end)
{
	static const unsigned int vectors[] = {
		EVTLOG_LOCAL_TIMER_ENTRY, EVTLOG_RESCHEDULE_ENTRY,
	};
	struct cpu *cpu = &cpus[on];
	/* 32-bit counters that will wrap */
	uint64_t irqs = cpu->counted[EVTLOG_IRQ_HANDLER_ENTRY];
	uint64_t switches = 0;

	if (!options.stopped)
		counter(on, at_end, EVTLOG_COUNTER_SWITCHES, 0, ctxt_base + cpu->switches +
			(at_end && !on ? options.miscount : 0));
	if (at_end && cpu->owes_softirqs) {
		cpu->owes_softirqs = false;
		softirq_counters(on, false);
	}
	if (at_end || options.stopped)
		softirq_counters(on, at_end);
	else
		cpu->owes_softirqs = true;
	for (unsigned int i = 0; i < 2; i++)
		counter(on, at_end, EVTLOG_COUNTER_VECTOR, vectors[i],
			(uint32_t)(UINT32_MAX - 20 + cpu->counted[vectors[i]]));
	/* Older kernels have a counter per line. */
	counter(on, at_end, options.stopped ? EVTLOG_COUNTER_IRQ : EVTLOG_COUNTER_IRQS,
		options.stopped ? 24 : 0, irqs + 3);
	if (on || !options.stopped)
		return;
	for (unsigned int i = 0; i < options.log.cpus; i++)
		switches += cpus[i].switches;
	counter(on, at_end, EVTLOG_COUNTER_CTXT, 0,
		ctxt_base + switches + (at_end ? options.miscount : 0));
}

static void begin(void)
{
	for (unsigned int i = 0; i < options.tasks; i++) {
		tasks[i].pid = i ? FIRST_PID + i : LOGGER_PID;
		tasks[i].cpu = below(options.log.cpus);
		snprintf(tasks[i].comm, sizeof(tasks[i].comm),
			 i ? "task%u" : "logd", i);
		if (options.comm && i == 1)
			strncpy(tasks[i].comm, options.comm, sizeof(tasks[i].comm));
		take_name(&tasks[i]);
	}
	for (unsigned int i = 0; i < options.log.cpus; i++) {
		cpus[i].now = options.log.boot_ticks;
		cpus[i].task = -1;
		if (!options.stopped)
			pass(&cpus[i], &cpus[i].idle_ns, 1 + below(i ? 100000 : 100));
		loggen_join(gen, i, options.log.boot_ticks + i * options.ahead, stamp(i), 0,
			    "swapper");
	}
	for (unsigned int i = 0; i < options.log.cpus; i++)
		counters(i, false);
	if (!options.nameless)
		snapshot(0);
}

/* CPU 0 creates a task that will run on @on. */
static void make_child(uint32_t pid, uint32_t tgid, uint32_t parent, unsigned int on)
{
	uint64_t words[4] = { parent | (uint64_t)tgid << 32, cpus[0].now };
	uint64_t new = on | (uint64_t)120 << 32;

	if (options.wild)
		new |= UINT32_MAX - 15;
	run_task(&cpus[0], 500);
	loggen_comm(words + 2, "child");
	record(0, EVTLOG_SCHED_PROCESS_FORK, pid, 5, words);
	record(0, EVTLOG_SCHED_WAKEUP_NEW, pid, 2, &new);
	if (options.wild) {
		uint64_t move = UINT64_C(0x80000001) << 32 | UINT32_MAX;

		record(0, EVTLOG_SCHED_MIGRATE_TASK, pid, 2, &move);
	}
}

/* The child runs for 1 us in place of another task, and exits. */
static void run_child(uint32_t pid, uint32_t tgid, unsigned int on)
{
	struct cpu *cpu = &cpus[on];
	uint32_t other = cpu->task < 0 ? 0 : tasks[cpu->task].pid;
	uint64_t exit = tgid;

	run_task(cpu, cpu->now < cpus[0].now ? cpus[0].now - cpu->now + 100 : 100);
	record(on, EVTLOG_SCHED_SWITCH, pid | EVTLOG_STATE_PREEMPTED << EVTLOG_PID_BITS, 1, NULL);
	loggen_running(gen, on, "child");
	pass(cpu, &cpu->task_ns, 900);
	record(on, EVTLOG_SCHED_PROCESS_EXIT, pid, 2, &exit);
	pass(cpu, &cpu->task_ns, 100);
	/* State Z */
	record(on, EVTLOG_SCHED_SWITCH, other | 6 << EVTLOG_PID_BITS, 1, NULL);
	loggen_running(gen, on, cpu->task < 0 ? "swapper" : tasks[cpu->task].comm);
	cpu->switches += 2;
	if (cpu->task >= 0) {
		tasks[cpu->task].preempted++;
		tasks[cpu->task].switches++;
	}
}

/*
 * CPU 0 repeatedly creates a child that runs for 1 us and exits. Pids repeat after 20,000. With
 * @spread, children run on other CPUs, and every other child is a thread.
 */
static void make_children(void)
{
	bool spread = options.spread && options.log.cpus > 1;

	for (uint64_t i = 0; i < options.children; i++) {
		uint32_t parent = cpus[0].task < 0 ? 0 : tasks[cpus[0].task].pid;
		uint32_t pid = 10000 + i % 20000;
		uint32_t tgid = spread && parent && i % 2 ? parent : pid;
		unsigned int on = spread ? 1 + i % (options.log.cpus - 1) : 0;

		make_child(pid, tgid, parent, on);
		run_child(pid, tgid, on);
	}
}

/* CPU 0 finds no free buffer for a millisecond; its state does not change. */
static void lose_events(void)
{
	struct cpu *cpu = &cpus[0];

	loggen_lose(gen, 0, stamp(0), stamp(0) + 1000000, options.lose,
		    cpu->task < 0 ? 0 : tasks[cpu->task].pid, 0);
	cpu->now += 1000000;
	cpu->counted[EVTLOG_LOST]++;
	records++;
	options.lose = 0;
}

/* The current task executes another program, or the same again. */
static void execute(unsigned int on)
{
	uint64_t words[4] = { 0 };
	struct task *task;

	if (cpus[on].task < 1)
		return;
	task = &tasks[cpus[on].task];
	snprintf(task->comm, sizeof(task->comm), "exec%u", (unsigned int)below(NAMES_MAX - 1));
	take_name(task);
	words[0] = task->pid | (uint64_t)task->pid << 32;
	loggen_comm(words + 1, task->comm);
	record(on, EVTLOG_SCHED_PROCESS_EXEC, task->pid, 4, words);
	loggen_running(gen, on, task->comm);
}

/* Simulates the next event, on the CPU whose time is the earliest. */
static void step(void)
{
	unsigned int on = 0;

	for (unsigned int i = 1; i < options.log.cpus; i++)
		if (cpus[i].now < cpus[on].now)
			on = i;
	run_task(&cpus[on], 1 + below(below(8) ? 4000 : 100000));
	if (options.execs && below(100) < options.execs)
		execute(on);
	switch (below(16)) {
	case 0:
		tick(on);
		break;
	case 1:
		device(on);
		break;
	case 2 ... 7:
		wake(on);
		break;
	default:
		switch_task(on);
	}
}

static void end(void)
{
	uint64_t latest = 0;

	for (unsigned int i = 0; i < options.log.cpus; i++)
		if (cpus[i].now > latest)
			latest = cpus[i].now;
	for (unsigned int i = 0; i < options.log.cpus; i++)
		run_task(&cpus[i], latest - cpus[i].now +
			 (options.stopped ? 0 : below(50000)));
	for (unsigned int i = 0; i < options.log.cpus; i++)
		counters(i, true);
	for (unsigned int i = 0; i < options.log.cpus; i++)
		loggen_end(gen, i, stamp(i));
	loggen_close(gen);
}

struct loggen *machine_run(const struct machine_options *wanted, uint64_t events)
{
	options = *wanted;
	random_state = options.seed * 0x9e3779b97f4a7c15ULL + 1;
	gen = loggen_new(&options.log);
	begin();
	while (records < events) {
		if (options.lose && records > events / 2)
			lose_events();
		step();
	}
	make_children();
	loggen_count_lost(gen, 0, EVTLOG_LOST_NESTED, options.nested);
	end();
	return gen;
}

static void tell_task(FILE *out, const struct task *t)
{
	fprintf(out, "    {\"pid\": %u, \"comm\": \"%s\", \"run_ns\": %" PRIu64
		", \"switches\": %" PRIu64 ", \"voluntary\": %" PRIu64
		", \"preempted\": %" PRIu64 ", \"wakeups\": %" PRIu64
		", \"migrations\": %" PRIu64 ", \"waits\": [",
		t->pid, t->comm, t->run_ns, t->switches, t->voluntary,
		t->preempted, t->wakeups, t->migrations);
	for (size_t i = 0; i < t->wait_count; i++)
		fprintf(out, "%s%" PRIu64, i ? ", " : "", t->waits[i]);
	fprintf(out, "], \"names\": [");
	for (unsigned int i = 0; i < t->name_count; i++) {
		const struct name *name = &t->names[i];

		fprintf(out, "%s{\"comm\": \"%s\", \"run_ns\": %" PRIu64 ", \"switches\": %" PRIu64
			", \"migrations\": %" PRIu64 ", \"wakeups\": %" PRIu64 ", \"waits\": %"
			PRIu64 ", \"longest\": %" PRIu64 "}", i ? ", " : "", name->comm,
			name->run_ns, name->switches, name->migrations, name->wakeups,
			name->waits, name->longest);
	}
	fprintf(out, "]}");
}

int machine_tell(const char *path)
{
	FILE *out = fopen(path, "we");

	if (!out)
		return -1;
	fprintf(out, "{\"events\": %" PRIu64 ",\n  \"cpus\": [\n", records);
	for (unsigned int i = 0; i < options.log.cpus; i++) {
		const struct cpu *c = &cpus[i];

		fprintf(out, "    {\"cpu\": %u, \"task_ns\": %" PRIu64
			", \"logger_ns\": %" PRIu64 ", \"softirq_ns\": %" PRIu64
			", \"irq_ns\": %" PRIu64 ", \"idle_ns\": %" PRIu64
			", \"switches\": %" PRIu64 "}%s\n", i, c->task_ns,
			c->logger_ns, c->softirq_ns, c->irq_ns, c->idle_ns,
			c->switches, i + 1 < options.log.cpus ? "," : "");
	}
	fprintf(out, "  ],\n  \"tasks\": [\n");
	for (unsigned int i = 0; i < options.tasks; i++) {
		tell_task(out, &tasks[i]);
		fprintf(out, "%s\n", i + 1 < options.tasks ? "," : "");
	}
	fprintf(out, "  ]\n}\n");
	return fclose(out);
}

void machine_free(void)
{
	for (unsigned int i = 0; i < options.tasks; i++)
		free(tasks[i].waits);
}
