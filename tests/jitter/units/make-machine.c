// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * make-machine LOG SAMPLES SEED STEPS - writes the log of a simulated machine and its samples.
 *
 * Takes the place of the kernel, the logger and the benchmark.  Each CPU has a victim, which leaves
 * user mode only if it is interrupted, or for a system call between samples.  Contexts nest at
 * random, and some records are lost.  No two events have the same time.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/loggen.h"
#include "jitter/bench/run.h"

#define BASE		5000000000
#define CPUS_MAX	3
#define TASKS		24
#define DEPTH_MAX	6
#define CROSSING	15
#define LOOP_TICKS	10

enum state { ASLEEP, READY, RUNNING };

/* @type: type of the entry record */
struct frame {
	unsigned int type;
	uint32_t data;
};

struct task {
	uint32_t pid;
	bool kernel_thread;
	bool idle;
	enum state state;
	unsigned int cpu;
	struct frame frames[DEPTH_MAX];
	unsigned int depth;
};

/* From @begin to @end the victim was not in user mode; @call: because of a system call */
struct off_user {
	uint64_t begin;
	uint64_t end;
	bool call;
};

/*
 * @lost_since: from here on, records are lost; 0: none is lost
 * @user_since: when the current task entered user mode; 0: it is in the kernel
 * @nmis, @nmi_ticks, @nmi_last: NMIs since @user_since
 */
struct cpu {
	struct task idle;
	struct task *current;
	struct task *victim;
	uint64_t lost_since;
	uint64_t lost;
	uint64_t user_since;
	uint64_t nmis, nmi_ticks, nmi_last;
	uint64_t left;
	bool by_call;
	struct off_user *off_users;
	size_t off_user_count;
	struct evtlog_sample *samples;
	struct evtlog_samples_thread thread;
};

static struct loggen *gen;
static struct cpu cpus[CPUS_MAX];
static unsigned int cpu_count;
static struct task tasks[TASKS];
static uint64_t now, state;
static uint32_t next_pid = 1000;

static uint64_t below(uint64_t limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 16) % limit;
}

static bool chance(unsigned int percent)
{
	return below(100) < percent;
}

static void record_words(unsigned int cpu, unsigned int type, uint32_t data,
			 unsigned int words, const uint64_t *more)
{
	struct cpu *c = &cpus[cpu];

	now += 1 + below(chance(5) ? 3000 : 40);
	if (c->lost_since)
		c->lost++;
	else
		loggen_record(gen, cpu, now, type, data, words, more);
}

static void record(unsigned int cpu, unsigned int type, uint32_t data)
{
	record_words(cpu, type, data, 1, NULL);
}

static bool is_hard(unsigned int type)
{
	return type != EVTLOG_SOFTIRQ_ENTRY && type != EVTLOG_EXCEPTION_ENTRY;
}

static bool may_switch(const struct task *task)
{
	for (unsigned int i = 0; i < task->depth; i++)
		if (task->frames[i].type != EVTLOG_EXCEPTION_ENTRY)
			return false;
	return true;
}

static bool in_softirq(const struct task *task)
{
	for (unsigned int i = 0; i < task->depth; i++)
		if (task->frames[i].type == EVTLOG_SOFTIRQ_ENTRY)
			return true;
	return false;
}

static void push(unsigned int cpu)
{
	static const unsigned int types[] = {
		EVTLOG_LOCAL_TIMER_ENTRY, EVTLOG_RESCHEDULE_ENTRY, EVTLOG_IRQ_HANDLER_ENTRY,
		EVTLOG_CALL_FUNCTION_SINGLE_ENTRY, EVTLOG_VECTOR_ENTRY,
		EVTLOG_SOFTIRQ_ENTRY, EVTLOG_EXCEPTION_ENTRY,
	};
	struct task *task = cpus[cpu].current;
	struct frame frame = { .type = types[below(7)] };

	if (task->depth == DEPTH_MAX)
		return;
	switch (frame.type) {
	case EVTLOG_SOFTIRQ_ENTRY:
		if (!may_switch(task) || in_softirq(task))
			return;
		frame.data = below(10);
		break;
	case EVTLOG_EXCEPTION_ENTRY:
		if (!may_switch(task) || task->idle)
			return;
		frame.data = chance(80) ? 14 : below(32);
		break;
	case EVTLOG_IRQ_HANDLER_ENTRY:
		frame.data = 8 + below(5);
		break;
	default:
		frame.data = 236 + frame.type % 7;
	}
	task->frames[task->depth++] = frame;
	record(cpu, frame.type, frame.data);
}

