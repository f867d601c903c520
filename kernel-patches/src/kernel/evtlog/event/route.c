// SPDX-License-Identifier: GPL-2.0-only
/*
 * The routes of events: a byte for each id, and what it means.
 *
 * table.c changes them, under its lock.  Writers look with interrupts off, and
 * evtlog_event_route_close() returns once all that had looked have turned them on.
 */
#include <linux/evtlog.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "event/route.h"
#include "event/table.h"
#include "ring.h"

#define IS_URGENT	0x80

/* Of each id: 0: none; else 1 + the route's index, and IS_URGENT. */
static u8 ids[EVTLOG_EVENT_ID_MAX + 1];
static struct evtlog_event_route *routes[EVTLOG_EVENT_ROUTES_MAX];

/**
 * evtlog_event_names_have() - is a name among names?
 * @names:	divided by commas; "udp_*" is all that begin so; NULL: none
 * @name:	need not end
 * @length:	of it
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
 * evtlog_event_route_find() - look a route up
 * @name:	the route's
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
 * evtlog_event_route_wanting() - which route asks for an event
 * @name:	the event's, need not end
 * @length:	of it
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
 * evtlog_event_is_routed() - does an event not go to the rings of runs?
 */
bool evtlog_event_is_routed(unsigned int id)
{
	return READ_ONCE(ids[id]);
}

/**
 * evtlog_event_is_urgent() - is an event passed on at once?
 * @id:		of an event that has a route
 */
bool evtlog_event_is_urgent(unsigned int id)
{
	return READ_ONCE(ids[id]) & IS_URGENT;
}

/**
 * evtlog_event_route_of() - where an event goes
 *
 * Context: interrupts off; the route is there as long as they are, or the table's lock is held.
 * Return: NULL: to the rings of runs, or nowhere.
 */
struct evtlog_event_route *evtlog_event_route_of(unsigned int id)
{
	u8 mine = READ_ONCE(ids[id]);

	return mine ? READ_ONCE(routes[(mine & ~IS_URGENT) - 1]) : NULL;
}

/**
 * evtlog_event_route_set() - send an event somewhere
 * @route:	open; NULL: nowhere
 * @urgent:	pass it on at once
 *
 * Context: the table's lock is held.
 */
void evtlog_event_route_set(unsigned int id, const struct evtlog_event_route *route, bool urgent)
{
	u8 mine = route ? 1 + route->index : 0;

	WRITE_ONCE(ids[id], mine | (route && urgent ? IS_URGENT : 0));
}

/**
 * evtlog_event_route_open() - make a route known
 * @route:	from now on events may be set to it
 *
 * Context: the table's lock is held.
 * Return: 0; -ENOSPC there are too many.
 */
int evtlog_event_route_open(struct evtlog_event_route *route)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(routes); i++) {
		if (routes[i])
			continue;
		route->index = i;
		/* A writer that finds it finds it whole. */
		smp_store_release(&routes[i], route);
		return 0;
	}
	return -ENOSPC;
}

/**
 * evtlog_event_route_wait() - return when all that looked at routes before are done
 *
 * They have interrupts off; those where RCU does not watch are waited for by an interrupt.
 *
 * Context: may sleep.
 */
void evtlog_event_route_wait(void)
{
	synchronize_rcu();
	kick_all_cpus_sync();
}

/**
 * evtlog_event_route_close() - return when nothing is written there any more
 * @route:	no event is set to it now
 *
 * Context: the table's lock is held, may sleep.
 */
void evtlog_event_route_close(struct evtlog_event_route *route)
{
	/* A writer that has begun a record finds the route to commit it. */
	evtlog_event_route_wait();
	WRITE_ONCE(routes[route->index], NULL);
}

/*
 * Begins a record as the fast writer does, what may be in any buffer.  The ring is busy until it is
 * committed, as if the route had begun it.  0; -ECANCELED; -EAGAIN: the route is to do it.
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
 * @id:		the event's, not above EVTLOG_EVENT_ID_MAX
 * @bytes:	behind the first word
 * @record:	the record, its first word stored
 * @index:	for evtlog_event_route_commit()
 *
 * Context: interrupts off until the record is committed; in an NMI a loss is counted.
 * Return: 0; -EINVAL no such event; -EBUSY an NMI; or as of the route's @reserve.
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
 * evtlog_event_route_commit() - the record is complete
 * @index:	of evtlog_event_route_reserve()
 *
 * Context: as that left it.
 */
void evtlog_event_route_commit(unsigned int index)
{
	struct evtlog_event_route *route = READ_ONCE(routes[index]);

	route->commit(route);
}

/**
 * evtlog_event_route_put() - write a record of an event whose route does that at once
 * @id:		the event's, not above EVTLOG_EVENT_ID_MAX
 * @data:	the payload
 *
 * Context: interrupts off.
 * Return: as the route's @put; -EBUSY an NMI; -ENOSYS the event has no such route.
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
