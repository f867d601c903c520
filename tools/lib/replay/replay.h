/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What runs and waits on the CPUs of a host, known or unknown.
 *
 * Stage: it takes all events of a log in order of time. After each event, @changes contains what
 * the event has changed. It does not keep names, times and sums: its users do.
 *
 *	blocked ──waking──▶ R ──switch──▶ running ──switch──▶ blocked
 *	                    ▲                │
 *	                    R, R+ ◀──switch──┘
 *
 * A loss on a CPU hides what happened on this CPU, from the last event before the loss to the first
 * event after it:
 *
 *	- What runs on the CPU is unknown, until its next buffer, which has the running task.
 *	- Any task that does not run may have been woken, moved, and run on the CPU: its state, and
 *	  the CPU where it is, are unknown until an event shows them again. While the loss lasts, an
 *	  event shows only where a state begins: the state is unknown from this instant on.
 *	- A task that runs on another CPU still runs there, because only that CPU can end this.
 *
 * A CPU that is offline, suspended or not logged loses nothing: other tasks keep their states.
 * Only its running task becomes unknown, because its next state is in no event.
 *
 * Times are of the caller's clock, which must not go back: those of rows, or of the log.
 */
#ifndef EVTLOG_LIB_REPLAY_H
#define EVTLOG_LIB_REPLAY_H

#include <evtlog/evtlog.h>

#include "lib/base/array.h"
#include "lib/file/file.h"
#include "lib/stream/lanes.h"

#define REPLAY_PIDS	(1u << EVTLOG_PID_BITS)

/* Numbers of tasks: an unknown task; pid 0, which is idle or, in the log of a tree, outside */
#define REPLAY_NOBODY	0
#define REPLAY_IDLE	1

/* States of tasks: unknown, running, then the states of records, from REPLAY_FIRST on */
#define REPLAY_UNKNOWN	0
#define REPLAY_RUNNING	1
#define REPLAY_FIRST	2
#define REPLAY_STATES	(REPLAY_FIRST + 16)

/*
 * A thread; its number is used again when it is gone.
 * @cpu:	slot of the CPU where it runs, waits, or was last; NO_SLOT if unknown
 * @queue:	the same if it runs or waits, is @placed, and the CPU is known; else NO_SLOT
 * @heir:	task that continues this thread after an exec that changed its pid; or
 *		REPLAY_NOBODY. If the number is free, the next free number
 * @start_boot_ns: 0 if unknown
 * @state:	since @since, or longer if @cut
 * @is_used:	the number has a thread
 * @placed:	@cpu is where it is, not only where it was last seen
 * @doubtful:	it waits, and is not @placed
 * @woken:	it was woken, in an interrupt if @in_irq, and did not run since
 * @exits:	it has begun to exit
 */
struct replay_task {
	uint32_t pid;
	uint32_t cpu;
	uint32_t queue;
	uint32_t heir;
	int64_t since;
	uint64_t start_boot_ns;
	uint8_t state;
	bool is_used;
	bool placed;
	bool cut;
	bool doubtful;
	bool woken;
	bool in_irq;
	bool exits;
};

/*
 * @known:	the CPU has begun, has not ended, and is not in a gap
 * @gap_taken:	its next event is a gap that was already taken
 * @lossy:	its events are being lost
 * @runs, @task: pid and number of the running task
 * @since:	start of its slice; it started earlier if @cut
 * @last:	time of the CPU's last event
 * @count:	number of tasks with this @queue
 */
struct replay_cpu {
	uint32_t number;
	bool known;
	bool gap_taken;
	bool lossy;
	bool cut;
	uint32_t runs;
	uint32_t task;
	uint32_t count;
	int64_t since;
	int64_t last;
};

enum replay_kind {
	REPLAY_STATE,	/* the state of @task ends, and @next begins; or REPLAY_IDLE leaves @cpu */
	REPLAY_WAKE,	/* the same: @task is woken; without effect if @state is @next, not @is_new */
	REPLAY_MOVE,	/* @task waits on another CPU; its state continues */
	REPLAY_RUN,	/* @task runs on @cpu from now on; REPLAY_IDLE: none, REPLAY_NOBODY: unknown */
	REPLAY_FORGET,	/* @cpu is unknown from now on */
	REPLAY_END,	/* @task, which left its CPU in @state, is gone; its number may have a new
			 * thread in the next change */
};

