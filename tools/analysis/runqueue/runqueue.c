// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks that run and wait on each CPU of a log.
 *
 * otf2/schedule.c and analysis/interval call it with each event.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/stream/task-names.h"
#include "runqueue.h"

uint32_t sched_unknown(const struct evtlog_file *file, bool has_samples)
{
	const uint64_t needed[SCHED_NUMBERS] = {
		[SCHED_RUNNABLE] = SCHED_RUNNABLE_TYPES,
		[SCHED_SWITCHES] = types_bit(EVTLOG_SCHED_SWITCH),
		[SCHED_FORKS] = types_bit(EVTLOG_SCHED_PROCESS_FORK),
		[SCHED_EXITS] = types_bit(EVTLOG_SCHED_PROCESS_EXIT),
		[SCHED_MIGRATIONS] = types_bit(EVTLOG_SCHED_MIGRATE_TASK),
	};
	uint64_t off = types_that_are(file, SCHED_TYPES, EVTLOG_RECORDED_OFF);
	uint32_t unknown = 0;

	if (has_samples)
		return 1u << SCHED_SWITCHES;
	for (unsigned int i = 0; i < SCHED_NUMBERS; i++)
		unknown |= (uint32_t)!!(off & needed[i]) << i;
	return unknown;
}

int runqueues_init(struct runqueues *queues, const struct evtlog_file *file)
{
	memset(queues, 0, sizeof(*queues));
	queues->file = file;
	queues->cpu_count = evtlog_cpu_count(file);
	queues->begin_ns = evtlog_begin_ns(file);
	queues->cpus = calloc(queues->cpu_count + 1, sizeof(*queues->cpus));
	/* 16 MiB, but only the pages of used pids are touched. */
	queues->by_pid = calloc(RUNQUEUE_PIDS, sizeof(*queues->by_pid));
	if (!queues->cpus || !queues->by_pid)
		return -ENOMEM;
	for (unsigned int i = 0; i < queues->cpu_count; i++) {
		queues->cpus[i].number = evtlog_cpu_number(file, i);
		queues->cpus[i].runs = EVTLOG_PID_UNKNOWN;
	}
	if (array_reserve(&queues->tasks, &queues->task_capacity, 0, sizeof(*queues->tasks)))
		return -ENOMEM;
	queues->tasks[0] = (struct runqueue_task) { .cpu = RUNQUEUE_NONE };
	queues->task_count = 1;
	return 0;
}

void runqueues_free(struct runqueues *queues)
{
	free(queues->cpus);
	free(queues->by_pid);
	free(queues->tasks);
}

/* ---- Tasks ---- */

uint32_t runqueues_task_slow(struct runqueues *queues, uint32_t pid)
{
	/* runqueues_take() has reserved memory for the tasks of one event. */
	if (!pid || pid >= RUNQUEUE_PIDS || queues->task_count == queues->task_capacity)
		return 0;
	queues->tasks[queues->task_count] = (struct runqueue_task) {
		.pid = pid,
		.cpu = RUNQUEUE_NONE,
	};
	queues->by_pid[pid] = queues->task_count;
	return queues->task_count++;
}

static void change(struct runqueues *queues, enum runqueue_step step, uint32_t cpu,
		   uint32_t task, unsigned int state)
{
	queues->changes[queues->change_count++] = (struct runqueue_change) {
		.step = step,
		.state = state,
		.cpu = cpu,
		.task = task,
	};
}

/* The task's CPU is now known, or does not matter. */
static void settle(struct runqueues *queues, struct runqueue_task *task)
{
	task->losses = queues->losses;
	if (__builtin_expect(task->doubt == queues->losses + 1, 0))
		queues->doubtful--;
	task->doubt = 0;
}

static void add(struct runqueues *queues, uint32_t cpu, uint32_t number, unsigned int state)
{
	struct runqueue_task *task = &queues->tasks[number];

	task->cpu = cpu;
	task->epoch = queues->cpus[cpu].epoch;
	task->state = state;
	queues->cpus[cpu].count++;
	change(queues, RUNQUEUE_ADD, cpu, number, state);
}

