/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sampler: a kernel thread that logs, at an interval, what tasks are doing.
 *
 * control.c has the file and starts and stops the thread; thread.c waits for the next pass; pass.c
 * makes a pass over the tasks in members.c, with look.h for each of them.  The scheduler calls
 * nothing of this.
 */
#ifndef EVTLOG_SAMPLER_SAMPLER_H
#define EVTLOG_SAMPLER_SAMPLER_H

#include <linux/limits.h>
#include <linux/types.h>

struct task_struct;

#define SAMPLER_INTERVAL_MIN_NS	100000ULL
#define SAMPLER_INTERVAL_MAX_NS	10000000000ULL
#define SAMPLER_PID_ALL		0

/**
 * struct sampler_settings - settings
 * @is_on:	True: sample while a run is recorded
 * @interval_ns: time between the begins of two passes; 0: the kernel's tick
 * @pid:	root of the tree; SAMPLER_PID_ALL: all tasks
 * @names_tree, @names_interval: True: the written line contains the setting
 */
struct sampler_settings {
	bool is_on;
	u64 interval_ns;
	pid_t pid;
	bool names_tree;
	bool names_interval;
};

/* parse.c */
int sampler_parse(char *text, struct sampler_settings *settings);

/* Ids of the registered events */
struct sampler_events {
	int pass, cpu, task, policy;
};

/*
 * Payloads; their description in the grammar of abi.h is in control.c.
 *
 * For a task: its priority, where 255 is -1, the deadline class; and a letter of EVTLOG_STATES,
 * where R means that it runs on the CPU, and + that it waits for the CPU.
 */
#define SAMPLER_TASK_RECORD(pid, cpu, prio, state)			\
	((u64)(u32)(pid) | (u64)(u16)(cpu) << 32 | (u64)(u8)(prio) << 48 |	\
	 (u64)(u8)(state) << 56)

struct sampler_policy_record {
	u32 pid;
	u8 policy;
	s8 nice;
	u8 rt_priority;
	u8 unused;
};

struct sampler_cpu_record {
	u32 cpu;
	u32 nr_running;
};

/*
 * @pass:	number of the pass since boot
 * @begin:	ticks at its begin
 * @tasks, @cpus: number of these records in the pass, before this record, on the same CPU
 * @missed:	number of passes that were due since the last pass, but did not take place
 * @lost:	number of records of this pass without a buffer; plus one if there was no memory for
 *		all tasks, which are looked for again before the next pass
 * @unsure:	number of tasks that kept changing while they were looked at
 */
struct sampler_pass_record {
	u64 pass;
	u64 begin;
	u32 tasks;
	u32 cpus;
	u32 missed;
	u32 lost;
	u32 unsure;
	u32 unused;
};

#define SAMPLER_TOLD_NOTHING	U32_MAX

/**
 * struct sampler_member - a sampled task
 * @task:	the task, with a reference
 * @told:	policy in the task's last policy record
 */
struct sampler_member {
	struct task_struct *task;
	u32 told;
};

/* members.c: only for the thread */
int sampler_members_open(u32 trees);
void sampler_members_close(void);
void sampler_members_update(void);
struct sampler_member *sampler_members(unsigned int *nr);
void sampler_members_drop(unsigned int index);
bool sampler_members_lack(void);

/* pass.c: counts for status */
struct sampler_counts {
	u64 passes;
	u64 missed;
	u64 lost;
	unsigned int tasks;
};

extern struct sampler_counts sampler_counts;
void sampler_pass(const struct sampler_events *events, unsigned int missed);

/* thread.c */
int sampler_thread_start(const struct sampler_settings *settings, u32 trees,
			 const struct sampler_events *events);
void sampler_thread_stop(void);
bool sampler_thread_is_there(void);

#endif /* EVTLOG_SAMPLER_SAMPLER_H */
