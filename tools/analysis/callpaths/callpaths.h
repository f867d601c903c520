/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles of tasks from the events of a log: the call paths of each task, with count, inclusive
 * and exclusive time. kernel/evtlog/profile keeps the same without a log.
 *
 *	user mode			exclusive: time in user mode
 *	  |-- system call 1
 *	  |     |-- blocked		a wait, inside the call that it interrupts
 *	  |     `-- irq 24		interrupts belong to the task that they interrupt
 *	  |           `-- softirq 3
 *	  `-- kernel			entered by an interrupt or exception
 *
 * Stage: takes the events of a host's CPUs in order of time, from any source. Times are those of
 * the caller, in ns.
 *
 * lib/replay defines what a loss hides. The context of a task is unknown before its first event in
 * the log, and after its state was unknown. Its time is charged to CALLPATH_UNKNOWN until it enters
 * or leaves user mode. If it leaves user mode, this time was user mode. In a log without entries
 * and exits of user mode, CALLPATH_UNKNOWN is the root of all tasks but idle ones.
 */
#ifndef EVTLOG_ANALYSIS_CALLPATHS_H
#define EVTLOG_ANALYSIS_CALLPATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct evtlog_event;
struct evtlog_file;

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
	CALLPATH_OUTSIDE,	/* instead of idle, in a log of one tree */
	CALLPATH_UNKNOWN,
	CALLPATH_RUNQUEUE,	/* from here on: the task has no CPU */
	CALLPATH_PREEMPTED,
	CALLPATH_INTERRUPTIBLE,
	CALLPATH_UNINTERRUPTIBLE,
	CALLPATH_STOPPED,
	CALLPATH_STATES
};

#define CALLPATH_ROOT	UINT32_MAX	/* as @parent: no parent */

/*
 * struct callpath - an event, and the path of events that contain it
 * @parent:	number of the path that contains it; always less than its own number
 * @count:	how often it ended in the span
 * @inclusive, @exclusive, @largest: ns; only parts in the span
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

/* The paths of a task. The first path is its root. */
struct callpath_tree {
	struct callpath *at;
	uint32_t count;
	uint32_t capacity;
};

/*
 * struct callpath_task - a task with a pid, from a fork to the next fork with this pid
 * @cpu:	for an idle task: slot of its CPU
 * @first_ns, @last_ns: time for which the task is known
 */
struct callpath_task {
	uint32_t pid;
	uint32_t cpu;
	int64_t first_ns, last_ns;
	struct callpath_tree tree;
};

struct callpaths;

/*
 * struct callpath_span - what to compute
 * @from_ns, @to_ns: time outside is not counted
 * @is_of_tree:	the log is of one tree: pid 0 is the time outside of the tree
 * @root:	returns the root of a task that is not idle: CALLPATH_USER or CALLPATH_KERNEL;
 *		CALLPATH_UNKNOWN if the log has no entries and exits of user mode
 */
struct callpath_span {
	int64_t from_ns;
	int64_t to_ns;
	bool is_of_tree;
	enum callpath_state (*root)(void *arg, uint32_t pid, const struct evtlog_event *event);
	void *arg;
};

/* For the CPUs of a host's log. 0 or -ENOMEM; free with callpaths_free(). */
int callpaths_new(struct callpaths **pathsp, const struct evtlog_file *file,
		  const struct callpath_span *span);
void callpaths_free(struct callpaths *paths);

/* Takes the next event of all CPUs. A CPU may begin before the span. 0 or -ENOMEM. */
int callpaths_take(struct callpaths *paths, const struct evtlog_event *event, int64_t time_ns);

/* Takes the begin of a gap, before later events. @event, which ends it, is still to come. */
int callpaths_take_gap(struct callpaths *paths, const struct evtlog_event *event, int64_t time_ns);

/* Call it after the last event: open paths end with the span. 0 or -ENOMEM. */
int callpaths_end(struct callpaths *paths);

/* Tasks, in the order of their first events */
size_t callpaths_count(const struct callpaths *paths);
const struct callpath_task *callpaths_at(const struct callpaths *paths, size_t number);

/* ns for which the running tasks of CPUs are unknown */
uint64_t callpaths_lost(const struct callpaths *paths);

/* Adds @from to @to, path by path.  0 or -ENOMEM. */
int callpath_tree_add(struct callpath_tree *to, const struct callpath_tree *from);
/* Finds or adds the path @class:@number within @parent. Returns its number, or -ENOMEM. */
int64_t callpath_tree_find(struct callpath_tree *tree, uint32_t parent, unsigned int class,
			   unsigned int number);
void callpath_tree_free(struct callpath_tree *tree);

/* Returns true if the task does not run in this path. */
static inline bool callpath_is_wait(const struct callpath *path)
{
	return path->class == CALLPATH_STATE && path->number >= CALLPATH_RUNQUEUE;
}

/* "syscall", "irq", ...; NULL for CALLPATH_STATE */
const char *callpath_class_name(enum callpath_class class);
/* "user", "kernel", ... */
const char *callpath_state_name(enum callpath_state state);

#endif /* EVTLOG_ANALYSIS_CALLPATHS_H */
