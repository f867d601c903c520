// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frees deleted probes when no task is in their machine code.
 *
 * table.c passes probes to this file after it has removed them from all sites.
 */
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "code/text.h"
#include "event/table.h"
#include "filter/filter.h"
#include "probe/probe.h"

#define PATIENCE_MIN	(HZ / 10UL)
#define PATIENCE_MAX	(10UL * HZ)

/* Probes with stubs that a task may be in; those in @fresh have not been checked yet. */
static LIST_HEAD(fresh);
static LIST_HEAD(dying);
static unsigned long patience = PATIENCE_MIN;

/**
 * evtlog_probe_sum_counts() - sum the counters of a probe over all CPUs
 *
 * If its stub cannot be entered any more and @in equals @out, no task is in the function.
 */
struct evtlog_probe_counts evtlog_probe_sum_counts(const struct evtlog_probe *p)
{
	struct evtlog_probe_counts sum = {};
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct evtlog_probe_counts *c = per_cpu_ptr(p->counts, cpu);

		/* Before @in: a task that is counted in @out is then also counted in @in. */
		sum.out += READ_ONCE(c->out);
	}
	smp_rmb();
	for_each_possible_cpu(cpu) {
		const struct evtlog_probe_counts *c = per_cpu_ptr(p->counts, cpu);

		sum.in += READ_ONCE(c->in);
		sum.recorded += READ_ONCE(c->recorded);
		sum.rejected += READ_ONCE(c->rejected);
		sum.lost += READ_ONCE(c->lost);
		sum.idle += READ_ONCE(c->idle);
		sum.faults += READ_ONCE(c->faults);
		sum.skipped += READ_ONCE(c->skipped);
		sum.rest += READ_ONCE(c->rest);
	}
	/* Hits in the handler of another kprobe: the kernel calls no handler for them. */
	if (p->mechanism == EVTLOG_PROBE_KPROBE)
		sum.lost += READ_ONCE(p->kp.nmissed);
	else
		sum.lost += evtlog_probe_site_missed(p);
	return sum;
}

/**
 * evtlog_probe_free() - free a probe
 * @p:		no task is in its stub or can enter it, or is in code that the stub calls
 */
void evtlog_probe_free(struct evtlog_probe *p)
{
	if (p->id > 0)
		evtlog_event_forget(p->id);
	evtlog_probe_code_free(p);
	evtlog_probe_handler_put(p);
	evtlog_probe_packet_free(p);
	evtlog_filter_free(p->filter);
	evtlog_probe_counts_put(p);
	module_put(p->module);
	kfree(p->route);
	kfree(p->text);
	kfree(p);
}

/**
 * evtlog_probe_free_all() - free a list of probes
 * @list:	probes, as for evtlog_probe_free(); empty on return
 */
void evtlog_probe_free_all(struct list_head *list)
{
	struct evtlog_probe *p, *next;

	list_for_each_entry_safe(p, next, list, list) {
		list_del(&p->list);
		evtlog_probe_free(p);
		cond_resched();
	}
}

/* Takes the lock for each probe, so that a write to the table does not wait for the whole list. */
static void free_gone(struct list_head *gone)
{
	struct evtlog_probe *p, *next;

	list_for_each_entry_safe(p, next, gone, list) {
		list_del(&p->list);
		mutex_lock(&evtlog_probe_lock);
		evtlog_probe_free(p);
		mutex_unlock(&evtlog_probe_lock);
		cond_resched();
	}
}

static void reap(struct work_struct *unused);
static DECLARE_DELAYED_WORK(reap_work, reap);

/* Moves the probes that every task has left. */
static void move_left(struct list_head *from, struct list_head *to)
{
	struct evtlog_probe *p, *next;

	list_for_each_entry_safe(p, next, from, list) {
		struct evtlog_probe_counts counts = evtlog_probe_sum_counts(p);

		if (counts.in == counts.out)
			list_move(&p->list, to);
		cond_resched();
	}
}

/*
 * The stub of a return is on the stack of a task in the function, however long it sleeps.  Checks
 * get rarer, and wait for all CPUs only if there is a new probe, or one that all tasks have left.
 */
static void reap(struct work_struct *unused)
{
	LIST_HEAD(mine);
	LIST_HEAD(left);
	LIST_HEAD(gone);
	LIST_HEAD(sites);

	mutex_lock(&evtlog_probe_lock);
	list_splice_init(&dying, &mine);
	move_left(&mine, &left);
	/* A task in one of these stubs may not be counted yet. */
	list_splice_init(&fresh, &left);
	list_splice_init(&evtlog_probe_sites_removed, &sites);
	mutex_unlock(&evtlog_probe_lock);
	if (!list_empty(&left) || !list_empty(&sites)) {
		/* After this, each task that has entered is counted. */
		evtlog_text_wait();
		evtlog_probe_sites_free(&sites);
		move_left(&left, &gone);
		list_splice(&left, &mine);
		/* After this, each task that is counted in @out has left the stub completely. */
		evtlog_text_wait();
		free_gone(&gone);
	}
	mutex_lock(&evtlog_probe_lock);
	list_splice(&mine, &dying);
	if (!list_empty(&dying))
		schedule_delayed_work(&reap_work, patience);
	patience = min(2 * patience, PATIENCE_MAX);
	mutex_unlock(&evtlog_probe_lock);
}

/**
 * evtlog_probe_reap() - free probes as soon as no task is in their stubs
 * @list:	probes that are removed from all sites; empty on return
 *
 * Context: the table's lock is held.
 */
void evtlog_probe_reap(struct list_head *list)
{
	if (list_empty(list))
		return;
	list_splice_tail_init(list, &fresh);
	patience = PATIENCE_MIN;
	mod_delayed_work(system_wq, &reap_work, 0);
}

#ifdef MODULE
/* Frees all deleted probes, which are removed from all sites; nothing deletes a probe any more. */
void evtlog_probe_reap_exit(void)
{
	cancel_delayed_work_sync(&reap_work);
	if (!list_empty(&fresh) || !list_empty(&dying))
		evtlog_text_wait();
	mutex_lock(&evtlog_probe_lock);
	evtlog_probe_free_all(&fresh);
	evtlog_probe_free_all(&dying);
	mutex_unlock(&evtlog_probe_lock);
}
#endif
