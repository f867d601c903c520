/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles of tasks made from the events of a log: each task's call paths, with count, inclusive
 * and exclusive time, as kernel/evtlog/profile keeps them without a log.
 *
 *	user mode			exclusive: time in user mode
 *	  |-- system call 1
 *	  |     |-- blocked		a wait, inside the call that it interrupts
 *	  |     `-- irq 24		interrupts belong to the task that they interrupt
 *	  |           `-- softirq 3
 *	  `-- kernel			entered by an interrupt or exception
 *
 * Stage: fed with the events of a host's CPUs in the order of time, whatever reads them.  Times
 * are those of the caller, in ns.
 *
 * What a task was in before its first event in the log, or behind a gap, is not known: its time
 * is that of CALLPATH_UNKNOWN, until an edge of user mode tells.  If that is the end of user
 * mode, the time was user mode.  In a log without edges of user mode tasks have this alone, as
 * their first path.
 */
#ifndef EVTLOG_ANALYSIS_CALLPATHS_H
#define EVTLOG_ANALYSIS_CALLPATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct evtlog_event;

enum callpath_class {
	CALLPATH_STATE,		/* number: enum callpath_state */
	CALLPATH_SYSCALL,
	CALLPATH_COMPAT,
	CALLPATH_EXCEPTION,
	CALLPATH_IRQ,
	CALLPATH_VECTOR,
	CALLPATH_SOFTIRQ,
	CALLPATH_CLASSES
};

enum callpath_state {
	CALLPATH_USER,
	CALLPATH_KERNEL,
	CALLPATH_IDLE,
	CALLPATH_OUTSIDE,	/* of a log of one tree, instead of idle */
	CALLPATH_UNKNOWN,
	CALLPATH_RUNQUEUE,	/* this and what follows: the task has no CPU */
	CALLPATH_PREEMPTED,
	CALLPATH_INTERRUPTIBLE,
	CALLPATH_UNINTERRUPTIBLE,
	CALLPATH_STOPPED,
	CALLPATH_STATES
};

#define CALLPATH_ROOT	UINT32_MAX	/* as a parent: there is none */

/*
 * struct callpath - an event within what it is in
 * @parent:	number of the path that it is in; always below its own
 * @count:	how often it ended in the span
 * @inclusive, @exclusive, @largest: ns; parts outside of the span are left out
 * @largest_running: the largest without waits
 */
struct callpath {
	uint32_t parent;
	uint16_t class;
	uint16_t number;
	uint64_t count;
	uint64_t inclusive;
	uint64_t exclusive;
	uint64_t largest, largest_running;
};

/* A task's paths; the first is what it is in where no other says more. */
struct callpath_tree {
	struct callpath *at;
	uint32_t count;
	uint32_t capacity;
};

/*
 * struct callpath_task - of a pid, from a fork to the next
 * @cpu:	of an idle task its CPU's slot
 * @first_ns, @last_ns: of what is known of it
 */
struct callpath_task {
	uint32_t pid;
	uint32_t cpu;
	int64_t first_ns, last_ns;
	struct callpath_tree tree;
};

struct callpaths;

/*
 * struct callpath_span - what is asked for
 * @from_ns, @to_ns: time outside of it is not counted
 * @is_of_tree:	the log is of one tree: pid 0 is what is outside of it
 * @root:	CALLPATH_USER or CALLPATH_KERNEL of a task, never asked about idle ones;
 *		CALLPATH_UNKNOWN: the log has no edges of user mode
 */
struct callpath_span {
	int64_t from_ns;
	int64_t to_ns;
	bool is_of_tree;
	enum callpath_state (*root)(void *arg, uint32_t pid, const struct evtlog_event *event);
	void *arg;
};

/* Of a host's CPUs, slots below @slots.  0 or -ENOMEM; callpaths_free() it. */
int callpaths_new(struct callpaths **pathsp, unsigned int slots, const struct callpath_span *span);
void callpaths_free(struct callpaths *paths);

/* The next event of all CPUs; those of a CPU may begin before the span.  0 or -ENOMEM. */
int callpaths_take(struct callpaths *paths, unsigned int slot, const struct evtlog_event *event,
		   int64_t time_ns);

/* There are no more: what is open ends with the span.  0 or -ENOMEM. */
int callpaths_end(struct callpaths *paths);

/* Tasks, in the order in which they were first seen. */
size_t callpaths_count(const struct callpaths *paths);
const struct callpath_task *callpaths_at(const struct callpaths *paths, size_t number);

/* ns of CPUs of which nothing is known */
uint64_t callpaths_lost(const struct callpaths *paths);

/* Adds @from to @to, path by path.  0 or -ENOMEM. */
int callpath_tree_add(struct callpath_tree *to, const struct callpath_tree *from);
/* The path @class:@number within @parent, made if there is none: its number, or -ENOMEM. */
int64_t callpath_tree_find(struct callpath_tree *tree, uint32_t parent, unsigned int class,
			   unsigned int number);
void callpath_tree_free(struct callpath_tree *tree);

/* The task does not run in it. */
static inline bool callpath_is_wait(const struct callpath *path)
{
	return path->class == CALLPATH_STATE && path->number >= CALLPATH_RUNQUEUE;
}

/* "syscall", "irq", ...; of CALLPATH_STATE NULL */
const char *callpath_class_name(enum callpath_class class);
/* "user", "kernel", ... */
const char *callpath_state_name(enum callpath_state state);

#endif /* EVTLOG_ANALYSIS_CALLPATHS_H */
