// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a log that has records of every type, each a different number of times, and no losses.
 *
 * Stage: makes input for tests of programs that omit some types. Task 20 is named before, after an
 * exec after, and after a rename renamed; the place of task 999 is unknown.
 */
#include <stdio.h>
#include <string.h>

#include "loggen.h"

#define TEN		10
#define ELEVEN		11
#define NAMED		20
#define CHILD		21
#define NOWHERE		999

enum state { RUNNING = 0, SLEEPING = 1, DEAD = 5, PREEMPTED = 9 };

static struct loggen *gen;
static uint64_t now;

static void put(unsigned int cpu, unsigned int type, uint32_t data, unsigned int words,
		const uint64_t *more)
{
	now += 1000;
	loggen_record(gen, cpu, now, type, data, words, more);
}

static void put_switch(unsigned int cpu, uint32_t next, enum state state, const char *comm)
{
	put(cpu, EVTLOG_SCHED_SWITCH, next | (uint32_t)state << EVTLOG_PID_BITS, 1, NULL);
	loggen_running(gen, cpu, comm);
}

/* Writes @count pairs of entry and exit. */
static void put_pair(unsigned int cpu, unsigned int entry, unsigned int exit, uint32_t number,
		     unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		put(cpu, entry, number, 1, NULL);
		put(cpu, exit, number, 1, NULL);
	}
}

static void put_snapshot(uint32_t pid, uint32_t cpu, enum state state, const char *comm)
{
	uint64_t more[6] = { pid | UINT64_C(1) << 32, 1000 + pid, cpu, 0 };

	loggen_comm(more + 4, comm);
	put(0, EVTLOG_TASK, pid | (uint32_t)state << EVTLOG_PID_BITS, 7, more);
}

static void put_interrupts(void)
{
	put_pair(0, EVTLOG_SOFTIRQ_ENTRY, EVTLOG_SOFTIRQ_EXIT, 1, 2);
	put_pair(0, EVTLOG_IRQ_HANDLER_ENTRY, EVTLOG_IRQ_HANDLER_EXIT, 24, 3);
	put_pair(0, EVTLOG_LOCAL_TIMER_ENTRY, EVTLOG_LOCAL_TIMER_EXIT, 0xec, 4);
	put_pair(0, EVTLOG_RESCHEDULE_ENTRY, EVTLOG_RESCHEDULE_EXIT, 0xfd, 5);
	put_pair(0, EVTLOG_CALL_FUNCTION_ENTRY, EVTLOG_CALL_FUNCTION_EXIT, 0xfc, 6);
	put_pair(0, EVTLOG_CALL_FUNCTION_SINGLE_ENTRY, EVTLOG_CALL_FUNCTION_SINGLE_EXIT, 0xfb, 7);
	put_pair(0, EVTLOG_IRQ_WORK_ENTRY, EVTLOG_IRQ_WORK_EXIT, 0xf6, 8);
	put_pair(0, EVTLOG_VECTOR_ENTRY, EVTLOG_VECTOR_EXIT, 0xf7, 9);
	put_pair(0, EVTLOG_EXCEPTION_ENTRY, EVTLOG_EXCEPTION_EXIT, 14, 3);
	/* An exception that ends before it begins has only an exit. */
	put(0, EVTLOG_EXCEPTION_EXIT, 13, 1, NULL);
	put_pair(0, EVTLOG_USER_EXIT, EVTLOG_USER_ENTER, EVTLOG_USER_EXIT_SYSCALL | 39 << 2, 5);
	put_pair(0, EVTLOG_USER_EXIT, EVTLOG_USER_ENTER, EVTLOG_USER_EXIT_OTHER, 2);
}

/* Task 20 runs twice on CPU 1: called before and after each change of its name. */
static void run_named(const char *comm)
{
	for (unsigned int i = 0; i < 2; i++) {
		put(0, EVTLOG_SCHED_WAKING, NAMED, 1, NULL);
		put_switch(1, NAMED, RUNNING, comm);
		put_switch(1, ELEVEN, SLEEPING, "eleven");
	}
}

