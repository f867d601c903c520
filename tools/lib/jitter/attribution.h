/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * State of the replay: CPUs, tasks and their stacks, and wanted tasks outside of user mode.
 *
 * Stage: replay.c follows the events, cpu-state.c keeps the state of CPUs, and attribution.c keeps
 * the parts of each wanted task's interruption.
 */
#ifndef EVTLOG_LIB_JITTER_ATTRIBUTION_H
#define EVTLOG_LIB_JITTER_ATTRIBUTION_H

#include "internal.h"

#define FRAMES_MAX	16
#define KTHREADD_PID	2

/* Added to the vector of a VECTOR_ENTRY, so the number is above all record types. */
#define JITTER_OTHER_VECTOR	256

/*
 * @id:		number of the frame while it is open
 * @serial:	number of its interval; changes when its task sleeps
 */
struct frame {
	enum evtlog_jitter_kind kind;
	uint32_t number;
	uint64_t id;
	uint64_t serial;
};

/*
 * @source:	source of its current name; EVTLOG_JITTER_NONE: not looked up yet
 * @serial:	number of its interval
 * @asleep:	it neither runs nor is preempted
 * @on:		CPU on which it ran last
 * @off_user:	of a wanted task: for the current, last or next wanted part of its time; else NULL
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

/* An open interval.  @part: number of its part in the interruption. */
struct interval {
	uint64_t serial;
	const struct task *task;
	uint32_t part;
};

/*
 * A wanted task.  While @open, it is outside of user mode, in an interruption.
 * @next:	state of the next wanted part of its time; NULL if there is none
 * @last:	CPU on which it was seen last
 * @cpu:	CPU on which it waits while @open
 * @at:		all ticks up to this time are assigned to a part
 * @begins:	index of the first part of this interruption, the kernel's own, in the track's array
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
 * @current:	NULL if unknown
 * @off_users:	wanted tasks that wait here, @waiting of them
 * @turns:	NULL if not needed
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

/* Gets the state of a pid, which may be new.  Returns NULL if out of memory. */
struct task *jitter_task_get(struct replay *replay, uint32_t pid);
void jitter_task_fork(struct replay *replay, const struct evtlog_event *event);
/* The name may change at this time. */
void jitter_task_rename(struct replay *replay, uint32_t pid, uint64_t now);

/* The CPU's state before is unknown; the running task is known from now on. */
void jitter_cpu_start(struct replay *replay, struct cpu *cpu, const struct evtlog_event *event);
/* The CPU's events are missing in this time. */
void jitter_cpu_lose(struct replay *replay, struct cpu *cpu, uint64_t from, uint64_t to,
		     uint64_t records);
/* A handler begins or ends. */
void jitter_cpu_enter(struct replay *replay, struct cpu *cpu, uint64_t now,
		      enum evtlog_jitter_kind kind, uint32_t number);
void jitter_cpu_leave(struct replay *replay, struct cpu *cpu, uint64_t now,
		      enum evtlog_jitter_kind kind, uint32_t number);
void jitter_cpu_switch(struct replay *replay, struct cpu *cpu, const struct evtlog_event *event);
void jitter_cpu_user_enter(struct replay *replay, struct cpu *cpu,
			   const struct evtlog_event *event);
void jitter_cpu_user_exit(struct replay *replay, struct cpu *cpu,
			  const struct evtlog_event *event);
/* The record follows the exit from the stretch of user mode in which the NMIs came. */
void jitter_cpu_user_nmi(struct replay *replay, struct cpu *cpu,
			 const struct evtlog_event *event);

/* ---- attribution.c ---- */

/* Adds a time for which events are missing.  Returns 0 or -ENOMEM. */
int track_lose(struct jitter_track *track, uint64_t from, uint64_t to, uint64_t records);

/* Switches to the next wanted part of the task's time if it has begun. */
void off_user_advance(struct task *task, uint64_t now);
/* The task leaves user mode. */
void off_user_begin(struct replay *replay, struct off_user *off_user, struct cpu *cpu,
		    uint64_t now);
/* The task enters user mode: the interruption is complete. */
void off_user_close(struct replay *replay, struct off_user *off_user, uint64_t now);
/* Events are missing in the interruption: it is excluded. */
void off_user_spoil(struct replay *replay, struct off_user *off_user, uint64_t now);
/* NMIs came before the task last left user mode. */
void off_user_nmi(struct replay *replay, struct off_user *off_user, uint64_t count,
		  uint64_t ticks, uint64_t last);

/* Charges the time up to @now to the innermost source of @task, which runs. */
void off_user_charge(struct off_user *off_user, const struct task *task, uint64_t now);
/* The task runs on @cpu and waits there from now on. */
void off_user_arrive(struct replay *replay, struct off_user *off_user, struct cpu *cpu,
		     uint64_t now);
/* @task begins to run.  @starts: it slept before.  Both return 0 or -ENOMEM. */
int off_user_task(struct replay *replay, struct off_user *off_user, struct task *task,
		  uint64_t now, bool starts);
int off_user_frame(struct replay *replay, struct off_user *off_user, const struct task *task,
		   const struct frame *frame, uint64_t now);
/* @task stops running. */
void off_user_go(struct off_user *off_user, const struct task *task, uint64_t now,
		 bool sleeps);
void off_user_end_frame(struct off_user *off_user, const struct task *task,
			const struct frame *frame, uint64_t now);
void off_user_free(struct off_user *off_user);

#endif /* EVTLOG_LIB_JITTER_ATTRIBUTION_H */
