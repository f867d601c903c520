// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watches: the thread that reads the stream of records, and acts on matches.
 *
 * Exists while there are rules.  Reads every watch_period_ms, and when a buffer is handed over.
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "clock.h"
#include "named/named.h"
#include "notify.h"
#include "run.h"
#include "watch/source.h"
#include "watch/watch.h"

#define MATCHES_MAX	256	/* before their actions */
#define ROUND_NS	(2 * NSEC_PER_MSEC)	/* for one source; locks are held */
#define RECORDS_A_LOOK	256	/* between readings of the clock */

/* The rules, and the matches of each; guarded by watch_lock */
DEFINE_MUTEX(watch_lock);
LIST_HEAD(watch_rules);
unsigned int watch_period_ms = 10;
u64 watch_rounds;

static struct watch_match *matches;
static unsigned int nr_matches;
static struct task_struct *thread;

static u64 ns_of_ticks(u64 ticks)
{
	u64 hz = evtlog_ticks_hz();

	return hz ? mul_u64_u64_div_u64(ticks, NSEC_PER_SEC, hz) : 0;
}

/* CLOCK_REALTIME of a tick, by the present reading of both clocks */
static u64 real_ns_of(u64 ticks)
{
	return ktime_get_real_ns() - ns_of_ticks(evtlog_ticks64() - ticks);
}

/**
 * watch_match_add() - note a match, for its action
 * @rule:	it found the match
 * @a:		the record
 * @b:		the other record; NULL: none, or it did not come
 * @at:		time when the match was found, ticks
 *
 * If there are too many at once, they are only counted in the rule.
 */
void watch_match_add(struct watch_rule *rule, const struct watch_record *a,
		     const struct watch_record *b, u64 at)
{
	size_t used, room = WATCH_LINE_MAX - 160;
	struct watch_match *match;

	if (rule->action == WATCH_KEEP) {
		rule->done = true;
		rule->kept_serial = rule->source->serial;
		match = &rule->kept;
	} else if (nr_matches < MATCHES_MAX) {
		match = &matches[nr_matches++];
	} else {
		rule->untold++;
		return;
	}
	match->action = rule->action;
	match->at = at;
	strscpy(match->rule, rule->name, sizeof(match->rule));
	strscpy(match->buffer, rule->buffer, sizeof(match->buffer));
	used = scnprintf(match->text, room, "time_ns %llu span_ns %llu a ticks %llu cpu %u ",
			 real_ns_of(at), ns_of_ticks(at - a->ticks), a->ticks, a->cpu);
	used += watch_side_print(&rule->a, a, match->text + used, min(room - used, room / 2));
	if (b) {
		used += scnprintf(match->text + used, room - used, " b ticks %llu cpu %u ",
				  b->ticks, b->cpu);
		watch_side_print(&rule->b, b, match->text + used, room - used);
	}
	if (rule->action == WATCH_KEEP)
		rule->keep_at = at + mul_u64_u64_div_u64(rule->after_ns, evtlog_ticks_hz(),
							 NSEC_PER_SEC) + 1;
}

static void give_to_rules(const struct watch_source *source, const struct watch_record *rec)
{
	bool is_format = (rec->words[0] >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX) ==
			 EVTLOG_EVENT_FORMAT;
	struct watch_rule *rule;

	list_for_each_entry(rule, &watch_rules, list) {
		if (rule->source != source)
			continue;
		if (is_format)
			watch_rule_learn(rule, rec);
		else
			watch_rule_take(rule, rec);
	}
}

static void tell_rules(struct watch_source *source, bool is_done)
{
	struct watch_rule *rule;

	list_for_each_entry(rule, &watch_rules, list) {
		if (rule->source != source)
			continue;
		if (source->has_gap)
			watch_rule_forget(rule);
		else if (is_done && !rule->done)
			watch_rule_pass(rule, source->horizon);
	}
	source->has_gap = false;
}

/* Returns true if there are more records to read. */
static bool look_at(struct watch_source *source)
{
	u64 until = ktime_get_ns() + ROUND_NS;
	const struct watch_record *rec;
	unsigned int left = RECORDS_A_LOOK;

	watch_source_place(source);
	while (nr_matches < MATCHES_MAX / 2) {
		rec = watch_source_next(source);
		if (source->has_gap)
			tell_rules(source, false);
		if (!rec) {
			tell_rules(source, true);
			return false;
		}
		source->records++;
		give_to_rules(source, rec);
		if (!--left) {
			if (ktime_get_ns() > until)
				return true;
			left = RECORDS_A_LOOK;
		}
	}
	return true;
}