/*
 * @pid, @state, @woken, @in_irq: those of the task before the change
 * @next:	its state from now on
 * @cut:	what ends began before @since, or ends after @time
 * @is_new:	of a wake-up: the first of a new task
 * @wake_in_irq: of a wake-up: its context
 * @waker:	of a wake-up: the running task of @by, the CPU of the event
 * @cpu:	the task's CPU before the change; of a RUN and FORGET the CPU
 * @queue, @next_queue: the task's queues before and after the change
 * @since:	when the slice or the state began
 * @time:	when it changes
 */
struct replay_change {
	uint8_t kind;
	uint8_t state;
	uint8_t next;
	bool cut;
	bool woken;
	bool in_irq;
	bool is_new;
	bool wake_in_irq;
	uint32_t task;
	uint32_t pid;
	uint32_t waker;
	uint32_t cpu;
	uint32_t by;
	uint32_t queue;
	uint32_t next_queue;
	int64_t since;
	int64_t time;
};

/*
 * @by_pid:	number of the task that has a pid now; NULL before replay_init()
 * @free:	first free number; REPLAY_NOBODY if there is none
 * @lossy:	number of CPUs that are losing events
 * @doubtful:	number of waiting tasks that are not placed
 * @no_switches: switches were not all recorded: running tasks and states are unknown. It is known
 *		when the streams are open
 * @omitted:	REPLAY_QUEUES and REPLAY_BRIEF, which the user sets after replay_init() to save
 *		time
 */
struct replay {
	const struct evtlog_file *file;
	struct replay_cpu *cpus;
	unsigned int cpu_count;
	struct replay_task *tasks;
	size_t task_count;
	size_t task_capacity;
	uint32_t *by_pid;
	uint32_t free;
	struct replay_change *changes;
	size_t change_count;
	size_t change_capacity;
	int64_t now;
	uint32_t lossy;
	uint32_t doubtful;
	bool no_switches;
	uint32_t omitted;
};

/*
 * What @omitted may have: queues, with @doubtful and MOVE; and most changes, so that only STATE of
 * tasks that become unknown, FORGET and END are left.
 */
#define REPLAY_QUEUES	(1u << REPLAY_MOVE)
#define REPLAY_BRIEF	(1u << REPLAY_STATE | 1u << REPLAY_WAKE | 1u << REPLAY_RUN)

/* 0 or -ENOMEM; call replay_free() in both cases. @replay: all zero */
int replay_init(struct replay *replay, const struct evtlog_file *file);
void replay_free(struct replay *replay);

/* Types of records that can change something */
#define REPLAY_TYPES \
	(UINT64_C(1) << EVTLOG_SCHED_SWITCH | UINT64_C(1) << EVTLOG_SCHED_WAKING | \
	 UINT64_C(1) << EVTLOG_SCHED_WAKEUP_NEW | UINT64_C(1) << EVTLOG_SCHED_MIGRATE_TASK | \
	 UINT64_C(1) << EVTLOG_SCHED_PROCESS_FORK | UINT64_C(1) << EVTLOG_SCHED_PROCESS_EXEC | \
	 UINT64_C(1) << EVTLOG_SCHED_PROCESS_EXIT | UINT64_C(1) << EVTLOG_TASK)

static inline bool replay_changes(const struct evtlog_event *event)
{
	return event->kind != EVTLOG_EVENT_RECORD || REPLAY_TYPES >> event->known & 1;
}

int replay_take_slow(struct replay *replay, uint32_t index, const struct evtlog_event *event);

/* The same as replay_take(), if replay_changes(), on the CPU with the slot @index */
static inline int replay_take_at(struct replay *replay, uint32_t index,
				 const struct evtlog_event *event, int64_t time)
{
	replay->change_count = 0;
	replay->now = replay->cpus[index].last = time;
	return replay_take_slow(replay, index, event);
}

