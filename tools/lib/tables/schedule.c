// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Slices of CPUs, states of threads, wake-ups and migrations.
 *
 *	blocked ──waking──▶ R ──switch──▶ Running ──switch──▶ blocked
 *	                    ▲                │
 *	                    R, R+ ◀──switch──┘
 *
 * The events of a CPU show what runs on it. A thread that does not run can be woken, moved and run
 * by any CPU: from the first loss of any CPU on, its state is unknown. If events of another CPU are
 * being lost when a state begins, only the begin of this state is known.
 */
#include <errno.h>

#include "internal.h"
#include "lib/base/array.h"

/* ---- States ---- */

int64_t schedule_state_text(struct tables *tables, unsigned int state)
{
	char text[3] = "R+";

	if (tables->state_texts[state])
		return tables->state_texts[state] - 1;
	if (state == STATE_RUNNING) {
		tables->state_texts[state] = tables_text(tables, "Running") + 1;
	} else {
		if (state != STATE_FIRST + EVTLOG_STATE_PREEMPTED) {
			text[0] = evtlog_state_letter(tables->file, state - STATE_FIRST);
			text[1] = '\0';
		}
		tables->state_texts[state] = tables_text(tables, text) + 1;
	}
	return tables->state_texts[state] - 1;
}

/* Returns true if the task's state is no longer known, because of a loss since it was seen. */
static bool is_stale(const struct tables *tables, const struct task *task)
{
	return task->state != STATE_RUNNING && task->losses != tables->loss_count;
}

/* Time up to which a stale state is known */
static int64_t stale_since(const struct tables *tables, const struct task *task)
{
	int64_t lost = tables->losses[task->losses];

	return lost > task->since ? lost : task->since;
}

/* Number of losses that have ended: they do not affect a state that begins now. */
static uint32_t losses_before(const struct tables *tables)
{
	bool goes_on = tables->raw_ns < tables->lost_until_ns;

	return tables->loss_count - goes_on;
}

/* The thread may have left its system call and exceptions during a loss: ends them at the loss. */
static void forget_stale(struct tables *tables, struct task *task)
{
	if (__builtin_expect(is_stale(tables, task), 0) && (task->calls || task->exception_count))
		nested_forget_task(tables, task, NULL, stale_since(tables, task));
}

static bool is_wanted(const struct tables *tables, const struct task *task)
{
	if (task->cpu == NO_SLOT)
		return !tables->options.cpus;
	return tables->cpus[task->cpu].wanted;
}

static void put_state(struct tables *tables, const struct task *task, int64_t begin, int64_t dur,
		      bool cut)
{
	bool runs = task->state == STATE_RUNNING;

	if (!runs && tables_want(tables, TABLE_THREAD_WAIT))
		tables_put_sourced(tables, TABLE_THREAD_WAIT, (int64_t[]) {
			begin, dur, task->utid, schedule_state_text(tables, task->state),
			task->waker, task->in_irq, cut, SOURCE_VALUES(tables)
		}, NULL_IF(!task->woken || task->waker < 0, 4) | NULL_IF(!task->woken, 5));
	if (!tables_want(tables, TABLE_THREAD_STATE))
		return;
	tables_put_sourced(tables, TABLE_THREAD_STATE, (int64_t[]) {
		begin, dur, task->utid, schedule_state_text(tables, task->state),
		runs ? tables->cpus[task->cpu].number : 0, task->waker, task->in_irq, 0, 0, cut,
		SOURCE_VALUES(tables)
	}, NULL_IF(!runs, 4) | NULL_IF(!task->woken || task->waker < 0, 5) |
	   NULL_IF(!task->woken, 6) | NULL_IF(true, 7) | NULL_IF(true, 8));
}

/*
 * ---- Waits and wake-ups before slices; rows for those that no slice contains ----
 *
 *	sleep ──waking──▶ wait for the CPU ──switch──▶ slice
 *
 * A slice contains the sleep, wait and wake-up before it if they are completely known.
 */

static void put_rest(struct tables *tables, const struct task *task, unsigned int state,
		     int64_t begin, int64_t dur, const struct wait *woken, bool cut)
{
	int64_t waker = woken ? woken->waker : -1;

	if (!tables_want(tables, TABLE_THREAD_WAIT_REST))
		return;
	tables_put_sourced(tables, TABLE_THREAD_WAIT_REST, (int64_t[]) {
		begin, dur, task->utid, schedule_state_text(tables, state), waker,
		woken && woken->in_irq, cut, SOURCE_VALUES(tables)
	}, NULL_IF(waker < 0, 4) | NULL_IF(!woken, 5));
}