static void take_away(struct runqueues *queues, uint32_t number)
{
	uint32_t cpu = queues->tasks[number].cpu;

	queues->cpus[cpu].count--;
	change(queues, RUNQUEUE_REMOVE, cpu, number, TASK_UNKNOWN);
}

/* Puts a task on a CPU, to wait. If the CPU is not known, only the place is stored. */
static void put(struct runqueues *queues, uint32_t cpu, uint32_t number, unsigned int state)
{
	struct runqueue_task *task = &queues->tasks[number];

	if (queues->cpus[cpu].known) {
		add(queues, cpu, number, state);
		return;
	}
	task->cpu = cpu;
	task->epoch = queues->cpus[cpu].epoch - 1;
	task->state = state;
}

/* ---- Switches ---- */

static void switch_out(struct runqueues *queues, uint32_t cpu, unsigned int state)
{
	uint32_t number = runqueues_task(queues, queues->cpus[cpu].runs);
	struct runqueue_task *task = &queues->tasks[number];

	if (!number)
		return;
	if (!runqueues_is_placed(queues, task)) {
		task->state = TASK_UNKNOWN;
	} else if (task->cpu != cpu) {
		return;
	} else if ((state == EVTLOG_STATE_PREEMPTED || !state) && !task->replaced) {
		task->state = TASK_PREEMPTED;
		change(queues, RUNQUEUE_PREEMPT, cpu, number, TASK_PREEMPTED);
	} else {
		take_away(queues, number);
		task->state = TASK_BLOCKED;
	}
	task->replaced = false;
}

static void switch_in(struct runqueues *queues, uint32_t cpu, uint32_t pid)
{
	uint32_t before = queues->cpus[cpu].runs, number = runqueues_task(queues, pid);
	struct runqueue_task *task = &queues->tasks[number];

	queues->cpus[cpu].runs = pid;
	if (number) {
		settle(queues, task);
		if (runqueues_is_placed(queues, task) && task->cpu != cpu) {
			if (queues->cpus[task->cpu].runs == pid)
				queues->cpus[task->cpu].runs = EVTLOG_PID_UNKNOWN;
			take_away(queues, number);
			task->cpu = RUNQUEUE_NONE;
		}
		if (!runqueues_is_placed(queues, task))
			add(queues, cpu, number, TASK_RUNNING);
		task->state = TASK_RUNNING;
	}
	change(queues, RUNQUEUE_RUN, cpu, number,
	       before && before < RUNQUEUE_PIDS ? TASK_RUNNING : TASK_UNKNOWN);
}

static void take_switch(struct runqueues *queues, uint32_t cpu, uint32_t next, unsigned int state)
{
	switch_out(queues, cpu, state);
	switch_in(queues, cpu, next);
}

/* ---- Wake-ups, migrations and new tasks ---- */

static void take_waking(struct runqueues *queues, const struct evtlog_event *event)
{
	uint32_t number = runqueues_task(queues, evtlog_record_pid(event->words));
	struct runqueue_task *task = &queues->tasks[number];

	/* A task that is still on its CPU, or already waits for one, does not begin to wait now. */
	if (!number || runqueues_is_placed(queues, task))
		return;
	/* It may have moved since it was last seen. */
	if (task->doubt != queues->losses + 1 &&
	    (task->cpu == RUNQUEUE_NONE || task->losses != queues->losses)) {
		task->doubt = queues->losses + 1;
		queues->doubtful++;
	}
	if (task->cpu != RUNQUEUE_NONE)
		put(queues, task->cpu, number, TASK_WAITING);
}

static void take_new(struct runqueues *queues, const struct evtlog_event *event)
{
	uint32_t number = runqueues_task(queues, evtlog_record_pid(event->words));
	uint32_t target = runqueues_cpu(queues, (uint32_t)event->words[1]);

	if (!number || target == RUNQUEUE_NONE)
		return;
	settle(queues, &queues->tasks[number]);
	if (!runqueues_is_placed(queues, &queues->tasks[number]))
		put(queues, target, number, TASK_WAITING);
}

