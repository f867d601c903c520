// SPDX-License-Identifier: GPL-2.0-only
/*
 * The routes of events: one byte for each id, and the table of routes.
 *
 * table.c and send.c change them, under the table's lock.  Writers read them with interrupts off.
 * evtlog_event_route_close() returns when all writers that had read them have turned interrupts on.
 */
#include <linux/evtlog.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "event/route.h"
#include "event/table.h"
#include "ring.h"

#define IS_URGENT	0x80

/* For each id: 0: no route; else 1 + the route's index, and IS_URGENT */
static u8 ids[EVTLOG_EVENT_ID_MAX + 1];
static struct evtlog_event_route *routes[EVTLOG_EVENT_ROUTES_MAX];

/**
 * evtlog_event_names_have() - return true if a list of names contains a name
 * @names:	separated by commas; "udp_*" means all names that begin with "udp_"; NULL: none
 * @name:	need not be terminated
 * @length:	of @name
 */
bool evtlog_event_names_have(const char *names, const char *name, size_t length)
{
	while (names && *names) {
		size_t n = strcspn(names, ",");

		if (n && names[n - 1] == '*') {
			if (length >= n - 1 && !strncmp(names, name, n - 1))
				return true;
		} else if (n == length && !strncmp(names, name, n)) {
			return true;
		}
		names += n + (names[n] == ',');
	}
	return false;
}

/**
 * evtlog_event_route_find() - find a route by its name
 * @name:	name of the route
 *
 * Context: the table's lock is held.
 * Return: the route, or NULL.
 */
struct evtlog_event_route *evtlog_event_route_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(routes); i++) {
		if (routes[i] && !strcmp(routes[i]->name, name))
			return routes[i];
	}
	return NULL;
}

/**
 * evtlog_event_route_wanting() - find the route whose @events include an event
 * @name:	name of the event, need not be terminated
 * @length:	of @name
 *
 * Context: the table's lock is held.
 * Return: the first such route, or NULL.
 */
struct evtlog_event_route *evtlog_event_route_wanting(const char *name, size_t length)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(routes); i++) {
		if (routes[i] && !routes[i]->is_for_builtins &&
		    evtlog_event_names_have(routes[i]->events, name, length))
			return routes[i];
	}
	return NULL;
}

/**
 * evtlog_event_is_routed() - return true if an event does not go to the rings of runs
 */
bool evtlog_event_is_routed(unsigned int id)
{
	return READ_ONCE(ids[id]);
}

/**
 * evtlog_event_is_urgent() - return true if an event is handed over at once
 * @id:		of an event that has a route
 */
bool evtlog_event_is_urgent(unsigned int id)
{
	return READ_ONCE(ids[id]) & IS_URGENT;
}

/**
 * evtlog_event_route_of() - return the route of an event
 *
 * Context: interrupts off, and the route is valid until they are on; or the table's lock is held.
 * Return: NULL: the event goes to the rings of runs, or nowhere.
 */
struct evtlog_event_route *evtlog_event_route_of(unsigned int id)
{
	u8 mine = READ_ONCE(ids[id]);

	return mine ? READ_ONCE(routes[(mine & ~IS_URGENT) - 1]) : NULL;
}

/**
 * evtlog_event_route_set() - set the route of an event
 * @route:	open; NULL: none
 * @urgent:	records are to be handed over at once
 *
 * Context: the table's lock is held.
 */
void evtlog_event_route_set(unsigned int id, const struct evtlog_event_route *route, bool urgent)
{
	u8 mine = route ? 1 + route->index : 0;

	WRITE_ONCE(ids[id], mine | (route && urgent ? IS_URGENT : 0));
}

/**
 * evtlog_event_route_open() - add a route to the table
 * @route:	can be set for events from now on
 *
 * Context: the table's lock is held.
 * Return: 0; -ENOSPC: too many routes.
 */
int evtlog_event_route_open(struct evtlog_event_route *route)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(routes); i++) {
		if (routes[i])
			continue;
		route->index = i;
		/* Writers see the complete route. */
		smp_store_release(&routes[i], route);
		return 0;
	}
	return -ENOSPC;
}

