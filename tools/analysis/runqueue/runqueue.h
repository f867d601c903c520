/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that run and wait on each CPU of a log.
 *
 * Stage: it takes all events of a log in order of time. After each event, @changes contains what
 * changed in the run queues. It does not keep times and sums: its users do.
 *
 *	blocked ──waking──▶ waiting ──switch──▶ running ──switch──▶ blocked
 *	                       ▲                   │
 *	                    preempted ◀──switch────┘
 *
 * A task is runnable if it runs, or waits on a CPU: from its wake-up (sched_waking, wakeup_new), or
 * from when it was preempted or yielded, until it blocks or exits. The idle task is not runnable.
 */
#ifndef EVTLOG_ANALYSIS_RUNQUEUE_H
#define EVTLOG_ANALYSIS_RUNQUEUE_H

#include <evtlog/evtlog.h>

#include "input/types.h"
#include "lib/file/file.h"
#include "lib/stream/lanes.h"

#define RUNQUEUE_PIDS	(1u << EVTLOG_PID_BITS)
#define RUNQUEUE_NONE	NO_SLOT

/* Numbers of a log that are unknown if events of some types were not recorded */
enum sched_number {
	SCHED_RUNNABLE,
	SCHED_SWITCHES,
	SCHED_FORKS,
	SCHED_EXITS,
	SCHED_MIGRATIONS,
	SCHED_NUMBERS
};

/* Types of events that are needed for SCHED_RUNNABLE, and for all numbers */
#define SCHED_RUNNABLE_TYPES \
	(types_bit(EVTLOG_SCHED_SWITCH) | types_bit(EVTLOG_SCHED_WAKING) | \
	 types_bit(EVTLOG_SCHED_WAKEUP_NEW) | types_bit(EVTLOG_SCHED_MIGRATE_TASK))
#define SCHED_TYPES \
	(SCHED_RUNNABLE_TYPES | types_bit(EVTLOG_SCHED_PROCESS_FORK) | \
	 types_bit(EVTLOG_SCHED_PROCESS_EXIT))

/* Returns a bit for each unknown number. Passes of the sampler give all but the switches. */
uint32_t sched_unknown(const struct evtlog_file *file, bool has_samples);

enum task_state {
	TASK_UNKNOWN,
	TASK_BLOCKED,
	TASK_WAITING,	/* woken, or new */
	TASK_PREEMPTED,	/* preempted, or it yielded */
	TASK_RUNNING,
	TASK_STATES
};

/*
 * @cpu:	index of the CPU where it is, or was last; RUNQUEUE_NONE if unknown
 * @epoch:	epoch of that CPU when the task came there; if they differ, its state is unknown
 * @losses:	number of losses when it was last seen there
 * @doubt:	number of losses + 1 when it was woken on an unknown CPU; 0: it was not
 * @replaced:	another thread of its process took its pid at an exec
 */
struct runqueue_task {
	uint32_t pid;
	uint32_t cpu;
	uint32_t epoch;
	uint32_t losses;
	uint32_t doubt;
	uint8_t state;
	bool replaced;
};

/*
 * @known:	the CPU has begun, has not ended, and is not in a gap
 * @gap_told:	its next event is a gap that was already returned
 * @lossy:	its events are being lost
 * @dropped:	number of losses when stale waiting tasks were dropped
 * @epoch:	number of times that its tasks became unknown
 * @runs:	pid of the running task
 * @count:	number of runnable tasks
 */
struct runqueue_cpu {
	uint32_t number;
	bool known;
	bool gap_told;
	bool lossy;
	uint32_t dropped;
	uint32_t epoch;
	uint32_t runs;
	uint32_t count;
};

enum runqueue_step {
	RUNQUEUE_FORGET,	/* the CPU is unknown from now on */
	RUNQUEUE_ADD,		/* the task comes to the CPU in @state */
	RUNQUEUE_REMOVE,	/* the task leaves the CPU */
	RUNQUEUE_PREEMPT,	/* the task waits where it ran */
	RUNQUEUE_RUN,		/* the task runs; 0: the CPU is idle, or the task is unknown */
};

/*
 * @state:	of RUNQUEUE_RUN: TASK_RUNNING if a task ran there before
 * @cpu:	index of the CPU
 * @task:	number of the task; 0: none
 */
struct runqueue_change {
	uint8_t step;
	uint8_t state;
	uint32_t cpu;
	uint32_t task;
};

/* Limit for one event: a CPU is forgotten, a task leaves, another comes from elsewhere and runs. */
#define RUNQUEUE_CHANGES	6