static void take_migration(struct runqueues *queues, const struct evtlog_event *event)
{
	uint32_t number = runqueues_task(queues, evtlog_record_pid(event->words));
	uint32_t to = runqueues_cpu(queues, event->words[1] >> 32);
	struct runqueue_task *task = &queues->tasks[number];

	if (!number || to == RUNQUEUE_NONE)
		return;
	settle(queues, task);
	if (!runqueues_is_placed(queues, task)) {
		task->cpu = to;
		task->epoch = queues->cpus[to].epoch - 1;
		return;
	}
	/* A running task does not move: its switch will come, or was lost. */
	if (task->state == TASK_RUNNING)
		return;
	take_away(queues, number);
	put(queues, to, number, task->state);
}

static void take_fork(struct runqueues *queues, const struct evtlog_event *event)
{
	uint32_t pid = evtlog_record_pid(event->words);
	uint32_t number = runqueues_task(queues, pid);
	struct runqueue_task *task = &queues->tasks[number];

	if (!number)
		return;
	if (runqueues_is_placed(queues, task))
		take_away(queues, number);
	settle(queues, task);
	*task = (struct runqueue_task) {
		.pid = pid,
		.cpu = RUNQUEUE_NONE,
		.losses = queues->losses,
		.state = TASK_BLOCKED,
	};
}

static void take_exec(struct runqueues *queues, const struct evtlog_event *event)
{
	uint32_t old = (uint32_t)event->words[1];
	uint32_t number = runqueues_task(queues, old);

	if (number && old != evtlog_record_pid(event->words))
		queues->tasks[number].replaced = true;
}

/* Takes the place of a task at the begin of the log. */
static void take_snapshot(struct runqueues *queues, const struct evtlog_event *event)
{
	uint32_t number = runqueues_task(queues, evtlog_record_pid(event->words));
	uint32_t cpu = runqueues_cpu(queues, (uint32_t)event->words[3]);
	struct runqueue_task *task = &queues->tasks[number];

	if (!number || cpu == RUNQUEUE_NONE || task->cpu != RUNQUEUE_NONE)
		return;
	task->losses = queues->losses;
	if (evtlog_switch_state(event->words) || !queues->cpus[cpu].known) {
		task->cpu = cpu;
		task->epoch = queues->cpus[cpu].epoch - 1;
		task->state = evtlog_switch_state(event->words) ? TASK_BLOCKED : TASK_UNKNOWN;
		return;
	}
	settle(queues, task);
	put(queues, cpu, number, TASK_PREEMPTED);
}

/* ---- Losses ---- */

uint32_t runqueues_drop_stale(struct runqueues *queues, uint32_t cpu, uint32_t number)
{
	while (++number < queues->task_count) {
		struct runqueue_task *task = &queues->tasks[number];

		if (task->cpu != cpu || task->losses == queues->losses ||
		    !runqueues_is_placed(queues, task) || task->state == TASK_RUNNING)
			continue;
		task->state = TASK_UNKNOWN;
		queues->cpus[cpu].count--;
		return number;
	}
	queues->cpus[cpu].dropped = queues->losses;
	return 0;
}

static void set_lossy(struct runqueues *queues, uint32_t cpu, bool lossy)
{
	queues->lossy += lossy - queues->cpus[cpu].lossy;
	queues->cpus[cpu].lossy = lossy;
}

static void forget(struct runqueues *queues, uint32_t index)
{
	struct runqueue_cpu *cpu = &queues->cpus[index];

	cpu->epoch++;
	cpu->known = false;
	cpu->count = 0;
	cpu->runs = EVTLOG_PID_UNKNOWN;
	change(queues, RUNQUEUE_FORGET, index, 0, TASK_UNKNOWN);
}

const struct evtlog_event *runqueues_gap_slow(struct runqueues *queues, struct lanes *lanes,
					      uint64_t until_ns, uint64_t *from_ns)
{
	const struct evtlog_event *event;

	queues->change_count = 0;
	while ((event = lanes_take_gap(lanes, until_ns, from_ns))) {
		uint32_t index = runqueues_cpu(queues, event->cpu);

		if (index == RUNQUEUE_NONE || queues->cpus[index].gap_told)
			continue;
		if (!*from_ns)
			*from_ns = queues->begin_ns;
		queues->cpus[index].gap_told = true;
		forget(queues, index);
		if (lanes_is_loss(event))
			set_lossy(queues, index, true);
		return event;
	}
	return NULL;
}

