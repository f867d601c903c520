// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of features.
 *
 * One thread builds the list while the kernel boots, and closes it before /proc/evtlog exists.
 * After that the list does not change: it is read without a lock, in any context.
 */
#include <linux/bug.h>
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/init.h>

#include "feature.h"

/* In the order of registration */
struct evtlog_feature *evtlog_features __ro_after_init;

static struct evtlog_feature **end __ro_after_init = &evtlog_features;
static bool is_closed __ro_after_init;

/**
 * evtlog_feature_register() - register a feature with the core
 * @feature:	owned by the caller, must stay valid forever
 *
 * Context: an initcall before late_initcall(); evtlog_feature() makes one.
 * Return: 0; -EBUSY: too late, /proc/evtlog exists already.
 */
int __init evtlog_feature_register(struct evtlog_feature *feature)
{
	if (WARN(is_closed, "evtlog: feature %s registered too late\n", feature->name))
		return -EBUSY;
	feature->next = NULL;
	*end = feature;
	end = &feature->next;
	return 0;
}

/**
 * evtlog_features_close() - end the registration of features
 *
 * Context: while the kernel boots, before /proc/evtlog can be opened.
 */
void __init evtlog_features_close(void)
{
	is_closed = true;
}

/**
 * evtlog_features_events_on() - notify features that hooks are about to be switched on
 * @types:	a bit for each record type whose hooks are off and will be on
 *
 * Context: task context; the CPU hotplug lock and the run's lock are held.
 */
void evtlog_features_events_on(u64 types)
{
	const struct evtlog_feature *feature;

	for_each_evtlog_feature(feature) {
		if (feature->events_on && feature->events & types)
			feature->events_on(feature->events & types);
	}
}
