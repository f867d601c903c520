// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Follows tasks from event to event: what each task is in, on which CPU, and since when.
 *
 * lib/replay finds which task runs, and the waits of the others.
 */
#include <errno.h>
#include <stdlib.h>

#include <evtlog/evtlog.h>

#include "analysis/callpaths/follow.h"
#include "lib/base/array.h"
#include "lib/codec/record-class.h"
#include "lib/replay/replay.h"

/*
 * @idle:	its idle task; NULL if not seen yet
 * @idle_off_ns: since when the idle task does not run; FOLLOW_NEVER if it runs or is unknown
 * @since_ns:	time is counted up to here if the CPU has @begun
 */
struct cpu {
	struct followed *idle;
	int64_t idle_off_ns;
	int64_t since_ns;
	bool begun;
};

/* @by_number: the tasks, by their numbers in @replay; NULL if not followed */
struct callpaths {
	struct callpath_span span;
	struct replay replay;
	struct followed **tasks;
	size_t count, capacity;
	struct followed **by_number;
	size_t numbers;
	struct cpu *cpus;
	uint64_t lost_ns;
};

int callpaths_new(struct callpaths **pathsp, const struct evtlog_file *file,
		  const struct callpath_span *span)
{
	struct callpaths *paths = calloc(1, sizeof(*paths));

	*pathsp = NULL;
	if (!paths)
		return -ENOMEM;
	paths->span = *span;
	paths->cpus = calloc(evtlog_cpu_count(file) + 1, sizeof(*paths->cpus));
	if (!paths->cpus || replay_init(&paths->replay, file)) {
		callpaths_free(paths);
		return -ENOMEM;
	}
	for (unsigned int i = 0; i < paths->replay.cpu_count; i++)
		paths->cpus[i].idle_off_ns = FOLLOW_NEVER;
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
	replay_free(&paths->replay);
	free(paths->tasks);
	free(paths->by_number);
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

/* ---- Tasks ---- */

static int add_task(struct callpaths *paths, uint32_t pid, unsigned int slot,
		    enum callpath_state root, int64_t time_ns, struct followed **taskp)
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
	task->public.first_ns = time_ns;
	task->public.last_ns = time_ns;
	task->forked_ns = FOLLOW_NEVER;
	paths->tasks[paths->count++] = task;
	error = follow_push(task, CALLPATH_STATE, root, time_ns);
	if (!error)
		error = follow_unknown(task, time_ns);
	*taskp = error ? NULL : task;
	return error;
}

/* The place of a task by its number; each CPU has its own idle task. NULL: the task is unknown. */
static struct followed **place_of(struct callpaths *paths, unsigned int slot, uint32_t number)
{
	if (number == REPLAY_NOBODY)
		return NULL;
	return number == REPLAY_IDLE ? &paths->cpus[slot].idle : &paths->by_number[number];
}

static struct followed *running(struct callpaths *paths, unsigned int slot)
{
	struct followed **place = place_of(paths, slot, paths->replay.cpus[slot].task);

	return place ? *place : NULL;
}

/* Begins to follow a task that runs or is forked, unless it is unknown or followed already. */
static int follow(struct callpaths *paths, unsigned int slot, uint32_t number,
		  const struct evtlog_event *event, int64_t time_ns)
{
	struct followed **place = place_of(paths, slot, number);
	uint32_t pid = paths->replay.tasks[number].pid;
	enum callpath_state root;

	if (!place)
		return 0;
	if (*place)
		return follow_resume(*place, time_ns);
	if (number == REPLAY_IDLE)
		root = paths->span.is_of_tree ? CALLPATH_OUTSIDE : CALLPATH_IDLE;
	else
		root = paths->span.root(paths->span.arg, pid, event);
	return add_task(paths, pid, slot, root, time_ns, place);
}

/* Makes room in @by_number for all tasks. */
static int reserve(struct callpaths *paths)
{
	size_t had = paths->numbers;

	if (had >= paths->replay.task_capacity)
		return 0;
	if (array_reserve_more(&paths->by_number, &paths->numbers, had,
			       paths->replay.task_capacity - had, sizeof(*paths->by_number)))
		return -ENOMEM;
	for (size_t i = had; i < paths->numbers; i++)
		paths->by_number[i] = NULL;
	return 0;
}

/* ---- Waits ---- */

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

/* Charges a wait since @since_ns, or since the fork of the task. @ended: it is complete */
static int charge_wait(struct callpaths *paths, struct followed *task, unsigned int state,
		       bool woken, int64_t since_ns, int64_t time_ns, bool ended)
{
	enum callpath_state shown = woken ? CALLPATH_RUNQUEUE : off_state(state - REPLAY_FIRST);

	if (task->forked_ns != FOLLOW_NEVER)
		since_ns = task->forked_ns;
	task->forked_ns = FOLLOW_NEVER;
	return follow_wait(&paths->span, task, shown, since_ns, time_ns, ended);
}

static int take_state(struct callpaths *paths, const struct replay_change *change)
{
	struct followed *task = paths->by_number[change->task];
	bool has_waited = change->state >= REPLAY_FIRST;
	int error = 0;

	if (!task || (change->kind == REPLAY_WAKE && change->state == change->next))
		return 0;
	/* The log has the child's fork, but not its wake-up. */
	if (change->next == REPLAY_RUNNING && task->forked_ns != FOLLOW_NEVER && !has_waited)
		return charge_wait(paths, task, REPLAY_FIRST, true, 0, change->time, true);
	if (has_waited)
		error = charge_wait(paths, task, change->state, change->woken, change->since,
				    change->time, change->next && !change->cut);
	if (!change->next)
		follow_lose(&paths->span, task);
	else if (!error)
		error = follow_resume(task, change->time);
	return error;
}