/* Takes the next event, at @time, and sets @changes. 0 or -ENOMEM. */
static inline int replay_take(struct replay *replay, const struct evtlog_event *event, int64_t time)
{
	uint32_t index = file_slot(replay->file, event->cpu);

	replay->change_count = 0;
	if (__builtin_expect(index == NO_SLOT, 0))
		return 0;
	replay->now = replay->cpus[index].last = time;
	return replay_changes(event) ? replay_take_slow(replay, index, event) : 0;
}

const struct evtlog_event *replay_gap_slow(struct replay *replay, struct lanes *lanes,
					   uint64_t until_ns, uint64_t *from_ns);

/*
 * replay_gap() - get the next CPU that becomes unknown up to a time
 * @lanes:	source of the events
 * @until_ns:	not before the last event taken; by the log's clock, as @from_ns
 * @from_ns:	set to when it becomes unknown
 *
 * Call it before each event, and replay_take_gap() with the result, until it returns NULL.
 * Returns the GAP or BEGIN event of the gap, which is still to come; NULL if there is none.
 */
static inline const struct evtlog_event *replay_gap(struct replay *replay, struct lanes *lanes,
						    uint64_t until_ns, uint64_t *from_ns)
{
	if (__builtin_expect(lanes->gap_ns > until_ns, 1))
		return NULL;
	return replay_gap_slow(replay, lanes, until_ns, from_ns);
}

/* The CPU of @event is unknown from @time on. Sets @changes. 0 or -ENOMEM. */
int replay_take_gap(struct replay *replay, const struct evtlog_event *event, int64_t time);

/*
 * What tasks do that do not run is unknown from @time on, as after a loss. For a user that begins
 * within the log, so that its results do not depend on events before. 0 or -ENOMEM.
 */
int replay_forget(struct replay *replay, int64_t time);

/* The log ends: all is unknown from @time on. Sets @changes. 0 or -ENOMEM. */
int replay_close(struct replay *replay, int64_t time);

/* Limit for the new tasks of an event */
#define REPLAY_NEW_MAX	4

/* Makes room for the new tasks of an event, so that pointers to tasks stay valid. 0 or -ENOMEM. */
static inline int replay_reserve(struct replay *replay)
{
	return array_reserve_more(&replay->tasks, &replay->task_capacity, replay->task_count,
				  REPLAY_NEW_MAX, sizeof(*replay->tasks));
}

uint32_t replay_task_slow(struct replay *replay, uint32_t pid);

/* Number of the task that has a pid now; REPLAY_NOBODY: it was not seen yet, or is not valid */
static inline uint32_t replay_find(const struct replay *replay, uint32_t pid)
{
	return pid < REPLAY_PIDS ? replay->by_pid[pid] : REPLAY_NOBODY;
}

/* The same, but adds the task if needed; call replay_reserve() before */
static inline uint32_t replay_task(struct replay *replay, uint32_t pid)
{
	uint32_t number = replay_find(replay, pid);

	return __builtin_expect(number != REPLAY_NOBODY, 1) ? number : replay_task_slow(replay, pid);
}

/* Returns true for a task that waits for a CPU. */
static inline bool replay_is_waiting(unsigned int state)
{
	return state == REPLAY_FIRST || state == REPLAY_FIRST + EVTLOG_STATE_PREEMPTED;
}

/* Returns true for a task that runs or waits for a CPU: a wake-up begins no wait. */
static inline bool replay_is_runnable(unsigned int state)
{
	return state == REPLAY_RUNNING || replay_is_waiting(state);
}

/* ---- checkpoint.c: the state after an event, to continue from there ---- */

/* Copies of @cpus, @tasks, @task_count and @free of struct replay */
struct replay_checkpoint {
	const struct replay_cpu *cpus;
	const struct replay_task *tasks;
	size_t task_count;
	uint32_t free;
};

/*
 * Returns true if nothing in a checkpoint that is not trusted leads out of an array or range. Its
 * times must not be after @time, or be INT64_MIN. @replay: of the same log, before the first event
 */
bool replay_fits(const struct replay *replay, const struct replay_checkpoint *checkpoint,
		 int64_t time);

/* Takes the state of a checkpoint; the streams are open. 0; -ENOMEM: nothing is changed. */
int replay_restore(struct replay *replay, const struct replay_checkpoint *checkpoint);

#endif /* EVTLOG_LIB_REPLAY_H */
