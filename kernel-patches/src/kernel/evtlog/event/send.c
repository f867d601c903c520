// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chooses which registered events go to which route.
 *
 * Called by named/, and by table.c for events registered later.  Writers read route.c.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/hashtable.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>

#include "event/event.h"
#include "event/route.h"
#include "event/table.h"

/**
 * evtlog_event_send_to() - send an event to a route from now on
 * @route:	open
 *
 * Context: the table's lock is held, may sleep.
 */
void evtlog_event_send_to(struct evtlog_event *event, struct evtlog_event_route *route)
{
	evtlog_event_tell_route(event, route);
	evtlog_event_route_set(event->id, route,
			       evtlog_event_names_have(route->urgent, event->text,
						       evtlog_event_name_length(event)));
	/* A writer that does not find the event in evtlog_event_ids finds its route. */
	smp_wmb();
	clear_bit(event->id, evtlog_event_ids);
}

/* Returns true if @route has the event's name, and the name is not released. */
static bool is_wanted(const struct evtlog_event *event, const struct evtlog_event_route *route)
{
	return !route->is_for_builtins && !event->gone &&
	       hash_hashed((struct hlist_node *)&event->by_name) &&
	       evtlog_event_names_have(route->events, event->text, evtlog_event_name_length(event));
}

/* Returns NULL if there is none. */
static struct evtlog_event *find_unmovable(const struct evtlog_event_route *route)
{
	struct evtlog_event *event;
	int id;

	idr_for_each_entry(&evtlog_event_all, event, id) {
		if (is_wanted(event, route) && (event->fixed || evtlog_event_is_routed(id)))
			return event;
	}
	return NULL;
}

/**
 * evtlog_event_route_add() - add a route, and send its events there from now on
 * @route:	complete; it gets events registered already and later
 * @culprit:	set to the name of an event that cannot be sent there, with -EBUSY
 *
 * Context: task context, may sleep.
 * Return: 0; -EBUSY: an event has a route already, or is fixed; -ENOSPC: too many routes.
 */
int evtlog_event_route_add(struct evtlog_event_route *route, char *culprit, size_t size)
{
	struct evtlog_event *event;
	int id, error = 0;

	mutex_lock(&evtlog_event_lock);
	event = find_unmovable(route);
	if (event) {
		snprintf(culprit, size, "%.*s", (int)evtlog_event_name_length(event), event->text);
		error = -EBUSY;
	}
	if (!error)
		error = evtlog_event_route_open(route);
	if (!error) {
		idr_for_each_entry(&evtlog_event_all, event, id) {
			if (is_wanted(event, route))
				evtlog_event_send_to(event, route);
		}
	}
	mutex_unlock(&evtlog_event_lock);
	return error;
}

/**
 * evtlog_event_route_remove() - remove a route; its events go to the rings of runs again
 * @route:	of evtlog_event_route_add(); not used any more on return
 *
 * Context: task context, may sleep: up to a second if a run records and no buffer is free.
 */
void evtlog_event_route_remove(struct evtlog_event_route *route)
{
	/* One limit for all events, because the caller holds locks. */
	unsigned long patience = jiffies + HZ;
	struct evtlog_event *event;
	int id;

	mutex_lock(&evtlog_event_lock);
	idr_for_each_entry(&evtlog_event_all, event, id) {
		if (event->gone || evtlog_event_route_of(id) != route)
			continue;
		evtlog_event_tell(event, patience);
		set_bit(id, evtlog_event_ids);
	}
	/* A writer that did not find the bit may still look up the route. */
	evtlog_event_route_wait();
	idr_for_each_entry(&evtlog_event_all, event, id) {
		if (evtlog_event_route_of(id) == route)
			evtlog_event_route_set(id, NULL, false);
	}
	evtlog_event_route_close(route);
	mutex_unlock(&evtlog_event_lock);
}

/**
 * evtlog_event_route_copy() - copy an event's route, for use in machine code
 * @copy:	the result; the memory of @ring and the other per-CPU members stays valid
 *
 * Context: task context, may sleep.
 * Return: true if the event has a route.
 */
bool evtlog_event_route_copy(int id, struct evtlog_event_route *copy)
{
	const struct evtlog_event_route *route;

	mutex_lock(&evtlog_event_lock);
	route = evtlog_event_route_of(id);
	if (route)
		*copy = *route;
	mutex_unlock(&evtlog_event_lock);
	return route;
}

/**
 * evtlog_event_route_show() - list the events of a route: "event ID NAME FIELD FIELD ..."
 */
void evtlog_event_route_show(struct seq_file *m, const struct evtlog_event_route *route)
{
	struct evtlog_event *event;
	int id;

	mutex_lock(&evtlog_event_lock);
	idr_for_each_entry(&evtlog_event_all, event, id) {
		size_t name = evtlog_event_name_length(event);

		if (!event->gone && evtlog_event_route_of(id) == route)
			seq_printf(m, "event %d %.*s %.*s\n", id, (int)name, event->text,
				   (int)(event->bytes - name - 2), event->text + name + 1);
	}
	mutex_unlock(&evtlog_event_lock);
}

static int divert(struct evtlog_event *event, struct evtlog_event_route *route)
{
	int error = 0;

	if (!event)
		return -ENOENT;
	if (evtlog_event_route_of(event->id) == route)
		return 0;
	if (event->fixed || evtlog_event_is_routed(event->id))
		return -EEXIST;
	if (!evtlog_event_route_find(route->name))
		error = evtlog_event_route_open(route);
	if (error)
		return error;
	evtlog_event_route_set(event->id, route, false);
	/* As in evtlog_event_send_to() */
	smp_wmb();
	clear_bit(event->id, evtlog_event_ids);
	return 0;
}

/**
 * evtlog_event_divert() - let a route check an event's records, which stay in runs
 * @route:	with @in_runs; stays open
 *
 * Context: task context, may sleep.
 * Return: 0, also if it was so before; -ENOENT: no such event; -EEXIST: it has another route, or is
 * fixed; -ENOSPC: too many routes.
 */
int evtlog_event_divert(int id, struct evtlog_event_route *route)
{
	int error;

	mutex_lock(&evtlog_event_lock);
	error = divert(evtlog_event_by_id(id), route);
	mutex_unlock(&evtlog_event_lock);
	return error;
}

/**
 * evtlog_event_undivert() - undo evtlog_event_divert(); on return no record is with the route
 * @route:	as for evtlog_event_divert()
 *
 * Context: task context, may sleep.
 */
void evtlog_event_undivert(int id, struct evtlog_event_route *route)
{
	mutex_lock(&evtlog_event_lock);
	if (evtlog_event_by_id(id) && evtlog_event_route_of(id) == route) {
		set_bit(id, evtlog_event_ids);
		/* A writer that did not find the bit may still look up the route. */
		evtlog_event_route_wait();
		evtlog_event_route_set(id, NULL, false);
	}
	mutex_unlock(&evtlog_event_lock);
}