/* Emits a wake-up that no slice contains. @waker: -1 if unknown */
static void waits_put_wakeup(struct tables *tables, const struct task *task, uint32_t cpu,
			     int64_t waker, bool in_irq, bool spurious, int64_t time)
{
	if (tables_want(tables, TABLE_WAKEUP_REST))
		tables_put_sourced(tables, TABLE_WAKEUP_REST, (int64_t[]) {
			time, cpu, task->utid, waker, in_irq, spurious, SOURCE_VALUES(tables)
		}, NULL_IF(waker < 0, 3));
}

/*
 * No slice will contain the sleep, wait and wake-up that are held: emits rows for them.
 * @until: begin of the slice after the wait; if the wait has not ended, begin of the wait
 */
static void waits_drop(struct tables *tables, struct task *task, int64_t until)
{
	struct wait *wait = &task->wait;

	if (wait->wait_state) {
		until -= wait->wait_dur;
		if (wait->wait_wanted)
			put_rest(tables, task, wait->wait_state, until, wait->wait_dur,
				 wait->woken ? wait : NULL, false);
	}
	if (wait->has_wake && wait->wake_wanted)
		waits_put_wakeup(tables, task, wait->wake_cpu, wait->waker, wait->in_irq, false,
				 until);
	if (wait->sleep_state && wait->sleep_wanted)
		put_rest(tables, task, wait->sleep_state, until - wait->sleep_dur, wait->sleep_dur,
			 NULL, false);
	*wait = (struct wait) { 0 };
}

/*
 * A thread changes from a waiting state to the state @next.
 * @begin, @until: the known part of the waiting state, which is all of it unless @cut
 * @wanted:	a row of the waiting state is wanted
 */
static void waits_end(struct tables *tables, struct task *task, unsigned int next, int64_t begin,
		      int64_t until, bool cut, bool wanted)
{
	struct wait *wait = &task->wait;
	bool runnable = schedule_is_runnable(task->state);

	if (runnable && next == STATE_RUNNING && !cut) {
		wait->wait_state = task->state;
		wait->wait_dur = until - begin;
		wait->wait_wanted = wanted;
		return;
	}
	if (wanted && (runnable || cut || next != STATE_FIRST))
		put_rest(tables, task, task->state, begin, until - begin,
			 wait->woken ? wait : NULL, cut);
	waits_drop(tables, task, task->since);
	if (!runnable && !cut && next == STATE_FIRST) {
		wait->sleep_state = task->state;
		wait->sleep_dur = until - begin;
		wait->sleep_wanted = wanted;
	}
}

/* Ends the task's state at @until, or earlier if it is known only up to an earlier time. */
static void end_state(struct tables *tables, struct task *task, unsigned int next, int64_t until,
		      bool cut)
{
	bool waits = task->state != STATE_RUNNING && tables->wanted & OF_WAITS;
	bool wanted = is_wanted(tables, task);
	int64_t begin = task->since;

	if (is_stale(tables, task)) {
		int64_t since = stale_since(tables, task);

		if (since < until)
			until = since;
		cut = true;
	}
	cut |= task->cut;
	if (until < begin || !tables_clip(tables, &begin, until, &cut)) {
		if (waits)
			waits_drop(tables, task, task->since);
		return;
	}
	if (wanted && tables->wanted & OF_STATES)
		put_state(tables, task, begin, until - begin, cut);
	if (waits)
		waits_end(tables, task, next, begin, until, cut, wanted);
}

static void set_state(struct tables *tables, struct task *task, unsigned int state, int64_t time,
		      bool cut)
{
	if (task->state && task->utid && tables->wanted & (OF_STATES | OF_WAITS))
		end_state(tables, task, state, time, cut);
	task->state = state;
	task->since = time;
	task->losses = losses_before(tables);
	task->woken = false;
	task->cut = cut;
}

void schedule_state(struct tables *tables, struct task *task, unsigned int state, int64_t time)
{
	if (tables->no_switches)
		return;
	forget_stale(tables, task);
	set_state(tables, task, state, time, true);
}

void schedule_end_task(struct tables *tables, struct task *task, int64_t time, bool cut)
{
	nested_forget_task(tables, task, NULL, time);
	set_state(tables, task, STATE_UNKNOWN, time, cut);
}

/* ---- CPUs ---- */

