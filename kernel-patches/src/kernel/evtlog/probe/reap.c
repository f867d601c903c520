// SPDX-License-Identifier: GPL-2.0-only
/*
 * Deleted probes, until nobody is in their machine code.
 *
 * table.c hands them over when no site calls them any more.
 */
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "event/table.h"
#include "filter/filter.h"
#include "probe/probe.h"

#define PATIENCE_MIN	(HZ / 10UL)
#define PATIENCE_MAX	(10UL * HZ)

/* Somebody may be in their stubs. */
static LIST_HEAD(dying);
static unsigned long patience = PATIENCE_MIN;

/**
 * evtlog_probe_sum_counts() - a probe's counters of all CPUs
 * @p:		the probe
 *
 * If nobody can enter its stub any more, and @in is @out, nobody is in the function.
 */
struct evtlog_probe_counts evtlog_probe_sum_counts(const struct evtlog_probe *p)
{
	struct evtlog_probe_counts sum = {};
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct evtlog_probe_counts *c = per_cpu_ptr(p->counts, cpu);

		/* Whoever left before this was looked at had entered before. */
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
	return sum;
}

/**
 * evtlog_probe_free() - free a probe
 * @p:		nobody is in its stub, nor can come there, nor in what its record is told by
 */
void evtlog_probe_free(struct evtlog_probe *p)
{
	if (p->id > 0)
		evtlog_event_forget(p->id);
	if (p->stub)
		evtlog_probe_text_free(p->stub, p->stub_bytes);
	evtlog_filter_free(p->filter);
	free_percpu(p->counts);
	module_put(p->module);
	kfree(p->text);
	kfree(p);
}

/**
 * evtlog_probe_free_all() - free probes
 * @list:	of them, as above; empty on return
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

/* Also where RCU does not watch, and for tasks that were preempted */
static void wait_for_stubs(void)
{
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
}

static void reap(struct work_struct *unused);
static DECLARE_DELAYED_WORK(reap_work, reap);

/*
 * A return's stub is on the stack of whoever is in the function, however long he sleeps: looked
 * for ever less often.
 */
static void reap(struct work_struct *unused)
{
	struct evtlog_probe *p, *next;
	LIST_HEAD(mine);
	LIST_HEAD(gone);
	LIST_HEAD(sites);

	mutex_lock(&evtlog_probe_lock);
	list_splice_init(&dying, &mine);
	evtlog_probe_sites_removed(&sites);
	mutex_unlock(&evtlog_probe_lock);
	/* After this whoever has entered is counted. */
	wait_for_stubs();
	evtlog_probe_sites_free(&sites);
	list_for_each_entry_safe(p, next, &mine, list) {
		struct evtlog_probe_counts counts = evtlog_probe_sum_counts(p);

		if (counts.in == counts.out)
			list_move(&p->list, &gone);
	}
	/* After this whoever has left is behind the last instruction, too. */
	wait_for_stubs();
	mutex_lock(&evtlog_probe_lock);
	evtlog_probe_free_all(&gone);
	list_splice(&mine, &dying);
	if (!list_empty(&dying))
		schedule_delayed_work(&reap_work, patience);
	patience = min(2 * patience, PATIENCE_MAX);
	mutex_unlock(&evtlog_probe_lock);
}

/**
 * evtlog_probe_reap() - free probes as soon as nobody is in their stubs
 * @list:	removed from all sites; empty on return
 *
 * Context: the table's lock is held.
 */
void evtlog_probe_reap(struct list_head *list)
{
	if (list_empty(list))
		return;
	list_splice_tail_init(list, &dying);
	patience = PATIENCE_MIN;
	mod_delayed_work(system_wq, &reap_work, 0);
}
