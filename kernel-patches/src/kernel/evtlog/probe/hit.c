// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records a hit in C, from saved registers: what a stub does in machine code.
 *
 * Called by kprobe.c and, in a module, which has no stubs, for each hit.
 */
#include <linux/evtlog.h>
#include <linux/ptrace.h>

#include "filter/filter.h"
#include "probe/probe.h"
#include "ring.h"

static void eval_all(struct evtlog_probe *p, const struct pt_regs *regs, u64 *slots)
{
	struct evtlog_ring *r = this_cpu_ptr(&evtlog_ring);
	unsigned int i, faults = 0;

	/* As in a stub: the fault handler may be probed. */
	r->busy++;
	barrier();
	for (i = 0; i < p->nr_args; i++)
		faults += !!evtlog_probe_eval(&p->args[i], regs, &slots[i]);
	barrier();
	r->busy--;
	if (faults)
		this_cpu_add(p->counts->faults, faults);
	if (p->nr_texts)
		slots[p->nr_args] = evtlog_probe_texts(p, slots);
}

static bool filter_accepts(const struct evtlog_probe *p, const u64 *slots)
{
	if (p->accepts)
		return p->accepts(slots);
	return !p->filter || evtlog_filter_run(p->filter, slots);
}

static bool accepts(struct evtlog_probe *p, const struct pt_regs *regs, const u64 *slots)
{
	const void *packet;

	if (!filter_accepts(p, slots))
		return false;
	packet = (void *)regs_get_kernel_argument((struct pt_regs *)regs, p->packet_source);
	return (!p->packet || evtlog_probe_packet_is_in(p, packet)) &&
	       (!p->handler || evtlog_probe_handler_accepts(p, slots));
}

/* Begins a record; for one that may go to a named buffer, evtlog_probe_commit() is due. */
static u64 *begin(struct evtlog_probe *p)
{
	u64 *record = NULL;

	if (!p->routed)
		record = evtlog_ring_try_reserve(&evtlog_ring, p->tag, evtlog_probe_words(p));
	return record ? record : evtlog_probe_slow(p);
}

/**
 * evtlog_probe_hit() - record a hit, or count why it is not recorded
 * @regs:	registers of the probed place; with the result, those of the function's entry
 *
 * Context: any but NMI; interrupts off.
 */
void evtlog_probe_hit(struct evtlog_probe *p, const struct pt_regs *regs)
{
	u64 slots[EVTLOG_PROBE_ARGS_MAX + 1];
	u64 *record;

	/* While a probe reads, a nested hit that would read, too, has nothing to write. */
	if (this_cpu_read(evtlog_ring.busy) && evtlog_probe_loads(p)) {
		evtlog_probe_slow(p);
		return;
	}
	if (p->nr_args)
		eval_all(p, regs, slots);
	if (!accepts(p, regs, slots)) {
		this_cpu_inc(p->counts->rejected);
		return;
	}
	if (!evtlog_probe_is_in_sample(p, slots)) {
		this_cpu_inc(p->counts->skipped);
		return;
	}
	record = begin(p);
	if (!record)
		return;
	if (p->sample.kind)
		record[1] = evtlog_probe_weight(p);
	if (p->nr_args)
		evtlog_probe_fill_slow(p, record, slots);
	if (p->routed)
		evtlog_probe_commit(p);
	this_cpu_inc(p->counts->recorded);
}