static void put_tasks(void)
{
	uint64_t exec[3] = { NAMED | (uint64_t)NAMED << 32 }, rename[2];
	uint64_t fork[4] = { TEN | (uint64_t)CHILD << 32, 1000 };

	put_snapshot(TEN, 0, RUNNING, "ten");
	put_snapshot(ELEVEN, 1, RUNNING, "eleven");
	put_snapshot(NAMED, 1, SLEEPING, "before");
	run_named("before");
	loggen_comm(exec + 1, "after");
	put(0, EVTLOG_SCHED_PROCESS_EXEC, NAMED, 4, exec);
	run_named("after");
	loggen_comm(rename, "renamed");
	for (unsigned int i = 0; i < 2; i++)
		put(0, EVTLOG_TASK_RENAME, NAMED, 3, rename);
	run_named("renamed");
	for (unsigned int i = 0; i < 3; i++)
		put(0, EVTLOG_SCHED_WAKING, NOWHERE, 1, NULL);
	loggen_comm(fork + 2, "child");
	put(0, EVTLOG_SCHED_PROCESS_FORK, CHILD, 5, fork);
	put(0, EVTLOG_SCHED_WAKEUP_NEW, CHILD, 2, (uint64_t[]) { UINT64_C(120) << 32 });
	put(0, EVTLOG_SCHED_MIGRATE_TASK, CHILD, 2, (uint64_t[]) { UINT64_C(1) << 32 });
	/* The source is unknown, and the target is not a CPU. */
	put(0, EVTLOG_SCHED_MIGRATE_TASK, NOWHERE, 2, (uint64_t[]) { UINT64_C(7) << 32 | 7 });
	put(0, EVTLOG_SCHED_WAKEUP_NEW, NOWHERE, 2, (uint64_t[]) { UINT64_C(120) << 32 | 7 });
	put_switch(1, CHILD, PREEMPTED, "child");
	put(1, EVTLOG_SCHED_PROCESS_EXIT, CHILD, 2, (uint64_t[]) { CHILD | UINT64_C(3) << 40 });
	put_switch(1, ELEVEN, DEAD, "eleven");
}

static void put_points(void)
{
	static const struct {
		unsigned int type;
		uint32_t data;
		unsigned int words;
		unsigned int count;
	} points[] = {
		{ EVTLOG_COUNTER, EVTLOG_COUNTER_SWITCHES << 1, 2, 2 },
		{ EVTLOG_PUT, 3, 2, 4 },
		{ EVTLOG_PUT_AT, 4, 3, 5 },
		{ EVTLOG_ICMP_RX, 8, 5, 6 },
		{ EVTLOG_ICMP_TX, 0, 4, 7 },
		{ EVTLOG_REMOTE, 1, 8, 8 },
		{ EVTLOG_REMOTE_BOOST, NAMED, 2, 9 },
		{ EVTLOG_REMOTE_UNBOOST, NAMED, 2, 10 },
		{ EVTLOG_USER_NMI, 1, 3, 11 },
	};
	const uint64_t more[7] = { 0 };

	for (unsigned int i = 0; i < sizeof(points) / sizeof(*points); i++)
		for (unsigned int k = 0; k < points[i].count; k++)
			put(1, points[i].type, points[i].data, points[i].words, more);
}

/* One event has a format, the other none. */
static void put_events(void)
{
	struct {
		uint32_t number, again;
		char text[8];
	} payload = { 5, 6, "text" };

	loggen_format(gen, 0, ++now, 1, "probe\nnumber:0:4:u again:4:4:d text:8:8:c raw:4:4:b\n");
	for (unsigned int i = 0; i < 12; i++)
		loggen_event(gen, i % 2, now += 1000, 1, &payload, sizeof(payload));
	for (unsigned int i = 0; i < 3; i++)
		loggen_event(gen, 0, now += 1000, 2, &payload, sizeof(payload));
}

/* As in a named buffer that has ended: tasks at the time of its last event */
static void list_tasks(void)
{
	uint64_t words[7] = { (uint64_t)EVTLOG_TASK << EVTLOG_TYPE_SHIFT | UINT64_C(99) << EVTLOG_DATA_SHIFT, 99, 5 };

	loggen_comm(&words[5], "listed");
	loggen_tasks(gen, UINT64_MAX, words, sizeof(words) / sizeof(*words));
}

int main(int argc, char **argv)
{
	struct loggen_options options = loggen_defaults();
	int error;

	if (argc != 2)
		return 2;
	options.cpus = 2;
	options.buffer_bytes = 65536;
	options.meta = "machine=x86_64\n";
	gen = loggen_new(&options);
	now = options.boot_ticks + 1000000;
	loggen_begin(gen, 0, now, TEN, "ten");
	loggen_begin(gen, 1, now, ELEVEN, "eleven");
	put_tasks();
	put_interrupts();
	put_points();
	put_events();
	/* A time with another upper half */
	now += UINT64_C(1) << 32;
	put(0, EVTLOG_PUT, 3, 2, (uint64_t[]) { 0 });
	loggen_end(gen, 0, ++now);
	loggen_end(gen, 1, now);
	list_tasks();
	loggen_close(gen);
	error = loggen_save(gen, argv[1]);
	loggen_free(gen);
	return error ? 1 : 0;
}
