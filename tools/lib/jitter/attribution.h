/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The state of the replay: CPUs, tasks and their stacks, and wanted tasks off user mode.
 *
 * Stage: between replay.c, which follows the events, cpu-state.c, which knows what
 * goes on on a CPU, and attribution.c, which keeps the parts of each wanted task's
 * interruption.
 */
#ifndef EVTLOG_LIB_JITTER_ATTRIBUTION_H
#define EVTLOG_LIB_JITTER_ATTRIBUTION_H

#include "internal.h"

#define FRAMES_MAX	16
#define KTHREADD_PID	2

/* Added to the vector of a VECTOR_ENTRY: above all types of records. */
#define JITTER_OTHER_VECTOR	256

/*
 * @id:		of the frame as long as it is open
 * @serial:	of its interval: another one when its task slept
 */
struct frame {
	enum evtlog_jitter_kind kind;
	uint32_t number;
	uint64_t id;
	uint64_t serial;
};

/*
 * @source:	by its present name; EVTLOG_JITTER_NONE: not asked yet
 * @serial:	of its interval
 * @asleep:	it does not run, and is not preempted
 * @on:		the CPU that it ran on last
 * @off_user:	of a wanted task, that of its present part, or of the last or the next; else NULL
 */
struct task {
	uint32_t pid;
	uint32_t source;
	uint64_t serial;
	bool asleep;
	bool kernel_thread;
	unsigned int depth;
	const struct cpu *on;
	struct off_user *off_user;
	struct frame frames[FRAMES_MAX];
};

/* An interval that goes on: @part is the number of its part in the interruption. */
struct interval {
	uint64_t serial;
	const struct task *task;
	uint32_t part;
};

/*
 * A wanted task, and where it is: off user mode, in an interruption, while @open.
 * @next:	the one with the next part of its time that is wanted; NULL: there is none
 * @last:	the CPU it was last seen on
 * @cpu:	the one that it waits on, while @open
 * @at:		all ticks up to here belong to a part
 * @begins:	of the parts of this interruption, in the track's array: the first is the
 *		kernel's own
 */
struct off_user {
	struct jitter_track *track;
	struct task *task;
	struct off_user *next;
	uint32_t number;
	bool open;
	bool in_user;
	struct cpu *last;
	struct cpu *cpu;
	uint64_t leave;
	uint64_t left;
	uint64_t at;
	uint64_t user_since;
	size_t begins;
	struct interval *intervals;
	size_t interval_count;
	size_t interval_capacity;
};

/*
 * @current:	NULL: nobody knows
 * @off_users:	@waiting of them wait here
 * @turns:	NULL: nobody wants them
 */
struct cpu {
	uint32_t number;
	unsigned int slot;
	struct task *current;
	struct task idle;
	struct off_user **off_users;
	size_t waiting;
	size_t capacity;
	struct jitter_turns *turns;
};

struct replay {
	struct evtlog_jitter *jitter;
	struct evtlog_tasks *names;
	struct cpu *cpus;
	unsigned int cpu_count;
	struct cpu **by_number;
	uint32_t cpu_limit;
	struct task **tasks;
	size_t task_count;
	size_t task_capacity;
	struct key_table by_pid;	/* of tasks */
	struct off_user *off_users;
	size_t off_user_count;
	uint64_t serial;
	uint64_t seen;
	uint64_t interruptions;
	bool begun;
	uint64_t first_ticks;
	uint64_t first_ns;
	uint64_t last_ticks;
	uint64_t last_ns;
	int failed;
};

/* ---- cpu-state.c ---- */

/* What is known of a pid, of which nothing may be; NULL when out of memory. */
struct task *jitter_task_get(struct replay *replay, uint32_t pid);
void jitter_task_fork(struct replay *replay, const struct evtlog_event *event);
/* The name may be another one from here on. */
void jitter_task_rename(struct replay *replay, uint32_t pid, uint64_t now);

/* Nothing is known of the CPU before, only who runs from now on. */
void jitter_cpu_start(struct replay *replay, struct cpu *cpu, const struct evtlog_event *event);
/* Nothing is known of that time on the CPU. */
void jitter_cpu_lose(struct replay *replay, struct cpu *cpu, uint64_t from, uint64_t to,
		     uint64_t records);
/* A handler begins, and ends. */
void jitter_cpu_enter(struct replay *replay, struct cpu *cpu, uint64_t now,
		      enum evtlog_jitter_kind kind, uint32_t number);
void jitter_cpu_leave(struct replay *replay, struct cpu *cpu, uint64_t now,
		      enum evtlog_jitter_kind kind, uint32_t number);
void jitter_cpu_switch(struct replay *replay, struct cpu *cpu, const struct evtlog_event *event);
void jitter_cpu_user_enter(struct replay *replay, struct cpu *cpu,
			   const struct evtlog_event *event);
void jitter_cpu_user_exit(struct replay *replay, struct cpu *cpu,
			  const struct evtlog_event *event);
/* Told behind the exit from the segment of user mode in which they came. */
void jitter_cpu_user_nmi(struct replay *replay, struct cpu *cpu,
			 const struct evtlog_event *event);

/* ---- attribution.c ---- */

/* Nothing is known of that time.  Returns 0 or -ENOMEM. */
int track_lose(struct jitter_track *track, uint64_t from, uint64_t to, uint64_t records);

/* The next part of a task's time that is wanted may have begun. */
void off_user_advance(struct task *task, uint64_t now);
/* The task left user mode. */
void off_user_begin(struct replay *replay, struct off_user *off_user, struct cpu *cpu,
		    uint64_t now);
/* It enters it again: the interruption is whole. */
void off_user_close(struct replay *replay, struct off_user *off_user, uint64_t now);
/* What was lost makes it worthless. */
void off_user_spoil(struct replay *replay, struct off_user *off_user, uint64_t now);
/* NMIs came before the task last left user mode. */
void off_user_nmi(struct replay *replay, struct off_user *off_user, uint64_t count,
		  uint64_t ticks, uint64_t last);

/* The time up to @now belongs to what @task, which runs, is in. */
void off_user_charge(struct off_user *off_user, const struct task *task, uint64_t now);
/* The task runs on @cpu: it waits there, from now on. */
void off_user_arrive(struct replay *replay, struct off_user *off_user, struct cpu *cpu,
		     uint64_t now);
/* @task comes to run; @starts: it slept.  Return 0 or -ENOMEM, both. */
int off_user_task(struct replay *replay, struct off_user *off_user, struct task *task,
		  uint64_t now, bool starts);
int off_user_frame(struct replay *replay, struct off_user *off_user, const struct task *task,
		   const struct frame *frame, uint64_t now);
/* @task runs no more. */
void off_user_go(struct off_user *off_user, const struct task *task, uint64_t now,
		 bool sleeps);
void off_user_end_frame(struct off_user *off_user, const struct task *task,
			const struct frame *frame, uint64_t now);
void off_user_free(struct off_user *off_user);

#endif /* EVTLOG_LIB_JITTER_ATTRIBUTION_H */
