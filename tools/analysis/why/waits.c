// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes waits of rows, and keeps those that are wanted.
 *
 * A slice contains the wait before it.  Waits that no slice contains are rows of thread_wait_rest:
 * the log does not show their begin, their end or their wake-up.
 */
#include <errno.h>
#include <stdlib.h>

#include "finder.h"

enum { SLICE_TS, SLICE_DUR, SLICE_CPU, SLICE_UTID, SLICE_WAIT = 6, SLICE_SLEEP, SLICE_PRIOR,
       SLICE_WAKER, SLICE_WAKER_CPU, SLICE_IRQ };
enum { REST_TS, REST_DUR, REST_UTID, REST_STATE, REST_WAKER, REST_IRQ, REST_CUT };

/* ---- Waits of a thread ---- */

static int offer_at(const struct finder *finder, const struct why_wait *wait)
{
	int64_t end = !wait->runs ? wait->until : finder->search->with_run ? finder->run_end :
		      why_wait_end(wait);
	int64_t time = finder->search->task->time;
	int error;

	if (time < wait->since || time >= end)
		return 0;
	error = worst_add(&finder->found->waits, finder->search, wait);
	return error ? error : -ECANCELED;
}

/* A wait is complete, as far as the log has it. */
static int offer(struct finder *finder, struct thread *thread, const struct why_wait *wait)
{
	const struct why_search *search = finder->search;
	const struct threads *threads = &finder->found->threads;
	int64_t end = why_wait_end(wait);

	if (finder->utid != UTID_UNKNOWN)
		return offer_at(finder, wait);
	if (worst_key(search->sort, wait) <= 0 || end < search->from || end >= search->to)
		return 0;
	if (search->cpus && (wait->cpu == CPU_UNKNOWN || !search->cpus[wait->cpu]))
		return 0;
	if (!search->task)
		return worst_add(&finder->found->waits, search, wait);
	if (!thread->names || wait->since >= threads->names[thread->names - 1].to)
		return worst_add(&thread->waits, search, wait);
	/* It began under an earlier name. */
	if (!why_task_may_fit(search->task, finder->dictionary,
			      why_threads_name_at(threads, thread, wait->since)))
		return 0;
	return worst_add(&thread->fitting, search, wait);
}

/* The thread is next seen at @time, or never (INT64_MAX); its wait up to then is complete. */
static int end_rest(struct finder *finder, struct thread *thread, int64_t time)
{
	struct why_wait *rest = thread->rest;
	int error;

	if (!rest)
		return 0;
	thread->rest = NULL;
	finder->resting--;
	if (!rest->runs)
		rest->until = time;
	/* A wait that is cut has no begin, if its end is known. */
	rest->begin_unknown |= rest->cut && (rest->runs || (rest->woken && !rest->blocked));
	error = offer(finder, thread, rest);
	free(rest);
	return error;
}

/* Adds a row that begins when the rest ends, or ends when it begins.  Returns false if neither. */
static bool extends(struct why_wait *rest, const struct why_wait *row)
{
	if (row->state != TEXT_UNKNOWN && rest->state == TEXT_UNKNOWN &&
	    why_wait_end(row) == rest->since) {
		rest->since = row->since;
		rest->blocked = row->blocked;
		rest->state = row->state;
		rest->begin_unknown = row->cut;
		return true;
	}
	if (row->state != TEXT_UNKNOWN || rest->ready_state != TEXT_UNKNOWN || !row->woken ||
	    why_wait_end(rest) != row->since)
		return false;
	rest->begin_unknown = rest->cut;
	rest->cut = row->cut;
	rest->ready = row->ready;
	rest->ready_state = row->ready_state;
	rest->woken = true;
	rest->in_irq = row->in_irq;
	rest->waker = row->waker;
	return true;
}