static void pop(unsigned int cpu)
{
	struct task *task = cpus[cpu].current;
	struct frame frame;

	if (!task->depth)
		return;
	frame = task->frames[--task->depth];
	record(cpu, frame.type + 1, frame.data);
}

static void switch_to(unsigned int cpu)
{
	struct cpu *c = &cpus[cpu];
	struct task *old = c->current, *next = &c->idle;
	unsigned int prev_state = EVTLOG_STATE_PREEMPTED, ready = 0;
	bool back = chance(50);

	if (!may_switch(old))
		return;
	if (old->idle || chance(20))
		prev_state = 0;
	else if (chance(old == c->victim ? 5 : 60))
		prev_state = 1 + below(2);
	for (unsigned int i = 0; i < TASKS; i++)
		if (tasks[i].cpu == cpu && tasks[i].state == READY && !below(++ready))
			next = &tasks[i];
	if (back && c->victim->state == READY)
		next = c->victim;
	if (next == old)
		return;
	old->state = prev_state == 0 || prev_state == EVTLOG_STATE_PREEMPTED ? READY : ASLEEP;
	next->state = RUNNING;
	c->current = next;
	record(cpu, EVTLOG_SCHED_SWITCH, next->pid | prev_state << EVTLOG_PID_BITS);
}

/* Wakes a task that sleeps.  May move a task that does not run to another CPU. */
static void wake(unsigned int cpu)
{
	struct task *task = &tasks[below(TASKS)];

	if (task->state == RUNNING)
		return;
	if (task->state == ASLEEP) {
		task->state = READY;
		record(cpu, EVTLOG_SCHED_WAKING, task->pid);
	}
	if (task->pid > 3 + CPUS_MAX && chance(30))
		task->cpu = below(cpu_count);
}

static void rename_some(unsigned int cpu)
{
	static const char *const names[] = { "alpha", "beta/2", "gamma", "de:lta", "" };
	struct task *task = &tasks[CPUS_MAX + below(TASKS - CPUS_MAX)];
	uint64_t words[4] = { 0 };

	if (task->idle || chance(70))
		return;
	if (chance(70)) {
		loggen_comm(words, names[below(4)]);
		record_words(cpu, EVTLOG_TASK_RENAME, task->pid, 3, words);
		return;
	}
	if (task->state != ASLEEP || task->depth)
		return;
	/* A new task in the place of this one */
	task->pid = next_pid++;
	task->kernel_thread = chance(30);
	task->state = READY;
	words[0] = task->kernel_thread ? 2 : 300;
	loggen_comm(words + 2, task->kernel_thread ? "kthreadd" : "child");
	record_words(cpu, EVTLOG_SCHED_PROCESS_FORK, task->pid, 5, words);
}

static void come_back(struct cpu *c)
{
	struct off_user *a;

	c->off_users = realloc(c->off_users, (c->off_user_count + 1) * sizeof(*c->off_users));
	if (!c->off_users)
		abort();
	a = &c->off_users[c->off_user_count++];
	*a = (struct off_user) { c->left, now, c->by_call };
}

static void enter_user(unsigned int cpu)
{
	struct cpu *c = &cpus[cpu];

	if (c->current->depth || c->current->kernel_thread || c->current->idle)
		return;
	record(cpu, EVTLOG_USER_ENTER, c->current->pid);
	c->user_since = now;
	if (c->current == c->victim && c->left) {
		come_back(c);
		c->left = 0;
	}
}

