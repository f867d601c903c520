/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The locations of a CPU: which task is in which stream, the number of tasks, counters and
 * messages.
 *
 * It does not know events: schedule.c says what they mean.
 */
#ifndef EVTLOG_OTF2_CPU_H
#define EVTLOG_OTF2_CPU_H

#include "host.h"

enum message {
	MESSAGE_FORK = 1,
	MESSAGE_JOIN,
	MESSAGE_MIGRATION,
	MESSAGE_WAKEUP,
};

/* 0 or -ENOMEM. */
int cpu_init(struct host *host, struct cpu *cpu, unsigned int slot);
void cpu_free(struct host *host, struct cpu *cpu);

/* The part that is wanted begins, or ends, with what the CPU is in. */
void cpu_open(struct host *host, struct cpu *cpu, uint64_t time_ns);
void cpu_close(struct host *host, struct cpu *cpu, uint64_t time_ns);

/* Writes counters of intervals that are over. */
void cpu_count_slow(struct host *host, struct cpu *cpu, uint64_t time_ns);

/* The number of tasks, or whatever it is in instead, is shown. */
void cpu_show_count(struct host *host, struct cpu *cpu, uint64_t time_ns);

/* What runs on the CPU, and all that is nested in it, is shown. */
void cpu_show_running(struct host *host, struct cpu *cpu, uint64_t time_ns);

/* A task runs: what ran before was none. */
void cpu_clear_idle(struct host *host, struct cpu *cpu, uint64_t time_ns);

/* Nothing is known any more: it shows @region, NULL: nothing. */
void cpu_forget(struct host *host, struct cpu *cpu, uint64_t time_ns, const uint32_t *region);

/* A task comes to the CPU, to wait there or to run, and gets a stream if it waits. */
void cpu_add(struct host *host, struct cpu *cpu, struct task *task, unsigned int state,
	     uint64_t time_ns);
/* It goes. */
void cpu_remove(struct host *host, struct cpu *cpu, struct task *task, uint64_t time_ns);

/* A task that is there runs, or the one that ran waits. */
void cpu_run(struct host *host, struct cpu *cpu, struct task *task);
void cpu_preempt(struct host *host, struct cpu *cpu, struct task *task, uint64_t time_ns);

/*
 * A message is received at @time_ns and sent 1 ns before that, unless @from has something at
 * @time_ns: readers of both at one time may take the receiver's first, and ViTE 1.2 aborts if
 * that is the first message.  Of several messages of one time all are sent before the first is
 * received.
 */
void cpu_send(struct host *host, struct cpu *from, struct cpu *to, enum message message,
	      uint64_t time_ns);
void cpu_receive(struct host *host, struct cpu *from, struct cpu *to, enum message message,
		 uint64_t time_ns);

/* Sends and receives a message at the same time; false: the time or one of the CPUs is not wanted. */
bool cpu_message(struct host *host, struct cpu *from, struct cpu *to, enum message message,
		 uint64_t time_ns);

/* The location of a record that becomes a parameter, and its time there; NULL: the CPU or the time is not wanted. */
struct location *cpu_record_location(struct host *host, struct cpu *cpu, uint64_t time_ns,
				     uint64_t *shownp);

/* Before anything later is written of the CPU. */
static inline void cpu_count_until(struct host *host, struct cpu *cpu, uint64_t time_ns)
{
	if (__builtin_expect(time_ns >= cpu->until_ns, 0))
		cpu_count_slow(host, cpu, time_ns);
}

static inline void cpu_count(struct host *host, struct cpu *cpu, uint64_t time_ns,
			     enum counter counter)
{
	cpu_count_until(host, cpu, time_ns);
	cpu->counters[counter]++;
}

/* ---- records.c ---- */

/*
 * Records that are neither states nor messages nor counters: each becomes a parameter of its CPU, with the name
 * of the record, and its fields become attributes.  The value is the pid of the task that runs; -1: unknown.
 */

/* NULL: no memory. */
struct records *records_new(void);
void records_free(struct records *records);

/* Writes a record, if its CPU and time are wanted. */
void records_put(struct host *host, struct cpu *cpu, const struct evtlog_event *event);

#endif /* EVTLOG_OTF2_CPU_H */