static int take_rest(struct finder *finder, const int64_t *values, uint32_t nulls)
{
	bool is_ready = dictionary_text(finder->dictionary, values[REST_STATE]).bytes[0] == 'R';
	struct why_wait row = {
		.log = finder->log,
		.utid = values[REST_UTID],
		.since = values[REST_TS],
		.blocked = is_ready ? 0 : values[REST_DUR],
		.ready = is_ready ? values[REST_DUR] : 0,
		.state = is_ready ? TEXT_UNKNOWN : values[REST_STATE],
		.ready_state = is_ready ? values[REST_STATE] : TEXT_UNKNOWN,
		.cpu = CPU_UNKNOWN,
		.waker = nulls >> REST_WAKER & 1 ? UTID_UNKNOWN : values[REST_WAKER],
		.waker_cpu = CPU_UNKNOWN,
		.woken = !(nulls >> REST_IRQ & 1),
		.in_irq = !(nulls >> REST_IRQ & 1) && values[REST_IRQ],
		.cut = values[REST_CUT],
	};
	struct thread *thread;
	int error;

	if (finder->utid != UTID_UNKNOWN && row.utid != finder->utid)
		return 0;
	thread = why_threads_of(&finder->found->threads, finder->log, row.utid);
	if (!thread)
		return -ENOMEM;
	if (thread->rest && extends(thread->rest, &row))
		return 0;
	error = end_rest(finder, thread, row.since);
	if (error)
		return error;
	thread->rest = malloc(sizeof(*thread->rest));
	if (!thread->rest)
		return -ENOMEM;
	*thread->rest = row;
	finder->resting++;
	return 0;
}

struct why_wait why_wait_of_slice(size_t log, int64_t ready_state, const int64_t *values,
				  uint32_t nulls)
{
	bool waited = !(nulls >> SLICE_WAIT & 1), blocked = !(nulls >> SLICE_SLEEP & 1);
	bool woken = !(nulls >> SLICE_IRQ & 1), has_prior = !(nulls >> SLICE_PRIOR & 1);
	struct why_wait wait = {
		.log = log,
		.utid = values[SLICE_UTID],
		.blocked = blocked ? values[SLICE_SLEEP] : 0,
		.ready = waited ? values[SLICE_WAIT] : 0,
		.state = blocked ? values[SLICE_PRIOR] : TEXT_UNKNOWN,
		.ready_state = blocked || !has_prior ? ready_state : values[SLICE_PRIOR],
		.cpu = values[SLICE_CPU],
		.waker = nulls >> SLICE_WAKER & 1 ? UTID_UNKNOWN : values[SLICE_WAKER],
		.waker_cpu = nulls >> SLICE_WAKER_CPU & 1 ? CPU_UNKNOWN : values[SLICE_WAKER_CPU],
		.runs = true,
		.woken = woken,
		.in_irq = woken && values[SLICE_IRQ],
	};

	wait.since = values[SLICE_TS] - wait.ready - wait.blocked;
	return wait;
}

/* A slice of a thread with a rest, which is a part of its wait, all of it, or an earlier wait */
static int join_rest(struct finder *finder, struct thread *thread, struct why_wait *wait,
		     int64_t begin, bool waited)
{
	struct why_wait *rest = thread->rest;

	if (waited && rest->ready_state == TEXT_UNKNOWN && wait->state == TEXT_UNKNOWN &&
	    why_wait_end(rest) == wait->since) {
		wait->since = rest->since;
		wait->blocked = rest->blocked;
		wait->state = rest->state;
		wait->begin_unknown = rest->cut;
		thread->rest = NULL;
		finder->resting--;
		free(rest);
		return 0;
	}
	if (!waited && why_wait_end(rest) == begin) {
		rest->runs = true;
		rest->cpu = wait->cpu;
	}
	return end_rest(finder, thread, waited ? wait->since : begin);
}