static void leave_user(unsigned int cpu)
{
	struct cpu *c = &cpus[cpu];
	bool call = chance(c->current == c->victim ? 5 : 30);
	uint64_t words[2];

	/* An NMI, which is recorded later. */
	if (chance(10)) {
		now += 1 + below(100);
		words[1] = now;
		words[0] = 1 + below(300);
		c->nmi_last = now;
		now += words[0];
		c->nmis++;
		c->nmi_ticks += words[0];
		if (c->current == c->victim) {
			c->left = words[1];
			c->by_call = false;
			come_back(c);
			c->left = 0;
		}
		return;
	}
	record(cpu, EVTLOG_USER_EXIT, call ? EVTLOG_USER_EXIT_SYSCALL | 39 << 2 : 0);
	c->user_since = 0;
	if (c->current == c->victim) {
		c->left = now;
		c->by_call = call;
	}
	if (!c->nmis)
		return;
	words[0] = c->nmi_ticks;
	words[1] = c->nmi_last;
	record_words(cpu, EVTLOG_USER_NMI, c->nmis, 3, words);
	c->nmis = c->nmi_ticks = 0;
}

static void lose(unsigned int cpu)
{
	struct cpu *c = &cpus[cpu];
	bool soft = in_softirq(c->current);
	bool hard = false;

	if (!c->lost_since) {
		if (!chance(4))
			return;
		c->lost_since = ++now;
		c->lost = 0;
		return;
	}
	if (!c->lost)
		return;
	for (unsigned int i = 0; i < c->current->depth; i++)
		hard |= is_hard(c->current->frames[i].type);
	now++;
	loggen_lose(gen, cpu, c->lost_since, now, c->lost, c->current->pid,
		    (soft ? EVTLOG_CONTEXT_SOFTIRQ : 0) | (hard ? EVTLOG_CONTEXT_HARDIRQ : 0));
	c->lost_since = 0;
	/* The lost records would have contained these NMIs. */
	if (!c->user_since)
		c->nmis = c->nmi_ticks = 0;
}

static void step(void)
{
	unsigned int cpu = below(cpu_count);
	struct cpu *c = &cpus[cpu];

	if (chance(1) || (c->lost_since && chance(30)))
		lose(cpu);
	if (c->user_since) {
		leave_user(cpu);
		return;
	}
	switch (below(20)) {
	case 0 ... 3:
		push(cpu);
		break;
	case 4 ... 9:
		pop(cpu);
		break;
	case 10 ... 12:
		switch_to(cpu);
		break;
	case 13:
		wake(cpu);
		break;
	case 14:
		rename_some(cpu);
		break;
	default:
		enter_user(cpu);
	}
}

static void set_up(void)
{
	uint64_t start;

	for (unsigned int i = 0; i < TASKS; i++) {
		bool victim = i < cpu_count;

		tasks[i] = (struct task) {
			.pid = 3 + i,
			.kernel_thread = !victim && i % 3 == 0,
			.state = victim ? RUNNING : chance(50) ? READY : ASLEEP,
			.cpu = victim ? i : below(cpu_count),
		};
	}
	/* Half of the runs start before any CPU has an event. */
	start = chance(50) ? now - below(20000) : now;
	for (unsigned int cpu = 0; cpu < cpu_count; cpu++) {
		cpus[cpu].idle = (struct task) { .idle = true, .cpu = cpu };
		cpus[cpu].victim = cpus[cpu].current = &tasks[cpu];
		loggen_join(gen, cpu, start, now, tasks[cpu].pid, "victim");
	}
	for (unsigned int i = 0; i < TASKS; i++) {
		char comm[16];
		uint64_t words[6] = { tasks[i].pid, 0,
				      (uint64_t)tasks[i].kernel_thread << 32, 0 };

		snprintf(comm, sizeof(comm), i % 4 ? "task%u" : "task/%u", i / 2);
		loggen_comm(words + 4, comm);
		record_words(0, EVTLOG_TASK, tasks[i].pid, 7, words);
	}
}

