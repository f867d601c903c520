// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Follows tasks from event to event: what each task is in, on which CPU, and since when.
 */
#include <errno.h>
#include <stdlib.h>

#include <evtlog/evtlog.h>

#include "analysis/callpaths/follow.h"
#include "lib/base/array.h"
#include "lib/codec/record-class.h"

/* @running: number of the running task, with time counted up to @since_ns; NOBODY if unknown */
struct cpu {
	size_t running;
	size_t idle;
	int64_t since_ns;
	bool begun;
};

#define NOBODY	SIZE_MAX

/* @by_pid: number of the task that has the pid now, + 1 */
struct callpaths {
	struct callpath_span span;
	struct followed **tasks;
	size_t count, capacity;
	uint32_t *by_pid;
	struct cpu *cpus;
	unsigned int slots;
	uint32_t round;
	uint64_t lost_ns;
};

int callpaths_new(struct callpaths **pathsp, unsigned int slots, const struct callpath_span *span)
{
	struct callpaths *paths = calloc(1, sizeof(*paths));

	*pathsp = NULL;
	if (!paths)
		return -ENOMEM;
	paths->span = *span;
	paths->slots = slots;
	paths->by_pid = calloc((size_t)1 << EVTLOG_PID_BITS, sizeof(*paths->by_pid));
	paths->cpus = calloc(slots + 1, sizeof(*paths->cpus));
	if (!paths->by_pid || !paths->cpus) {
		callpaths_free(paths);
		return -ENOMEM;
	}
	for (unsigned int i = 0; i < slots; i++)
		paths->cpus[i] = (struct cpu) { .running = NOBODY, .idle = NOBODY };
	*pathsp = paths;
	return 0;
}

void callpaths_free(struct callpaths *paths)
{
	if (!paths)
		return;
	for (size_t i = 0; i < paths->count; i++) {
		callpath_tree_free(&paths->tasks[i]->public.tree);
		free(paths->tasks[i]);
	}
	free(paths->tasks);
	free(paths->by_pid);
	free(paths->cpus);
	free(paths);
}

size_t callpaths_count(const struct callpaths *paths)
{
	return paths->count;
}

const struct callpath_task *callpaths_at(const struct callpaths *paths, size_t number)
{
	return &paths->tasks[number]->public;
}

uint64_t callpaths_lost(const struct callpaths *paths)
{
	return paths->lost_ns;
}

static int add_task(struct callpaths *paths, uint32_t pid, unsigned int slot,
		    enum callpath_state root, int64_t time_ns, size_t *number)
{
	struct followed *task;
	int error;

	if (array_reserve(&paths->tasks, &paths->capacity, paths->count, sizeof(*paths->tasks)))
		return -ENOMEM;
	task = calloc(1, sizeof(*task));
	if (!task)
		return -ENOMEM;
	task->public.pid = pid;
	task->public.cpu = slot;
	task->round = paths->round;
	task->public.first_ns = time_ns;
	task->public.last_ns = time_ns;
	*number = paths->count;
	paths->tasks[paths->count++] = task;
	error = follow_push(task, CALLPATH_STATE, root, time_ns);
	return error ? error : follow_unknown(task, time_ns);
}

/* Finds or adds the task that has a pid now; NOBODY if it is unknown. */
static int find_task(struct callpaths *paths, unsigned int slot, uint32_t pid,
		     const struct evtlog_event *event, int64_t time_ns, size_t *number)
{
	int error;

	*number = NOBODY;
	if (pid >= 1u << EVTLOG_PID_BITS || slot >= paths->slots)
		return 0;
	if (!pid) {
		*number = paths->cpus[slot].idle;
		if (*number != NOBODY)
			return 0;
		error = add_task(paths, 0, slot,
				 paths->span.is_of_tree ? CALLPATH_OUTSIDE : CALLPATH_IDLE,
				 time_ns, number);
		paths->cpus[slot].idle = error ? NOBODY : *number;
		return error;
	}
	if (paths->by_pid[pid]) {
		*number = paths->by_pid[pid] - 1;
		return 0;
	}
	error = add_task(paths, pid, slot, paths->span.root(paths->span.arg, pid, event), time_ns,
			 number);
	if (!error)
		paths->by_pid[pid] = *number + 1;
	return error;
}

static enum callpath_state off_state(unsigned int state)
{
	switch (state) {
	case EVTLOG_STATE_PREEMPTED:
	case 0:
		return CALLPATH_PREEMPTED;
	case 1:
	case 8:			/* idle kernel threads: they sleep without load */
		return CALLPATH_INTERRUPTIBLE;
	case 2:
		return CALLPATH_UNINTERRUPTIBLE;
	default:
		return CALLPATH_STOPPED;
	}
}

