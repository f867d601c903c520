// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a stub calls where its fast way does not do: a full buffer, a start or stop, bytes.
 *
 * Nothing here may be traced; what it calls may be, and finds the ring busy.
 */
#include <linux/evtlog.h>
#include <linux/preempt.h>

#include "probe/probe.h"
#include "ring.h"

/**
 * evtlog_probe_slow() - begin a probe's record
 * @p:		the probe
 *
 * Counts what became of the hit, unless it is recorded.
 *
 * Context: interrupts off; any, NMIs too.
 * Return: the record, its first word stored, or NULL.
 */
u64 *evtlog_probe_slow(struct evtlog_probe *p)
{
	u64 *record;

	if (in_nmi()) {
		evtlog_drop_nmi();
		this_cpu_inc(p->counts->lost);
		return NULL;
	}
	if (evtlog_ring_is_idle()) {
		this_cpu_inc(p->counts->idle);
		return NULL;
	}
	record = evtlog_ring_slow(this_cpu_ptr(&evtlog_ring), p->tag, evtlog_probe_words(p));
	if (!record && this_cpu_read(evtlog_ring.recording))
		this_cpu_inc(p->counts->lost);
	else if (!record)
		this_cpu_inc(p->counts->idle);
	return record;
}

/**
 * evtlog_probe_fill_slow() - fill a record that has bytes of memory
 * @p:		the probe
 * @record:	begun; the ring's position is behind it
 * @slots:	a value or an address for each argument
 *
 * Until it has ended no buffer is handed over.
 *
 * Context: interrupts off, not an NMI.
 */
void evtlog_probe_fill_slow(struct evtlog_probe *p, u64 *record, const u64 *slots)
{
	struct evtlog_ring *r = this_cpu_ptr(&evtlog_ring);
	u64 faults;

	r->busy = true;
	barrier();
	faults = evtlog_probe_fill(p, record + 1, slots);
	barrier();
	r->busy = false;
	if (faults)
		this_cpu_add(p->counts->faults, faults);
}