static bool look(void)
{
	struct watch_source *source;
	bool has_more = false;

	evtlog_named_lock();
	rt_mutex_lock(&evtlog_run_lock);
	list_for_each_entry(source, &watch_sources, list)
		has_more |= look_at(source);
	watch_rounds++;
	rt_mutex_unlock(&evtlog_run_lock);
	evtlog_named_unlock();
	return has_more;
}

static int act_on(const struct watch_match *match)
{
	struct evtlog_run_request request = {
		.name = match->rule, .reference_ticks = match->at,
	};

	switch (match->action) {
	case WATCH_START:
		return evtlog_run_start(&request);
	case WATCH_STOP:
		return evtlog_run_stop();
	default:
		return *match->buffer ? evtlog_named_hand_over(match->buffer) : 0;
	}
}

/* For many matches in a buffer, its reader is woken once. */
static bool is_done(const struct watch_match *match, const struct watch_match *last)
{
	return match->action == WATCH_WAKE && last->action == WATCH_WAKE &&
	       !strcmp(match->buffer, last->buffer);
}

static void keep(struct watch_rule *rule)
{
	u64 from = 0, types = 0, ns = ~0ULL;
	size_t used = strlen(rule->kept.text);
	int error = evtlog_named_freeze(rule->buffer, rule->kept_serial, &from, &types);

	rule->keep_at = 0;
	/* All events since the buffer was added are there. */
	if (from)
		ns = rule->kept.at > from ? ns_of_ticks(rule->kept.at - from) : 0;
	scnprintf(rule->kept.text + used, sizeof(rule->kept.text) - used,
		  " keep buffer %s whole %d kept_ns %lld", rule->buffer,
		  !error && ns >= rule->keep_ns,
		  from ? (s64)ns : -1);
	watch_log_add(&rule->kept, error);
	/* After the log: the reader may have the end by now, and looks for the match. */
	if (types)
		evtlog_named_types_gone(types, false);
}

static void act(void)
{
	struct watch_rule *rule;
	unsigned int i;
	int error = 0;

	for (i = 0; i < nr_matches; i++) {
		if (!i || !is_done(&matches[i], &matches[i - 1]))
			error = act_on(&matches[i]);
		watch_log_add(&matches[i], error);
	}
	nr_matches = 0;
	list_for_each_entry(rule, &watch_rules, list) {
		if (rule->keep_at && evtlog_ticks64() >= rule->keep_at)
			keep(rule);
	}
}

static void sleep_a_while(void)
{
	DECLARE_WAITQUEUE(of_runs, current);
	DECLARE_WAITQUEUE(of_named, current);

	add_wait_queue(&evtlog_handed, &of_runs);
	add_wait_queue(&evtlog_named_handed, &of_named);
	set_current_state(TASK_INTERRUPTIBLE);
	if (!kthread_should_stop())
		schedule_timeout(max(1UL, msecs_to_jiffies(READ_ONCE(watch_period_ms))));
	__set_current_state(TASK_RUNNING);
	remove_wait_queue(&evtlog_named_handed, &of_named);
	remove_wait_queue(&evtlog_handed, &of_runs);
}

static int run(void *unused)
{
	while (!kthread_should_stop()) {
		bool has_more;

		mutex_lock(&watch_lock);
		has_more = look();
		act();
		mutex_unlock(&watch_lock);
		if (has_more)
			cond_resched();
		else
			sleep_a_while();
	}
	return 0;
}

/**
 * watch_thread_start() - start the thread, unless it runs
 *
 * Context: task context; one caller at a time, watch_lock is not held.
 * Return: 0; -ENOMEM, or another error of a thread.
 */
int watch_thread_start(void)
{
	if (thread)
		return 0;
	if (!matches)
		matches = kvcalloc(MATCHES_MAX, sizeof(*matches), GFP_KERNEL);
	if (!matches || watch_log_init())
		return -ENOMEM;
	thread = kthread_run(run, NULL, "evtlog_watch");
	if (IS_ERR(thread)) {
		int error = PTR_ERR(thread);

		thread = NULL;
		return error;
	}
	return 0;
}

/**
 * watch_thread_stop() - stop the thread
 *
 * Context: as watch_thread_start().
 */
void watch_thread_stop(void)
{
	if (thread)
		kthread_stop(thread);
	thread = NULL;
}

#ifdef MODULE
/* Frees what watch_thread_start() has allocated. */
void watch_thread_exit(void)
{
	watch_log_exit();
	kvfree(matches);
}
#endif