static int take_switch(struct callpaths *paths, unsigned int slot,
		       const struct evtlog_event *event, struct followed *previous,
		       int64_t time_ns)
{
	struct cpu *cpu = &paths->cpus[slot];
	struct followed *next;
	int error;

	if (previous) {
		previous->off_state = off_state(evtlog_switch_state(event->words));
		previous->off_ns = time_ns;
		previous->is_off = true;
		/* The task sleeps from now on. An earlier wake-up was before this sleep. */
		previous->is_woken = false;
		if (previous->ended && previous->public.pid)
			paths->by_pid[previous->public.pid] = 0;
	}
	error = find_task(paths, slot, evtlog_record_pid(event->words), event, time_ns,
			  &cpu->running);
	if (error || cpu->running == NOBODY)
		return error;
	next = paths->tasks[cpu->running];
	error = follow_forget(&paths->span, next, paths->round, time_ns);
	if (!error)
		error = follow_charge_off(&paths->span, next, time_ns, true);
	next->is_off = false;
	return error;
}

static void take_waking(struct callpaths *paths, uint32_t pid, int64_t time_ns)
{
	struct followed *task;

	if (!pid || pid >= 1u << EVTLOG_PID_BITS || !paths->by_pid[pid])
		return;
	task = paths->tasks[paths->by_pid[pid] - 1];
	if (!task->is_off || task->is_woken || task->round != paths->round)
		return;
	task->is_woken = true;
	task->woken_ns = time_ns;
}

/* A child is runnable from its fork, in the system call that forked it. */
static int take_fork(struct callpaths *paths, unsigned int slot,
		     const struct evtlog_event *event, int64_t time_ns)
{
	uint32_t pid = evtlog_record_pid(event->words);
	struct followed *task;
	size_t number;
	int error;

	if (!pid || pid >= 1u << EVTLOG_PID_BITS)
		return 0;
	paths->by_pid[pid] = 0;
	error = find_task(paths, slot, pid, event, time_ns, &number);
	if (error || number == NOBODY)
		return error;
	task = paths->tasks[number];
	follow_pop_to(&paths->span, task, 1, time_ns, false);
	if (task->public.tree.at[0].number == CALLPATH_USER)
		error = follow_push(task, CALLPATH_STATE, CALLPATH_KERNEL, time_ns);
	task->is_off = true;
	task->off_state = CALLPATH_RUNQUEUE;
	task->off_ns = time_ns;
	return error;
}

static int take_user_exit(struct callpaths *paths, struct followed *task,
			  const struct evtlog_event *event, int64_t time_ns)
{
	unsigned int nr = evtlog_data(event->words, 2, 16), class = CALLPATH_STATE;

	if (task->public.tree.at[0].number != CALLPATH_USER)
		return 0;
	if (follow_is_unknown(task)) {
		/* The task was in user mode, which ends now. */
		struct callpath *unknown = follow_top(task);

		unknown->exclusive -= task->unknown_ns;
		unknown->inclusive -= task->unknown_ns;
		task->public.tree.at[0].exclusive += task->unknown_ns;
		task->unknown_ns = 0;
	}
	follow_pop_to(&paths->span, task, 1, time_ns, false);
	switch (evtlog_data(event->words, 0, 2)) {
	case EVTLOG_USER_EXIT_SYSCALL:
		class = CALLPATH_SYSCALL;
		break;
	case EVTLOG_USER_EXIT_COMPAT:
		class = CALLPATH_COMPAT;
		break;
	default:
		nr = CALLPATH_KERNEL;
	}
	return follow_push(task, class, nr, time_ns);
}

/* Events within this event end with it. An end without its begin is ignored. */
static void leave(struct callpaths *paths, struct followed *task, unsigned int class,
		  uint16_t number, int64_t time_ns)
{
	unsigned int depth = task->depth;

	if (task->skipped) {
		task->skipped--;
		return;
	}
	while (depth--) {
		const struct callpath *path = &task->public.tree.at[task->frames[depth].path];

		if (path->class == class && path->number == number && depth) {
			follow_pop_to(&paths->span, task, depth + 1, time_ns, false);
			follow_pop(&paths->span, task, time_ns, true);
			return;
		}
	}
}