/*
 * The CPUs of a log.
 * @tasks:	by number; 0 is no task
 * @by_pid:	number of the task that has a pid now
 * @changes:	changes by the last event
 * @losses:	number of gaps with lost events so far
 * @lossy:	number of CPUs that are losing events now
 * @doubtful:	number of tasks that began to wait since the last loss, on an unknown CPU
 */
struct runqueues {
	const struct evtlog_file *file;
	uint64_t begin_ns;
	struct runqueue_cpu *cpus;
	unsigned int cpu_count;
	struct runqueue_task *tasks;
	size_t task_count;
	size_t task_capacity;
	uint32_t *by_pid;
	struct runqueue_change changes[RUNQUEUE_CHANGES];
	unsigned int change_count;
	uint32_t losses;
	uint32_t lossy;
	uint32_t doubtful;
};

/* 0 or -ENOMEM; call runqueues_free() in both cases. */
int runqueues_init(struct runqueues *queues, const struct evtlog_file *file);
void runqueues_free(struct runqueues *queues);

/* Takes the next event of the log, and sets @changes. 0 or -ENOMEM. */
int runqueues_take(struct runqueues *queues, const struct evtlog_event *event);

/*
 * runqueues_drop_stale() - drop a task that waits on a CPU since before a loss on any CPU
 * @cpu:	a CPU with runqueues_is_stale()
 * @number:	the task that was returned before; 0 in the first call
 *
 * The task is no longer there, as the CPU is idle. Returns the number of the task, or 0 after the
 * last. Does not set @changes.
 */
uint32_t runqueues_drop_stale(struct runqueues *queues, uint32_t cpu, uint32_t number);

/* Number of a task, which is added if needed; 0: idle, unknown, or no memory */
uint32_t runqueues_task_slow(struct runqueues *queues, uint32_t pid);

/*
 * Time of the last task in the snapshot at the log's start: after it, all waiting tasks are known.
 * UINT64_MAX: there is no snapshot. Reads the start of the log. 0; -ENOMEM; -errno of read().
 */
int runqueues_snapshot_end(struct evtlog_file *file, uint64_t *end_ns);

/* Index of a CPU; RUNQUEUE_NONE: not in the log */
static inline uint32_t runqueues_cpu(const struct runqueues *queues, uint32_t number)
{
	return file_slot(queues->file, number);
}

/* Number of a task; 0: idle, unknown, or not seen yet */
static inline uint32_t runqueues_find(const struct runqueues *queues, uint32_t pid)
{
	return pid < RUNQUEUE_PIDS ? queues->by_pid[pid] : 0;
}

static inline uint32_t runqueues_task(struct runqueues *queues, uint32_t pid)
{
	uint32_t number = runqueues_find(queues, pid);

	return __builtin_expect(number != 0, 1) ? number : runqueues_task_slow(queues, pid);
}

/* Returns true if the task is on a CPU that did not become unknown since. */
static inline bool runqueues_is_placed(const struct runqueues *queues,
				       const struct runqueue_task *task)
{
	return task->cpu != RUNQUEUE_NONE && task->state >= TASK_WAITING &&
	       task->epoch == queues->cpus[task->cpu].epoch;
}

/*
 * Returns true if the CPU is idle for the first time since events were lost: no task waits there,
 * except tasks that are woken at this instant. Not for a log of one tree: its tasks may wait while
 * tasks outside run as pid 0.
 */
static inline bool runqueues_is_stale(const struct runqueues *queues, uint32_t cpu)
{
	const struct runqueue_cpu *at = &queues->cpus[cpu];

	return __builtin_expect(at->dropped != queues->losses, 0) && !queues->lossy && !at->runs;
}

const struct evtlog_event *runqueues_gap_slow(struct runqueues *queues, struct lanes *lanes,
					      uint64_t until_ns, uint64_t *from_ns);

/*
 * runqueues_gap() - get the next CPU that becomes unknown up to a time
 * @lanes:	source of the events
 * @until_ns:	not before the last event taken
 * @from_ns:	set to when it becomes unknown; not before the last event taken
 *
 * Sets @changes, with the CPU becoming unknown. Call it before each event, until it returns NULL.
 * Returns the GAP or BEGIN event of the gap, which is still to come; NULL if there is none.
 */
static inline const struct evtlog_event *
runqueues_gap(struct runqueues *queues, struct lanes *lanes, uint64_t until_ns, uint64_t *from_ns)
{
	if (__builtin_expect(lanes->gap_ns > until_ns, 1))
		return NULL;
	return runqueues_gap_slow(queues, lanes, until_ns, from_ns);
}

#endif /* EVTLOG_ANALYSIS_RUNQUEUE_H */