/* Samples around each absence, sometimes around two, and where the machine was stopped */
static void take_samples(struct cpu *c)
{
	struct evtlog_samples_thread *thread = &c->thread;
	uint64_t last = thread->begin_ticks;

	c->samples = calloc(2 * c->off_user_count + 1, sizeof(*c->samples));
	if (!c->samples)
		abort();
	for (size_t i = 0; i < c->off_user_count; i++) {
		const struct off_user *a = &c->off_users[i];
		struct evtlog_sample *sample = &c->samples[thread->samples];
		uint64_t end = a->end, next;

		if (a->call || a->begin < last) {
			last = a->end > last ? a->end : last;
			continue;
		}
		while (i + 1 < c->off_user_count && !c->off_users[i + 1].call && chance(5))
			end = c->off_users[++i].end;
		next = i + 1 < c->off_user_count ? c->off_users[i + 1].begin : now;
		sample->begin_ticks = a->begin - below(1 + (a->begin - last > CROSSING ?
							     CROSSING : a->begin - last));
		sample->end_ticks = end + below(1 + (next - end > CROSSING ? CROSSING :
						     next - end));
		last = sample->end_ticks;
		if (chance(15))	/* below the loop's threshold */
			continue;
		thread->samples++;
		if (next - last > 500 && chance(10)) {
			sample[1].begin_ticks = last + 10;
			sample[1].end_ticks = last + 10 + 60 + below(400);
			last = sample[1].end_ticks;
			thread->samples++;
		}
	}
	thread->end_ticks = last > now ? last : now;
}

int main(int argc, char **argv)
{
	struct evtlog_samples_thread threads[CPUS_MAX];
	const struct evtlog_sample *samples[CPUS_MAX];
	struct samples_file file = {
		.flags = EVTLOG_SAMPLES_LOGGED,
		.ticks_hz = 1000000000,
		.threads = threads,
		.samples = samples,
		.text = "host=testhost\nirq.9=disk\nsmt.0=0-1\nsmt.1=0,1\n",
	};
	struct loggen_options options = loggen_defaults();
	unsigned long steps;

	if (argc != 5)
		return 2;
	state = strtoull(argv[3], NULL, 0) * 2654435761u + 88172645463325252u;
	steps = strtoul(argv[4], NULL, 0);
	cpu_count = 1 + below(CPUS_MAX);
	options.cpus = cpu_count;
	options.compress = below(LOGGEN_WAYS);
	gen = loggen_new(&options);
	now = BASE + 1;
	set_up();
	for (unsigned long i = 0; i < steps; i++)
		step();
	for (unsigned int cpu = 0; cpu < cpu_count; cpu++) {
		struct cpu *c = &cpus[cpu];

		while (c->lost_since) {
			if (!c->lost)
				record(cpu, EVTLOG_SCHED_WAKING, 3);
			lose(cpu);
		}
	}
	now += 10;
	for (unsigned int cpu = 0; cpu < cpu_count; cpu++)
		loggen_end(gen, cpu, now);
	loggen_close(gen);
	for (unsigned int cpu = 0; cpu < cpu_count; cpu++) {
		struct cpu *c = &cpus[cpu];

		c->thread = (struct evtlog_samples_thread) {
			.cpu = cpu, .pid = c->victim->pid,
			.begin_ticks = BASE + below(1000),
			.base_ticks = LOOP_TICKS, .threshold_ticks = 5 + below(30),
		};
		take_samples(c);
		threads[cpu] = c->thread;
		samples[cpu] = c->samples;
	}
	file.count = cpu_count;
	return loggen_save(gen, argv[1]) || samples_save(argv[2], &file) ? 1 : 0;
}