/* @state: the task's state when it leaves the CPU; STATE_UNKNOWN: it does not leave, or unknown */
static void put_slice(struct tables *tables, const struct cpu *cpu, unsigned int state,
		int64_t until)
{
	struct task *task = &tables->tasks[cpu->task];
	struct wait *wait = &task->wait;
	int64_t begin = cpu->since;
	unsigned int prior = wait->sleep_state ? wait->sleep_state :
			     wait->woken ? STATE_UNKNOWN : wait->wait_state;
	bool cut = cpu->cut || !state;

	if (!cpu->wanted || !cpu->task || until < begin ||
	    !tables_clip(tables, &begin, until, &cut)) {
		waits_drop(tables, task, cpu->since);
		return;
	}
	if (tables_want(tables, TABLE_SCHED_SLICE))
		tables_put_sourced(tables, TABLE_SCHED_SLICE, (int64_t[]) {
			begin, until - begin, cpu->number, task->utid,
			state ? schedule_state_text(tables, state) : 0, 0, wait->wait_dur,
			wait->sleep_dur, prior ? schedule_state_text(tables, prior) : 0,
			wait->waker, wait->wake_cpu, wait->in_irq, cut, SOURCE_VALUES(tables)
		}, NULL_IF(!state, 4) | NULL_IF(true, 5) | NULL_IF(!wait->wait_state, 6) |
		   NULL_IF(!wait->sleep_state, 7) | NULL_IF(!prior, 8) |
		   NULL_IF(!wait->woken || wait->waker < 0, 9) | NULL_IF(!wait->has_wake, 10) |
		   NULL_IF(!wait->woken, 11));
	*wait = (struct wait) { 0 };
}

static void end_slice(struct tables *tables, const struct cpu *cpu, unsigned int state,
		      int64_t time)
{
	if (tables->wanted & OF_WAITS)
		put_slice(tables, cpu, state, time);
}

/* The task runs on another CPU: the events of its switch out here are missing. */
static void take_from(struct tables *tables, struct cpu *cpu)
{
	end_slice(tables, cpu, STATE_UNKNOWN, cpu->last);
	schedule_state(tables, &tables->tasks[cpu->task], STATE_UNKNOWN, cpu->last);
	cpu->task = TASK_NONE;
	cpu->runs = EVTLOG_PID_UNKNOWN;
}

static void run(struct tables *tables, struct cpu *cpu, uint32_t pid, bool cut)
{
	uint32_t number = pid == EVTLOG_PID_UNKNOWN ? TASK_NONE : tables_tasks_of(tables, pid);
	struct task *task = &tables->tasks[number];
	uint32_t index = cpu - tables->cpus;

	if (number > TASK_IDLE) {
		if (task->state == STATE_RUNNING && task->cpu != index &&
		    tables->cpus[task->cpu].task == number)
			take_from(tables, &tables->cpus[task->cpu]);
		forget_stale(tables, task);
		/* The wait ends first: it belongs to the CPU of the last run or migration. */
		set_state(tables, task, STATE_RUNNING, tables->now, cut);
		task->cpu = index;
	}
	cpu->task = number;
	cpu->runs = pid;
	cpu->since = tables->now;
	cpu->cut = cut;
}

void schedule_switch(struct tables *tables, struct cpu *cpu, uint32_t next, unsigned int state)
{
	uint32_t number = cpu->task;
	struct task *task = &tables->tasks[number];

	if (__builtin_expect(tables->no_switches, 0))
		return;
	end_slice(tables, cpu, STATE_FIRST + state, tables->now);
	if (number > TASK_IDLE) {
		if (__builtin_expect(task->exits && !schedule_is_runnable(STATE_FIRST + state), 0)) {
			schedule_end_task(tables, task, tables->now, false);
			tables_tasks_end(tables, number);
		} else if (__builtin_expect(task->replaced_by != TASK_NONE, 0)) {
			struct task *heir = &tables->tasks[task->replaced_by];

			schedule_end_task(tables, task, tables->now, false);
			if (heir->utid) {
				heir->cpu = task->cpu;
				set_state(tables, heir, STATE_FIRST + state, tables->now, false);
			}
			tables_tasks_end(tables, number);
		} else {
			set_state(tables, task, STATE_FIRST + state, tables->now, false);
		}
	}
	run(tables, cpu, next, false);
}

void schedule_begin(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event)
{
	schedule_forget(tables, cpu, tables->now);
	cpu->known = true;
	tables_tasks_name(tables, event);
	run(tables, cpu, tables->no_switches ? EVTLOG_PID_UNKNOWN : event->begin_pid, true);
}

void schedule_buffer(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event)
{
	if (!cpu->known || tables->no_switches || event->begin_pid == cpu->runs)
		return;
	end_slice(tables, cpu, STATE_UNKNOWN, tables->now);
	if (cpu->task > TASK_IDLE)
		schedule_state(tables, &tables->tasks[cpu->task], STATE_UNKNOWN, tables->now);
	run(tables, cpu, event->begin_pid, true);
}

void schedule_forget(struct tables *tables, struct cpu *cpu, int64_t time)
{
	nested_forget(tables, cpu, time);
	if (cpu->known && cpu->task) {
		end_slice(tables, cpu, STATE_UNKNOWN, time);
		if (cpu->task > TASK_IDLE)
			schedule_state(tables, &tables->tasks[cpu->task], STATE_UNKNOWN, time);
	}
	cpu->task = TASK_NONE;
	cpu->runs = EVTLOG_PID_UNKNOWN;
	cpu->known = false;
}

