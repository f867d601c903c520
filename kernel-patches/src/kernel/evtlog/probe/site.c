// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes whose stub is called directly from ftrace's site at the function's entry.
 *
 * table.c calls this file with whole batches.
 */
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "probe/ftrace.h"
#include "probe/probe.h"

/* Arrays for ftrace: the probes of EVTLOG_PROBE_DIRECT in a batch */
struct batch {
	struct list_head list;
	unsigned int nr;
	unsigned long *ips;
	unsigned long *targets;
	void **retired;
};

LIST_HEAD(evtlog_probe_sites_removed);
const char evtlog_probe_site_mechanism[] = "direct";

static void batch_free(struct batch *b)
{
	kvfree(b->ips);
	kvfree(b->targets);
	kvfree(b->retired);
}

static int batch_make(struct batch *b, struct list_head *probes)
{
	struct evtlog_probe *p;
	unsigned int i = 0;

	b->nr = 0;
	list_for_each_entry(p, probes, list)
		b->nr += p->mechanism == EVTLOG_PROBE_DIRECT;
	if (!b->nr)
		return 0;
	b->ips = kvcalloc(b->nr, sizeof(*b->ips), GFP_KERNEL);
	b->targets = kvcalloc(b->nr, sizeof(*b->targets), GFP_KERNEL);
	b->retired = kvcalloc(b->nr, sizeof(*b->retired), GFP_KERNEL);
	if (!b->ips || !b->targets || !b->retired) {
		batch_free(b);
		return -ENOMEM;
	}
	list_for_each_entry(p, probes, list) {
		if (p->mechanism != EVTLOG_PROBE_DIRECT)
			continue;
		b->ips[i] = p->site;
		b->targets[i++] = (unsigned long)p->stub + p->entry;
	}
	return 0;
}

static void free_retired(struct batch *b)
{
	unsigned int i;

	for (i = 0; i < b->nr; i++)
		kfree(b->retired[i]);
}

static struct evtlog_probe *nth_direct(struct list_head *probes, unsigned int n)
{
	struct evtlog_probe *p;

	list_for_each_entry(p, probes, list) {
		if (p->mechanism == EVTLOG_PROBE_DIRECT && !n--)
			return p;
	}
	return NULL;
}

/**
 * evtlog_probe_sites_add() - insert the direct calls of a batch
 * @probes:	probes; those of EVTLOG_PROBE_DIRECT are inserted, and their stubs can run
 * @error:	the reason, if a probe is refused
 *
 * If BPF uses the site, a probe at the entry becomes EVTLOG_PROBE_KPROBE.
 *
 * Context: task context, the table's lock is held.
 * Return: 0, or a negative error: nothing was inserted.
 */
int evtlog_probe_sites_add(struct list_head *probes, struct evtlog_probe_error *error)
{
	for (;;) {
		struct batch b = {};
		struct evtlog_probe *p;
		unsigned int failed = 0;
		int status = batch_make(&b, probes);

		if (status)
			return evtlog_probe_refuse(error, status, "not enough memory");
		if (!b.nr)
			return 0;
		status = evtlog_ftrace_add(b.ips, b.targets, b.nr, &failed, b.retired);
		if (status) {
			synchronize_rcu_tasks();
			free_retired(&b);
		}
		batch_free(&b);
		if (!status)
			return 0;
		p = nth_direct(probes, failed);
		if (!p || status != -EBUSY)
			return evtlog_probe_refuse(error, status, "ftrace cannot insert the probe: %pe",
						   ERR_PTR(status));
		if (p->kind != EVTLOG_PROBE_ENTRY)
			return evtlog_probe_refuse(error, status,
				"%.60s has a direct call already; delete the other probe, and add it again after this one, or end the BPF program or live patch",
				p->symbol);
		p->mechanism = EVTLOG_PROBE_KPROBE;
		p->why = "the function has a direct call already";
	}
}

/**
 * evtlog_probe_sites_remove() - delete the direct calls of a batch
 * @probes:	as for evtlog_probe_sites_add()
 *
 * On success, the code of the functions is as it was before.  A task may still be in a stub.
 *
 * Context: task context, the table's lock is held.
 * Return: 0, or a negative error: the functions may call the stubs for ever.
 */
int evtlog_probe_sites_remove(struct list_head *probes)
{
	struct batch *b = kzalloc(sizeof(*b), GFP_KERNEL | __GFP_NOFAIL);
	int error = 0;

	while (batch_make(b, probes))
		cond_resched();
	if (b->nr)
		error = evtlog_ftrace_remove(b->ips, b->nr, b->retired);
	if (!error) {
		list_add(&b->list, &evtlog_probe_sites_removed);
		return 0;
	}
	batch_free(b);
	kfree(b);
	return error;
}

/* A direct call misses no hit. */
u64 evtlog_probe_site_missed(const struct evtlog_probe *p)
{
	return 0;
}

/**
 * evtlog_probe_sites_free() - free what evtlog_probe_sites_remove() has left
 * @list:	batches that ftrace does not look up any more
 */
void evtlog_probe_sites_free(struct list_head *list)
{
	struct batch *b, *next;

	list_for_each_entry_safe(b, next, list, list) {
		free_retired(b);
		batch_free(b);
		kfree(b);
	}
}
