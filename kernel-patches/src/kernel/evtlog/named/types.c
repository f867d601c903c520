// SPDX-License-Identifier: GPL-2.0-only
/*
 * The effect of named buffers on runs: the types of their built-in events.
 *
 * A run has all events of a type or none: a part would look like a loss.  So types go to a named
 * buffer only between runs; and types that leave a named buffer while a run records stay off until
 * the run ends.
 *
 * Called by table.c, and at the end of each run.
 */
#include <linux/bits.h>
#include <linux/cpu.h>
#include <linux/errno.h>

#include "event/builtin.h"
#include "events.h"
#include "named/named.h"
#include "publish.h"
#include "run.h"

#define EVENT_TYPES	BIT_ULL(EVTLOG_EVENT)

/* All guarded by the run's lock: types that leave, and whose sites must still be patched back. */
static u64 leaving;
/* Types that have left, and are kept out of the run that records */
static u64 kept_out;
/* Types that go to named buffers; number of named buffers, including ended ones */
static u64 here;
static unsigned int buffers;

static void apply(void)
{
	evtlog_events_route(here | leaving | kept_out);
	evtlog_events_pin(buffers ? EVENT_TYPES | here : 0);
	evtlog_events_apply(evtlog_run.armed);
}

/**
 * evtlog_named_types_come() - switch on the hooks of a named buffer that is added
 * @types:	of its built-in events; 0 if a run may begin
 *
 * Context: task context; the CPU hotplug lock is held.
 * Return: 0; -EBUSY: a run records without EVENTs, and would have only a part of them.
 */
int evtlog_named_types_come(u64 types)
{
	int error = 0;

	rt_mutex_lock(&evtlog_run_lock);
	if (!(evtlog_events() & EVENT_TYPES) && evtlog_publish_is_under_way()) {
		error = -EBUSY;
	} else {
		buffers++;
		here |= types;
		apply();
	}
	rt_mutex_unlock(&evtlog_run_lock);
	return error;
}

/* Types that have left go to runs again, unless a run records without them. */
static void let_in(void)
{
	if (!evtlog_publish_hold())
		return;
	kept_out = 0;
	apply();
	evtlog_publish_allow();
}

/**
 * evtlog_named_types_gone() - switch off the hooks of a named buffer that has ended
 * @types:	of its built-in events, after evtlog_builtin_close()
 * @is_deleted:	it is also deleted
 *
 * Context: task context, may sleep; the CPU hotplug lock is not held.
 */
void evtlog_named_types_gone(u64 types, bool is_deleted)
{
	evtlog_events_prepare(EVTLOG_EVENTS_NONE);
	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	buffers -= is_deleted;
	here &= ~types;
	leaving |= types;
	apply();
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	evtlog_events_settle();
	if (!types)
		return;
	evtlog_builtin_unroute(types);
	rt_mutex_lock(&evtlog_run_lock);
	leaving &= ~types;
	kept_out |= types;
	rt_mutex_unlock(&evtlog_run_lock);
	evtlog_named_types_run_stopped();
}

/**
 * evtlog_named_types_run_stopped() - a run has ended: the next one can have all types again
 *
 * Context: task context, may sleep; no lock is held.
 */
void evtlog_named_types_run_stopped(void)
{
	evtlog_events_prepare(EVTLOG_EVENTS_ALL);
	cpus_read_lock();
	rt_mutex_lock(&evtlog_run_lock);
	if (kept_out)
		let_in();
	rt_mutex_unlock(&evtlog_run_lock);
	cpus_read_unlock();
	evtlog_events_settle();
}