void schedule_close(struct tables *tables, int64_t time)
{
	for (unsigned int i = 0; i < tables->cpu_count; i++)
		schedule_forget(tables, &tables->cpus[i], time);
	for (uint32_t i = TASK_IDLE + 1; i < tables->task_count; i++)
		if (tables->tasks[i].utid)
			schedule_end_task(tables, &tables->tasks[i], time, true);
}

/* ---- Wake-ups, migrations ---- */

/* The thread becomes runnable and waits for a CPU. */
static void wake(struct tables *tables, struct task *task, const struct cpu *cpu, bool in_irq,
		 bool cut)
{
	forget_stale(tables, task);
	set_state(tables, task, STATE_FIRST, tables->now, cut);
	task->woken = task->wait.woken = true;
	task->in_irq = task->wait.in_irq = in_irq;
	task->waker = task->wait.waker = cpu->task ? tables->tasks[cpu->task].utid : -1;
}

static void put_wakeup(struct tables *tables, const struct cpu *cpu, const struct task *task,
		       bool in_irq, bool spurious)
{
	int64_t waker = cpu->task ? tables->tasks[cpu->task].utid : -1;

	if (tables_want(tables, TABLE_WAKEUP))
		tables_put_sourced(tables, TABLE_WAKEUP, (int64_t[]) {
			tables->now, cpu->number, task->utid, waker, in_irq, spurious,
			SOURCE_VALUES(tables)
		}, NULL_IF(waker < 0, 3));
	if (spurious)
		waits_put_wakeup(tables, task, cpu->number, waker, in_irq, true, tables->now);
}

void schedule_waking(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event)
{
	uint32_t number = tables_tasks_of(tables, evtlog_record_pid(event->words));
	struct task *task = &tables->tasks[number];
	bool in_irq = event->context != EVTLOG_IN_TASK;
	bool wanted = tables_now_wanted(tables, cpu);
	bool known = task->state && !is_stale(tables, task);
	bool waits = known && (task->state == STATE_RUNNING || schedule_is_runnable(task->state));

	if (number <= TASK_IDLE) {
		tables_leave_out(tables, cpu, event);
		return;
	}
	if (wanted)
		put_wakeup(tables, cpu, task, in_irq, waits);
	if (waits)
		return;
	if (__builtin_expect(tables->no_switches, 0)) {
		if (wanted)
			waits_put_wakeup(tables, task, cpu->number, -1, in_irq, false, tables->now);
		return;
	}
	wake(tables, task, cpu, in_irq, !known);
	task->wait.has_wake = true;
	task->wait.wake_wanted = wanted;
	task->wait.wake_cpu = cpu->number;
}

void schedule_waking_new(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event)
{
	uint32_t target = (uint32_t)event->words[1];
	uint32_t number = tables_tasks_of(tables, evtlog_record_pid(event->words));
	struct task *task = &tables->tasks[number];

	if (number <= TASK_IDLE) {
		tables_leave_out(tables, cpu, event);
		return;
	}
	if (tables_want(tables, TABLE_WAKEUP_NEW) && tables_now_wanted(tables, cpu))
		tables_put_sourced(tables, TABLE_WAKEUP_NEW, (int64_t[]) {
			tables->now, cpu->number, task->utid, (int32_t)target,
			(int32_t)(event->words[1] >> 32), tables->tasks[cpu->task].utid,
			SOURCE_VALUES(tables)
		}, NULL_IF(!cpu->task, 5));
	if (file_slot(tables->file, target) != NO_SLOT)
		task->cpu = file_slot(tables->file, target);
	/* The thread is new: no earlier state is missing. */
	if (task->state != STATE_RUNNING && !tables->no_switches)
		wake(tables, task, cpu, event->context != EVTLOG_IN_TASK, false);
}

void schedule_migrate(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event)
{
	uint32_t from = (uint32_t)event->words[1], to = event->words[1] >> 32;
	uint32_t number = tables_tasks_of(tables, evtlog_record_pid(event->words));
	struct task *task = &tables->tasks[number];

	if (number <= TASK_IDLE) {
		tables_leave_out(tables, cpu, event);
		return;
	}
	if (tables_want(tables, TABLE_SCHED_MIGRATE) && tables_now_wanted(tables, cpu))
		tables_put_sourced(tables, TABLE_SCHED_MIGRATE, (int64_t[]) {
			tables->now, cpu->number, task->utid, (int32_t)from, (int32_t)to,
			SOURCE_VALUES(tables)
		}, 0);
	if (task->state != STATE_RUNNING && file_slot(tables->file, to) != NO_SLOT)
		task->cpu = file_slot(tables->file, to);
}
