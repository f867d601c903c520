// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Rows of slices of CPUs, states of threads, wake-ups and migrations.
 *
 * lib/replay finds the slices and states; this file knows which rows contain them.
 */
#include "internal.h"

/* ---- States ---- */

int64_t schedule_state_text(struct tables *tables, unsigned int state)
{
	char text[3] = "R+";

	if (tables->state_texts[state])
		return tables->state_texts[state] - 1;
	if (state == REPLAY_RUNNING) {
		tables->state_texts[state] = tables_text(tables, "Running") + 1;
	} else {
		if (state != REPLAY_FIRST + EVTLOG_STATE_PREEMPTED) {
			text[0] = evtlog_state_letter(tables->file, state - REPLAY_FIRST);
			text[1] = '\0';
		}
		tables->state_texts[state] = tables_text(tables, text) + 1;
	}
	return tables->state_texts[state] - 1;
}

static bool is_wanted(const struct tables *tables, const struct replay_change *change)
{
	if (change->cpu == NO_SLOT)
		return !tables->options.cpus;
	return tables->cpus[change->cpu].wanted;
}

static void put_state(struct tables *tables, const struct task *task,
		      const struct replay_change *change, int64_t begin, int64_t dur, bool cut)
{
	bool runs = change->state == REPLAY_RUNNING, woken = change->woken;
	int64_t text = schedule_state_text(tables, change->state);

	if (!runs && tables_want(tables, TABLE_THREAD_WAIT))
		tables_put_sourced(tables, TABLE_THREAD_WAIT, (int64_t[]) {
			begin, dur, task->utid, text, task->waker, change->in_irq, cut,
			SOURCE_VALUES(tables)
		}, NULL_IF(!woken || task->waker < 0, 4) | NULL_IF(!woken, 5));
	if (!tables_want(tables, TABLE_THREAD_STATE))
		return;
	tables_put_sourced(tables, TABLE_THREAD_STATE, (int64_t[]) {
		begin, dur, task->utid, text, runs ? tables->cpus[change->cpu].number : 0,
		task->waker, change->in_irq, 0, 0, cut, SOURCE_VALUES(tables)
	}, NULL_IF(!runs, 4) | NULL_IF(!woken || task->waker < 0, 5) | NULL_IF(!woken, 6) |
	   NULL_IF(true, 7) | NULL_IF(true, 8));
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
 * A thread changes from a waiting state to another one.
 * @begin, @until: the known part of the waiting state, which is all of it unless @cut
 * @wanted:	a row of the waiting state is wanted
 */
static void waits_end(struct tables *tables, struct task *task, const struct replay_change *change,
		      int64_t begin, int64_t until, bool cut, bool wanted)
{
	struct wait *wait = &task->wait;
	bool runnable = replay_is_waiting(change->state);

	if (runnable && change->next == REPLAY_RUNNING && !cut) {
		wait->wait_state = change->state;
		wait->wait_dur = until - begin;
		wait->wait_wanted = wanted;
		return;
	}
	if (wanted && (runnable || cut || change->next != REPLAY_FIRST))
		put_rest(tables, task, change->state, begin, until - begin,
			 wait->woken ? wait : NULL, cut);
	waits_drop(tables, task, change->since);
	if (!runnable && !cut && change->next == REPLAY_FIRST) {
		wait->sleep_state = change->state;
		wait->sleep_dur = until - begin;
		wait->sleep_wanted = wanted;
	}
}

static void end_state(struct tables *tables, struct task *task, const struct replay_change *change)
{
	bool waits = change->state != REPLAY_RUNNING && tables->wanted & OF_WAITS;
	bool wanted = is_wanted(tables, change), cut = change->cut;
	int64_t begin = change->since, until = change->time;

	if (until < begin || !tables_clip(tables, &begin, until, &cut)) {
		if (waits)
			waits_drop(tables, task, change->since);
		return;
	}
	if (wanted && tables->wanted & OF_STATES)
		put_state(tables, task, change, begin, until - begin, cut);
	if (waits)
		waits_end(tables, task, change, begin, until, cut, wanted);
}

/* ---- Slices, and ends of states ---- */

static void put_slice(struct tables *tables, struct task *task, const struct replay_change *change)
{
	const struct cpu *cpu = &tables->cpus[change->cpu];
	struct wait *wait = &task->wait;
	unsigned int state = change->next;
	int64_t begin = change->since, until = change->time;
	unsigned int prior = wait->sleep_state ? wait->sleep_state :
			     wait->woken ? REPLAY_UNKNOWN : wait->wait_state;
	bool cut = change->cut;

	if (!cpu->wanted || until < begin || !tables_clip(tables, &begin, until, &cut)) {
		waits_drop(tables, task, change->since);
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

/* The exits are missing of what the thread was in. */
static void forget_nested(struct tables *tables, struct task *task,
			  const struct replay_change *change)
{
	nested_forget_task(tables, task, change->cpu == NO_SLOT ? NULL :
			   &tables->cpus[change->cpu], change->time);
}

static void take_state(struct tables *tables, struct task *task, const struct replay_change *change)
{
	if (change->state == REPLAY_RUNNING && tables->wanted & OF_WAITS)
		put_slice(tables, task, change);
	if (change->task == REPLAY_IDLE)
		return;
	if (!change->next)
		forget_nested(tables, task, change);
	if (change->state && tables->wanted & (OF_STATES | OF_WAITS))
		end_state(tables, task, change);
}

/* ---- Wake-ups, migrations ---- */

static void take_wake(struct tables *tables, struct task *task, const struct replay_change *change)
{
	const struct cpu *cpu = &tables->cpus[change->by];
	bool wanted = tables_now_wanted(tables, cpu), in_irq = change->wake_in_irq;
	bool begins = change->is_new || change->state != change->next;
	bool spurious = !begins && change->state;
	int64_t waker = change->waker ? tables->tasks[change->waker].utid : -1;

	if (wanted && !change->is_new && tables_want(tables, TABLE_WAKEUP))
		tables_put_sourced(tables, TABLE_WAKEUP, (int64_t[]) {
			tables->now, cpu->number, task->utid, waker, in_irq, spurious,
			SOURCE_VALUES(tables)
		}, NULL_IF(waker < 0, 3));
	if (!begins) {
		if (wanted)
			waits_put_wakeup(tables, task, cpu->number, waker, in_irq, spurious,
					 tables->now);
		return;
	}
	take_state(tables, task, change);
	task->waker = task->wait.waker = waker;
	task->wait.woken = true;
	task->wait.in_irq = in_irq;
	if (change->is_new)
		return;
	task->wait.has_wake = true;
	task->wait.wake_wanted = wanted;
	task->wait.wake_cpu = cpu->number;
}

void schedule_apply(struct tables *tables)
{
	const struct replay *replay = &tables->replay;

	for (size_t i = 0; i < replay->change_count; i++) {
		const struct replay_change *change = &replay->changes[i];

		switch (change->kind) {
		case REPLAY_STATE:
			take_state(tables, tables_task(tables, change->task), change);
			break;
		case REPLAY_WAKE:
			take_wake(tables, tables_task(tables, change->task), change);
			break;
		case REPLAY_END:
			forget_nested(tables, tables_task(tables, change->task), change);
			tables_tasks_end(tables, change->task);
			break;
		}
	}
}

void schedule_waking_new(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event)
{
	const struct task *task = tables_task_of(tables, evtlog_record_pid(event->words));

	if (!task->utid) {
		tables_leave_out(tables, cpu, event);
		return;
	}
	if (tables_want(tables, TABLE_WAKEUP_NEW) && tables_now_wanted(tables, cpu))
		tables_put_sourced(tables, TABLE_WAKEUP_NEW, (int64_t[]) {
			tables->now, cpu->number, task->utid, (int32_t)event->words[1],
			(int32_t)(event->words[1] >> 32), cpu_utid(tables, cpu),
			SOURCE_VALUES(tables)
		}, NULL_IF(!cpu_task(tables, cpu), 5));
}

void schedule_migrate(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event)
{
	const struct task *task = tables_task_of(tables, evtlog_record_pid(event->words));
	uint32_t from = (uint32_t)event->words[1], to = event->words[1] >> 32;

	if (!task->utid) {
		tables_leave_out(tables, cpu, event);
		return;
	}
	if (tables_want(tables, TABLE_SCHED_MIGRATE) && tables_now_wanted(tables, cpu))
		tables_put_sourced(tables, TABLE_SCHED_MIGRATE, (int64_t[]) {
			tables->now, cpu->number, task->utid, (int32_t)from, (int32_t)to,
			SOURCE_VALUES(tables)
		}, 0);
}