/* With a time: did the thread run then?  It has no wait at the time if it runs later. */
static int see_run(struct finder *finder, const int64_t *values)
{
	int64_t begin = values[SLICE_TS], end = begin + values[SLICE_DUR];
	int64_t time = finder->search->task->time;

	if (time < begin)
		return -ECANCELED;
	if (time >= end)
		return 0;
	finder->ran = true;
	finder->ran_from = begin;
	finder->ran_to = end;
	finder->ran_cpu = values[SLICE_CPU];
	return -ECANCELED;
}

static int take_slice(struct finder *finder, const int64_t *values, uint32_t nulls)
{
	const struct worst *worst = &finder->found->waits;
	bool waited = !(nulls >> SLICE_WAIT & 1);
	struct thread *thread;
	struct why_wait wait;
	int error = 0;

	if (values[SLICE_UTID] == UTID_IDLE ||
	    (finder->utid != UTID_UNKNOWN && values[SLICE_UTID] != finder->utid))
		return 0;
	if (!finder->resting && !waited && finder->utid == UTID_UNKNOWN)
		return 0;
	wait = why_wait_of_slice(finder->log, finder->ready, values, nulls);
	if (!finder->resting && !finder->search->task && worst->count == finder->search->limit &&
	    !worst_is_less(finder->search->sort, &worst->at[0], &wait))
		return 0;
	thread = why_threads_of(&finder->found->threads, finder->log, wait.utid);
	if (!thread)
		return -ENOMEM;
	finder->run_end = values[SLICE_TS] + values[SLICE_DUR];
	if (thread->rest)
		error = join_rest(finder, thread, &wait, values[SLICE_TS], waited);
	if (!error && waited)
		error = offer(finder, thread, &wait);
	if (!error && finder->utid != UTID_UNKNOWN)
		error = see_run(finder, values);
	return error;
}

/* ---- Names: they are known when they end ---- */

static int take_name(struct finder *finder, const int64_t *values)
{
	const struct why_search *search = finder->search;
	struct threads *threads = &finder->found->threads;
	struct thread *thread;
	int error = why_threads_take_name(threads, finder->log, finder->dictionary, values);

	if (error || !search->task)
		return error;
	thread = &threads->at[key_table_find(&threads->by_utid, values[2])];
	if (why_task_may_fit(search->task, finder->dictionary,
			     threads->names[thread->names - 1].name))
		return worst_join(&thread->fitting, search, &thread->waits);
	thread->waits.count = 0;
	return 0;
}

/* All of a thread's waits and names are known. */
static int take_thread(struct finder *finder, const int64_t *values, uint32_t nulls)
{
	const struct why_search *search = finder->search;
	struct threads *threads = &finder->found->threads;
	struct thread *thread;
	int error = why_threads_take_row(threads, finder->log, finder->dictionary, values, nulls);

	if (error)
		return error;
	thread = &threads->at[key_table_find(&threads->by_utid, values[0])];
	error = end_rest(finder, thread, INT64_MAX);
	/* A thread without any name can only be found by its pid. */
	if (!error && search->task && search->task->is_pid)
		error = worst_join(&thread->fitting, search, &thread->waits);
	for (size_t i = 0; i < thread->fitting.count && !error; i++) {
		const struct why_wait *wait = &thread->fitting.at[i];

		if (why_task_fits(search->task, finder->dictionary,
				  why_threads_name_at(threads, thread, wait->since), thread->pid))
			error = worst_add(&finder->found->waits, search, wait);
	}
	free(thread->fitting.at);
	free(thread->waits.at);
	thread->fitting = thread->waits = (struct worst) { 0 };
	return error;
}

int why_take_row(void *context, enum table_number table, const int64_t *values, uint32_t nulls)
{
	struct finder *finder = context;

	switch (table) {
	case TABLE_SCHED_SLICE:
		return take_slice(finder, values, nulls);
	case TABLE_THREAD_WAIT_REST:
		return take_rest(finder, values, nulls);
	case TABLE_THREAD_NAME:
		return take_name(finder, values);
	default:
		return take_thread(finder, values, nulls);
	}
}