static void lose_idle(struct callpaths *paths, struct cpu *cpu)
{
	cpu->idle_off_ns = FOLLOW_NEVER;
	if (cpu->idle)
		follow_lose(&paths->span, cpu->idle);
}

/* What the CPU's tasks do is unknown from now on, and children may have run. */
static void forget(struct callpaths *paths, unsigned int slot)
{
	lose_idle(paths, &paths->cpus[slot]);
	for (size_t i = 0; i < paths->count; i++)
		if (paths->tasks[i]->forked_ns != FOLLOW_NEVER)
			follow_lose(&paths->span, paths->tasks[i]);
}

static void take_idle(struct callpaths *paths, const struct replay_change *change)
{
	struct cpu *cpu = &paths->cpus[change->cpu];

	if (change->next)
		cpu->idle_off_ns = change->time;
	else
		lose_idle(paths, cpu);
}

static int take_run(struct callpaths *paths, const struct replay_change *change,
		    const struct evtlog_event *event)
{
	struct cpu *cpu = &paths->cpus[change->cpu];
	int64_t off_ns = cpu->idle_off_ns;
	int error = follow(paths, change->cpu, change->task, event, change->time);

	if (error || change->task != REPLAY_IDLE || off_ns == FOLLOW_NEVER)
		return error;
	cpu->idle_off_ns = FOLLOW_NEVER;
	return follow_wait(&paths->span, cpu->idle, CALLPATH_PREEMPTED, off_ns, change->time, true);
}

static int apply(struct callpaths *paths, const struct evtlog_event *event)
{
	int error = reserve(paths);

	for (size_t i = 0; i < paths->replay.change_count && !error; i++) {
		const struct replay_change *change = &paths->replay.changes[i];

		switch (change->kind) {
		case REPLAY_STATE:
		case REPLAY_WAKE:
			if (change->task == REPLAY_IDLE)
				take_idle(paths, change);
			else
				error = take_state(paths, change);
			break;
		case REPLAY_RUN:
			error = take_run(paths, change, event);
			break;
		case REPLAY_FORGET:
			forget(paths, change->cpu);
			break;
		case REPLAY_END:
			paths->by_number[change->task] = NULL;
			break;
		}
	}
	return error;
}

/* ---- Events ---- */

/* A child is runnable from its fork, in the system call that forked it. */
static int take_fork(struct callpaths *paths, unsigned int slot,
		     const struct evtlog_event *event, int64_t time_ns)
{
	uint32_t number = replay_find(&paths->replay, evtlog_record_pid(event->words));
	struct followed *task;
	int error;

	if (number <= REPLAY_IDLE)
		return 0;
	error = follow(paths, slot, number, event, time_ns);
	if (error)
		return error;
	task = paths->by_number[number];
	task->forked_ns = time_ns;
	follow_pop_to(&paths->span, task, 1, time_ns, false);
	if (task->public.tree.at[0].number == CALLPATH_USER)
		error = follow_push(task, CALLPATH_STATE, CALLPATH_KERNEL, time_ns);
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

static int take_record(struct callpaths *paths, struct followed *task,
		       const struct evtlog_event *event, int64_t time_ns)
{
	switch (event->known) {
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

/* Charges the time of a CPU up to @time_ns. */
static void charge(struct callpaths *paths, unsigned int slot, int64_t time_ns)
{
	struct followed *task = running(paths, slot);
	struct cpu *cpu = &paths->cpus[slot];

	if (task && cpu->begun)
		follow_charge(&paths->span, task, cpu->since_ns, time_ns);
	else if (cpu->begun)
		paths->lost_ns += follow_within(&paths->span, cpu->since_ns, time_ns);
	cpu->since_ns = time_ns;
}

int callpaths_take_gap(struct callpaths *paths, const struct evtlog_event *event, int64_t time_ns)
{
	uint32_t slot = file_slot(paths->replay.file, event->cpu);

	if (slot == NO_SLOT)
		return 0;
	charge(paths, slot, time_ns);
	if (replay_take_gap(&paths->replay, event, time_ns))
		return -ENOMEM;
	return apply(paths, event);
}

int callpaths_take(struct callpaths *paths, const struct evtlog_event *event, int64_t time_ns)
{
	uint32_t slot = file_slot(paths->replay.file, event->cpu);
	struct followed *task;
	int error = 0;

	if (slot == NO_SLOT)
		return 0;
	charge(paths, slot, time_ns);
	paths->cpus[slot].begun = event->kind != EVTLOG_EVENT_END;
	task = running(paths, slot);
	if (task && event->kind == EVTLOG_EVENT_RECORD && event->words)
		error = take_record(paths, task, event, time_ns);
	if (!error)
		error = replay_take(&paths->replay, event, time_ns);
	if (!error)
		error = apply(paths, event);
	if (!error && event->kind == EVTLOG_EVENT_RECORD &&
	    event->known == EVTLOG_SCHED_PROCESS_FORK)
		error = take_fork(paths, slot, event, time_ns);
	return error;
}

int callpaths_end(struct callpaths *paths)
{
	int64_t to_ns = paths->span.to_ns;
	int error = 0;

	for (size_t i = 0; i < paths->numbers && i < paths->replay.task_count && !error; i++) {
		const struct replay_task *task = &paths->replay.tasks[i];

		if (paths->by_number[i] && task->state >= REPLAY_FIRST)
			error = charge_wait(paths, paths->by_number[i], task->state, task->woken,
					    task->since, to_ns, false);
	}
	for (size_t i = 0; i < paths->count && !error; i++) {
		struct followed *task = paths->tasks[i];
		int64_t last_ns = task->public.last_ns;

		follow_pop_to(&paths->span, task, 0, last_ns < to_ns ? last_ns : to_ns, false);
	}
	return error;
}
