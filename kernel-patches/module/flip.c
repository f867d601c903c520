// SPDX-License-Identifier: GPL-2.0-only
/*
 * The record types that are on, and the tracepoints that call their hooks.
 *
 * In the place of events_flip.c.  A tracepoint gets its probe without the CPU hotplug lock, so what
 * flips types comes in three steps: evtlog_events_prepare() before the locks are taken,
 * evtlog_events_flip() while they are held, evtlog_events_settle() after that.
 */
#include <linux/bits.h>
#include <linux/evtlog.h>
#include <linux/mutex.h>

#include "events.h"
#include "module/tracepoints.h"
#include "publish.h"
#include "run.h"

/* For hooks that no tracepoint calls, such as evtlog_put() */
DEFINE_STATIC_KEY_ARRAY_FALSE(evtlog_event_keys, EVTLOG_TYPE_MAX + 1);

/* Guards the probes of tracepoints. */
static DEFINE_MUTEX(flip_lock);
static u64 enabled;

/* Types that come from no tracepoint */
#define OTHERS	(BIT_ULL(EVTLOG_TIME) | BIT_ULL(EVTLOG_LOST) | BIT_ULL(EVTLOG_COUNTER) | \
		 BIT_ULL(EVTLOG_TASK) | BIT_ULL(EVTLOG_PUT) | BIT_ULL(EVTLOG_PUT_AT) | \
		 BIT_ULL(EVTLOG_EVENT) | BIT_ULL(EVTLOG_EVENT_FORMAT) | BIT_ULL(EVTLOG_ON_CPU))

static u64 possible;

int __init evtlog_events_init(void)
{
	possible = evtlog_tracepoints_find() | OTHERS;
	evtlog_events_set(possible & evtlog_events());
	return 0;
}

/**
 * evtlog_events_possible() - return the types that this module can record on this kernel
 *
 * Return: a bit for each record type.
 */
u64 evtlog_events_possible(void)
{
	return possible;
}

u64 evtlog_events_enabled(void)
{
	return READ_ONCE(enabled);
}

/* Context: as in events_flip.c. */
void evtlog_events_flip(u64 on)
{
	unsigned int i;

	WRITE_ONCE(enabled, on);
	for (i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		if (on & BIT_ULL(i))
			static_key_enable_cpuslocked(&evtlog_event_keys[i].key);
		else
			static_key_disable_cpuslocked(&evtlog_event_keys[i].key);
	}
}

/* No run begins meanwhile: each start needs the lock.  During a run no type may be added. */
static u64 types_of(enum evtlog_events_soon soon)
{
	if (soon == EVTLOG_EVENTS_NONE || evtlog_publish_is_under_way())
		return 0;
	if (soon == EVTLOG_EVENTS_WANTED)
		return evtlog_events();
	return evtlog_run_is_armed() ? possible : 0;
}

/**
 * evtlog_events_prepare() - call the hooks of types that are about to be flipped on
 * @soon:	which types
 *
 * No other flip begins until evtlog_events_settle(), which the caller must call, also after an
 * error.
 *
 * Context: task context, may sleep; no lock is held.
 * Return: 0; -ENOMEM; an error of ftrace.
 */
int evtlog_events_prepare(enum evtlog_events_soon soon)
{
	mutex_lock(&flip_lock);
	return evtlog_tracepoints_set(enabled | types_of(soon));
}

/**
 * evtlog_events_prepare_types() - as evtlog_events_prepare(), for types that go to a named buffer
 * @types:	a bit for each; no run can begin, or none of them
 */
int evtlog_events_prepare_types(u64 types)
{
	mutex_lock(&flip_lock);
	return evtlog_tracepoints_set(enabled | types);
}

/**
 * evtlog_events_settle() - end the calls of hooks whose types are off
 *
 * Context: as evtlog_events_prepare().
 */
void evtlog_events_settle(void)
{
	evtlog_tracepoints_set(enabled);
	mutex_unlock(&flip_lock);
}