/* ---- Events ---- */

/* A CPU begins, or continues after a gap, with the task in its buffer's header. */
static void begin(struct runqueues *queues, uint32_t index, const struct evtlog_event *event)
{
	if (lanes_is_loss(event)) {
		queues->losses++;
		queues->doubtful = 0;
	}
	forget(queues, index);
	set_lossy(queues, index, false);
	queues->cpus[index].known = true;
	queues->cpus[index].gap_told = false;
	take_switch(queues, index, event->begin_pid, EVTLOG_STATE_PREEMPTED);
}

static void take_other(struct runqueues *queues, uint32_t index, const struct evtlog_event *event)
{
	struct runqueue_cpu *cpu = &queues->cpus[index];

	switch (event->kind) {
	case EVTLOG_EVENT_BEGIN:
	case EVTLOG_EVENT_GAP:
		begin(queues, index, event);
		break;
	case EVTLOG_EVENT_BUFFER:
		if (cpu->known && event->begin_pid != cpu->runs)
			take_switch(queues, index, event->begin_pid, EVTLOG_STATE_PREEMPTED);
		break;
	case EVTLOG_EVENT_END:
		forget(queues, index);
		if (event->rest_missing)
			set_lossy(queues, index, true);
		break;
	}
}

static void take_record(struct runqueues *queues, uint32_t index, const struct evtlog_event *event)
{
	switch (event->known) {
	case EVTLOG_SCHED_SWITCH:
		take_switch(queues, index, evtlog_record_pid(event->words),
			    evtlog_switch_state(event->words));
		return;
	case EVTLOG_SCHED_WAKING:
		take_waking(queues, event);
		return;
	case EVTLOG_SCHED_WAKEUP_NEW:
		take_new(queues, event);
		return;
	case EVTLOG_SCHED_MIGRATE_TASK:
		take_migration(queues, event);
		return;
	case EVTLOG_SCHED_PROCESS_FORK:
		take_fork(queues, event);
		return;
	case EVTLOG_SCHED_PROCESS_EXEC:
		take_exec(queues, event);
		return;
	case EVTLOG_TASK:
		take_snapshot(queues, event);
		return;
	}
}

int runqueues_take(struct runqueues *queues, const struct evtlog_event *event)
{
	uint32_t index = runqueues_cpu(queues, event->cpu);

	queues->change_count = 0;
	if (index == RUNQUEUE_NONE)
		return 0;
	/* An event adds at most two tasks. */
	if (array_reserve_more(&queues->tasks, &queues->task_capacity, queues->task_count, 2,
			       sizeof(*queues->tasks)))
		return -ENOMEM;
	if (event->kind != EVTLOG_EVENT_RECORD)
		take_other(queues, index, event);
	else if (queues->cpus[index].known)
		take_record(queues, index, event);
	return 0;
}

/* ---- End of the snapshot of tasks at a log's start ---- */

static int read_cpu(struct evtlog_file *file, unsigned int slot, uint64_t *end_ns)
{
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	unsigned int others = 0;
	int result = evtlog_stream_new(file, slot, &stream);

	if (result)
		return result;
	while (others < SNAPSHOT_PATIENCE && (result = evtlog_stream_next(stream, &event)) > 0) {
		others++;
		if (event->known != EVTLOG_TASK)
			continue;
		others = 0;
		if (*end_ns == UINT64_MAX || event->time_ns > *end_ns)
			*end_ns = event->time_ns;
	}
	evtlog_stream_free(stream);
	return result < 0 ? result : 0;
}

int runqueues_snapshot_end(struct evtlog_file *file, uint64_t *end_ns)
{
	unsigned int count = evtlog_cpu_count(file);
	int error = 0;

	*end_ns = UINT64_MAX;
	for (unsigned int slot = 0; !error && slot < count; slot++)
		error = read_cpu(file, slot, end_ns);
	return error;
}
