/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The locations of a CPU: streams of tasks, the number of tasks, counters and messages.
 *
 * Stage: schedule.c and passes.c interpret events and call these functions; location.h writes.
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

/* Returns 0 or -ENOMEM. */
int cpu_init(struct host *host, struct cpu *cpu, unsigned int slot);
void cpu_free(struct host *host, struct cpu *cpu);

/* Begin and end of the wanted part: enter or leave the current regions of the CPU. */
void cpu_open(struct host *host, struct cpu *cpu, uint64_t time_ns);
void cpu_close(struct host *host, struct cpu *cpu, uint64_t time_ns);

/* Writes counters of finished intervals. */
void cpu_count_slow(struct host *host, struct cpu *cpu, uint64_t time_ns);

/* Shows the number of tasks. */
void cpu_show_count(struct host *host, struct cpu *cpu, uint64_t time_ns);

/* Shows the running task and everything nested in it. */
void cpu_show_running(struct host *host, struct cpu *cpu, uint64_t time_ns);

/* Leaves the region of stream 0, because a task runs. */
void cpu_clear_idle(struct host *host, struct cpu *cpu, uint64_t time_ns);

/* The state of the CPU is unknown from now on.  Shows @region, or nothing if it is NULL. */
void cpu_forget(struct host *host, struct cpu *cpu, uint64_t time_ns, const uint32_t *region);

/* A task comes to the CPU, to wait or to run.  If it waits, it gets a stream. */
void cpu_add(struct host *host, struct cpu *cpu, struct task *task, unsigned int state,
	     uint64_t time_ns);
/* The task leaves the CPU. */
void cpu_remove(struct host *host, struct cpu *cpu, struct task *task, uint64_t time_ns);

/* A task of the CPU starts to run, or is preempted and waits. */
void cpu_run(struct host *host, struct cpu *cpu, struct task *task);
void cpu_preempt(struct host *host, struct cpu *cpu, struct task *task, uint64_t time_ns);

/*
 * A message is received at @time_ns and sent 1 ns before, unless @from already has an event at
 * @time_ns.  If both have the same time, readers may take the receive event first, and ViTE 1.2
 * aborts if this is the first message.  For messages with the same time, call cpu_send() for all
 * before the first cpu_receive().
 */
void cpu_send(struct host *host, struct cpu *from, struct cpu *to, enum message message,
	      uint64_t time_ns);
void cpu_receive(struct host *host, struct cpu *from, struct cpu *to, enum message message,
		 uint64_t time_ns);

/* Sends and receives a message.  Returns false if the time or one of the CPUs is not wanted. */
bool cpu_message(struct host *host, struct cpu *from, struct cpu *to, enum message message,
		 uint64_t time_ns);

/* Returns the location for a record, and its time there; NULL if CPU or time is not wanted. */
struct location *cpu_record_location(struct host *host, struct cpu *cpu, uint64_t time_ns,
				     uint64_t *shownp);

/* Call it before any later event of the CPU is written. */
static inline void cpu_count_until(struct host *host, struct cpu *cpu, uint64_t time_ns)
{
	if (__builtin_expect(time_ns >= cpu->until_ns, 0))
		cpu_count_slow(host, cpu, time_ns);
}

static inline void cpu_count(struct host *host, struct cpu *cpu, uint64_t time_ns,
			     enum sched_number counter)
{
	cpu_count_until(host, cpu, time_ns);
	cpu->counters[counter]++;
}

/* ---- records.c ---- */

/*
 * Records that are neither states nor messages nor counters.  Each becomes a parameter of its CPU
 * with the name of the record; the fields become attributes.  The value is the pid of the running
 * task; -1 if unknown.
 */

/* Returns NULL without memory. */
struct records *records_new(void);
void records_free(struct records *records);

/* Writes a record if its CPU and time are wanted. */
void records_put(struct host *host, struct cpu *cpu, const struct evtlog_event *event);

#endif /* EVTLOG_OTF2_CPU_H */