/**
 * evtlog_event_route_wait() - wait until all code that has read routes before is done
 *
 * This code has interrupts off.  CPUs that RCU does not watch are sent an interrupt.
 *
 * Context: may sleep.
 */
void evtlog_event_route_wait(void)
{
	synchronize_rcu();
	kick_all_cpus_sync();
}

/**
 * evtlog_event_route_close() - remove a route; on return nothing is written to it any more
 * @route:	not set for any event
 *
 * Context: the table's lock is held, may sleep.
 */
void evtlog_event_route_close(struct evtlog_event_route *route)
{
	/* A writer that has begun a record still needs the route to commit it. */
	evtlog_event_route_wait();
	WRITE_ONCE(routes[route->index], NULL);
}

/*
 * Begins a record on the fast path if it fits into any buffer.  The ring is busy until the commit,
 * as if the route had begun it.  Returns 0; -ECANCELED; -EAGAIN: call the route's @reserve.
 */
static int reserve_fast(struct evtlog_event_route *route, u32 tag, size_t bytes, u64 **record)
{
	struct evtlog_ring __percpu *ring = route->ring;

	if (!ring || bytes > EVTLOG_EVENT_TEXT_MAX || this_cpu_read(ring->busy))
		return -EAGAIN;
	if (route->accepts && !route->accepts()) {
		this_cpu_inc(*route->rejected);
		return -ECANCELED;
	}
	*record = evtlog_ring_try_reserve(ring, tag, 1 + (bytes + 7) / 8);
	if (!*record)
		return -EAGAIN;
	this_cpu_inc(ring->busy);
	this_cpu_inc(*route->records);
	return 0;
}

/**
 * evtlog_event_route_reserve() - begin a record of an event that has a route
 * @id:		of the event, at most EVTLOG_EVENT_ID_MAX
 * @bytes:	length after the first word
 * @record:	set to the record, its first word stored
 * @index:	for evtlog_event_route_commit()
 *
 * Context: interrupts off until the record is committed; in an NMI a loss is counted.
 * Return: 0; -EINVAL: no such event; -EBUSY: in an NMI; or as the route's @reserve.
 */
noinline int evtlog_event_route_reserve(unsigned int id, size_t bytes, u64 **record,
					unsigned int *index)
{
	u8 mine = READ_ONCE(ids[id]);
	struct evtlog_event_route *route;
	int error;

	if (!mine)
		return -EINVAL;
	*index = (mine & ~IS_URGENT) - 1;
	route = smp_load_acquire(&routes[*index]);
	if (!route)
		return -EINVAL;
	if (in_nmi()) {
		route->drop(route, EVTLOG_LOST_NMI);
		return -EBUSY;
	}
	if (!(mine & IS_URGENT)) {
		error = reserve_fast(route, EVTLOG_EVENT_TAG(id, bytes), bytes, record);
		if (error != -EAGAIN)
			return error;
	}
	if (bytes > EVTLOG_EVENT_BYTES_MAX)
		bytes = EVTLOG_EVENT_BYTES_MAX + 1;
	return route->reserve(route, EVTLOG_EVENT_TAG(id, bytes), bytes, mine & IS_URGENT, record);
}

/**
 * evtlog_event_route_commit() - complete a record
 * @index:	from evtlog_event_route_reserve()
 *
 * Context: as evtlog_event_route_reserve() left it.
 */
void evtlog_event_route_commit(unsigned int index)
{
	struct evtlog_event_route *route = READ_ONCE(routes[index]);

	route->commit(route);
}

/**
 * evtlog_event_route_put() - write a record of an event whose route writes whole records
 * @id:		of the event, at most EVTLOG_EVENT_ID_MAX
 * @data:	the payload
 *
 * Context: interrupts off.
 * Return: as the route's @put; -EBUSY: in an NMI; -ENOSYS: the event has no such route.
 */
noinline int evtlog_event_route_put(unsigned int id, const void *data, size_t bytes)
{
	struct evtlog_event_route *route = evtlog_event_route_of(id);

	if (!route || !route->put)
		return -ENOSYS;
	if (in_nmi()) {
		route->drop(route, EVTLOG_LOST_NMI);
		return -EBUSY;
	}
	return route->put(route, id, data, bytes);
}
