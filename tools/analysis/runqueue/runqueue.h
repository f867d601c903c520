/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks run and wait on each CPU of a log.
 *
 * Stage: fed with all events of a log in the order of time, it tells after each event what
 * changed.  It does not keep times and sums: who uses it does.
 *
 *	blocked ──waking──▶ waiting ──switch──▶ running ──switch──▶ blocked
 *	                       ▲                   │
 *	                    preempted ◀──switch────┘
 *
 * Runnable is a task that runs, or waits on a CPU: from its wake-up (sched_waking, wakeup_new),
 * or from when it was preempted or yielded, until it blocks or exits.  The idle task is none.
 */
#ifndef EVTLOG_ANALYSIS_RUNQUEUE_H
#define EVTLOG_ANALYSIS_RUNQUEUE_H

#include <evtlog/evtlog.h>

#include "lib/stream/lanes.h"

#define RUNQUEUE_PIDS	(1u << EVTLOG_PID_BITS)
#define RUNQUEUE_NONE	UINT32_MAX

enum task_state {
	TASK_UNKNOWN,
	TASK_BLOCKED,
	TASK_WAITING,	/* woken, or new */
	TASK_PREEMPTED,	/* or it yielded */
	TASK_RUNNING,
	TASK_STATES
};

/*
 * @cpu:	index of the CPU where it is, or was last; RUNQUEUE_NONE
 * @epoch:	of that CPU when it was put there: else what it did since is not known
 * @losses:	that were seen when it was there
 * @doubt:	losses that were seen when it was woken where nobody knows, and one; 0: it is not
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
 * @known:	what it does is known: it has begun, has not ended, and is in no gap
 * @gap_told:	the gap that is its next event was told already
 * @lossy:	events are being lost
 * @dropped:	losses that were seen when what waited since before was dropped
 * @epoch:	counts the times when that was lost
 * @runs:	pid of the task that runs
 * @count:	runnable tasks
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
	RUNQUEUE_FORGET,	/* nothing is known of the CPU any more */
	RUNQUEUE_ADD,		/* the task comes to the CPU in @state */
	RUNQUEUE_REMOVE,	/* it is there no more */
	RUNQUEUE_PREEMPT,	/* it waits where it ran */
	RUNQUEUE_RUN,		/* it runs; 0: the CPU is idle, or nobody knows what runs */
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

/* Of one event: a CPU is forgotten; a task leaves, another comes from elsewhere and runs. */
#define RUNQUEUE_CHANGES	6

/*
 * The CPUs of a log.
 * @tasks:	by number; 0 is none
 * @by_pid:	number of the task that has a pid now
 * @changes:	of the last event
 * @losses:	gaps in which events were lost, up to now
 * @lossy:	CPUs that lose events now
 * @doubtful:	tasks that wait since then, but it is not known on which CPU
 */
struct runqueues {
	uint64_t begin_ns;
	struct runqueue_cpu *cpus;
	unsigned int cpu_count;
	uint32_t *cpu_of_number;
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

/* 0 or -ENOMEM; runqueues_free() in both cases. */
int runqueues_init(struct runqueues *queues, const struct evtlog_file *file);
void runqueues_free(struct runqueues *queues);

/* Takes the next event of the log: @changes is filled in.  0 or -ENOMEM. */
int runqueues_take(struct runqueues *queues, const struct evtlog_event *event);

/*
 * runqueues_drop_stale() - drops a task that waits on a CPU since before events were lost, on any CPU
 * @cpu:	runqueues_is_stale()
 * @number:	of the one before; 0: the first is wanted
 *
 * It is there no more: the CPU was idle since.  Returns its number; 0: there is none any more.  Fills in no
 * @changes.
 */
uint32_t runqueues_drop_stale(struct runqueues *queues, uint32_t cpu, uint32_t number);

/* The number of a task, made if need be; 0: it is idle, unknown; there is no memory. */
uint32_t runqueues_task_slow(struct runqueues *queues, uint32_t pid);

/*
 * When the last task of the snapshot at the log's start is told: from then on all that wait are
 * known.  UINT64_MAX: there is no snapshot.  Reads the log's start.  0; -ENOMEM; -errno of read().
 */
int runqueues_snapshot_end(struct evtlog_file *file, uint64_t *end_ns);

/* The index of a CPU; RUNQUEUE_NONE: the log has no such CPU. */
static inline uint32_t runqueues_cpu(const struct runqueues *queues, uint32_t number)
{
	return number < EVTLOG_CPU_LIMIT ? queues->cpu_of_number[number] : RUNQUEUE_NONE;
}

static inline uint32_t runqueues_task(struct runqueues *queues, uint32_t pid)
{
	uint32_t number = pid < RUNQUEUE_PIDS ? queues->by_pid[pid] : 0;

	return __builtin_expect(number != 0, 1) ? number : runqueues_task_slow(queues, pid);
}

/* Whether the task is on a CPU of which nothing was lost since. */
static inline bool runqueues_is_placed(const struct runqueues *queues,
				       const struct runqueue_task *task)
{
	return task->cpu != RUNQUEUE_NONE && task->state >= TASK_WAITING &&
	       task->epoch == queues->cpus[task->cpu].epoch;
}

/*
 * Whether the CPU is idle for the first time since events were lost: nothing waits there, but what is woken
 * at that instant.  Not to be asked of a log of one tree, whose tasks may wait while others run as pid 0.
 */
static inline bool runqueues_is_stale(const struct runqueues *queues, uint32_t cpu)
{
	const struct runqueue_cpu *at = &queues->cpus[cpu];

	return __builtin_expect(at->dropped != queues->losses, 0) && !queues->lossy && !at->runs;
}

const struct evtlog_event *runqueues_gap_slow(struct runqueues *queues, struct lanes *lanes,
					      uint64_t until_ns, uint64_t *from_ns);

/*
 * runqueues_gap() - the next CPU of which nothing is known from a time on that has come
 * @lanes:	where the events come from
 * @until_ns:	not before the last event taken
 * @from_ns:	since when; not before the last event taken
 *
 * The CPU is forgotten, and @changes filled in.  To be called before each event, until there is
 * none.  Returns the GAP or BEGIN that is still to come and tells so; NULL: there is none.
 */
static inline const struct evtlog_event *
runqueues_gap(struct runqueues *queues, struct lanes *lanes, uint64_t until_ns, uint64_t *from_ns)
{
	if (__builtin_expect(lanes->gap_ns > until_ns, 1))
		return NULL;
	return runqueues_gap_slow(queues, lanes, until_ns, from_ns);
}

#endif /* EVTLOG_ANALYSIS_RUNQUEUE_H */