/* Begin or end of an interrupt, a softirq or an exception */
static int take_handler(struct callpaths *paths, struct followed *task,
			const struct evtlog_event *event, int64_t time_ns)
{
	static const uint8_t classes[EVTLOG_KINDS] = {
		[EVTLOG_KIND_SOFTIRQ] = CALLPATH_SOFTIRQ,
		[EVTLOG_KIND_IRQ] = CALLPATH_IRQ,
		[EVTLOG_KIND_VECTOR] = CALLPATH_VECTOR,
		[EVTLOG_KIND_EXCEPTION] = CALLPATH_EXCEPTION,
	};
	const struct record_class *of = record_class(event->known);
	unsigned int class = classes[record_kind(of)], number;

	if (class == CALLPATH_STATE)
		return 0;
	number = evtlog_data(event->words, 0, of->number_bits ? of->number_bits : EVTLOG_DATA_BITS);
	if (of->step == RECORD_ENTRY)
		return follow_push(task, class, number, time_ns);
	if (of->step == RECORD_EXIT)
		leave(paths, task, class, number, time_ns);
	return 0;
}

static int take_record(struct callpaths *paths, unsigned int slot,
		       const struct evtlog_event *event, struct followed *task, int64_t time_ns)
{
	switch (event->known) {
	case EVTLOG_SCHED_SWITCH:
		return take_switch(paths, slot, event, task, time_ns);
	case EVTLOG_SCHED_WAKING:
		take_waking(paths, evtlog_record_pid(event->words), time_ns);
		return 0;
	case EVTLOG_SCHED_PROCESS_FORK:
		return take_fork(paths, slot, event, time_ns);
	}
	if (!task)
		return 0;
	switch (event->known) {
	case EVTLOG_SCHED_PROCESS_EXIT:
		task->ended = true;
		return 0;
	case EVTLOG_USER_EXIT:
		return take_user_exit(paths, task, event, time_ns);
	case EVTLOG_USER_ENTER:
		if (task->public.tree.at[0].number == CALLPATH_USER) {
			follow_pop_to(&paths->span, task, 2, time_ns, false);
			follow_pop_to(&paths->span, task, 1, time_ns, !follow_is_unknown(task));
		}
		return 0;
	default:
		return take_handler(paths, task, event, time_ns);
	}
}

/* The CPU's part begins, or continues after a gap. */
static int begin(struct callpaths *paths, unsigned int slot, const struct evtlog_event *event,
		 int64_t time_ns)
{
	struct cpu *cpu = &paths->cpus[slot];
	int error;

	cpu->begun = true;
	cpu->since_ns = time_ns;
	error = find_task(paths, slot, event->begin_pid, event, time_ns, &cpu->running);
	if (error || cpu->running == NOBODY)
		return error;
	paths->tasks[cpu->running]->is_off = false;
	return follow_forget(&paths->span, paths->tasks[cpu->running], paths->round, time_ns);
}

int callpaths_take(struct callpaths *paths, unsigned int slot, const struct evtlog_event *event,
		   int64_t time_ns)
{
	struct cpu *cpu;
	struct followed *task;
	bool first;

	if (slot >= paths->slots)
		return 0;
	cpu = &paths->cpus[slot];
	first = !cpu->begun;
	if (event->kind == EVTLOG_EVENT_BEGIN)
		return begin(paths, slot, event, time_ns);
	task = cpu->running == NOBODY ? NULL : paths->tasks[cpu->running];
	if (event->kind == EVTLOG_EVENT_GAP) {
		/* The time of this CPU is lost, and the contexts of all tasks become unknown. */
		if (task)
			task->public.last_ns = cpu->since_ns;
		paths->lost_ns += follow_within(&paths->span, cpu->since_ns, time_ns);
		paths->round++;
		return begin(paths, slot, event, time_ns);
	}
	if (task && !first)
		follow_charge(&paths->span, task, cpu->since_ns, time_ns);
	else if (!first)
		paths->lost_ns += follow_within(&paths->span, cpu->since_ns, time_ns);
	cpu->since_ns = time_ns;
	cpu->begun = event->kind != EVTLOG_EVENT_END;
	if (event->kind == EVTLOG_EVENT_END) {
		/* The task may continue on another CPU. */
		cpu->running = NOBODY;
		return 0;
	}
	if (event->kind != EVTLOG_EVENT_RECORD || !event->words)
		return 0;
	return take_record(paths, slot, event, task, time_ns);
}

int callpaths_end(struct callpaths *paths)
{
	int64_t to_ns = paths->span.to_ns;

	for (size_t i = 0; i < paths->count; i++) {
		struct followed *task = paths->tasks[i];
		int64_t end_ns = task->public.last_ns < to_ns ? task->public.last_ns : to_ns;
		int error = 0;

		if (task->round == paths->round && task->is_off && !task->ended) {
			error = follow_charge_off(&paths->span, task, to_ns, false);
			end_ns = to_ns;
		}
		if (error)
			return error;
		follow_pop_to(&paths->span, task, 0, end_ns, false);
	}
	return 0;
}
