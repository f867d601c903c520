// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of registered events.
 *
 * Callers are modules and probes, when they load and unload.  put.c writes the records, tell.c the
 * formats, send.c sends events to named buffers.
 */
#include <linux/bitops.h>
#include <linux/evtlog.h>
#include <linux/export.h>
#include <linux/hashtable.h>
#include <linux/jiffies.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/stringhash.h>

#include "buffers.h"
#include "event/event.h"
#include "event/route.h"
#include "event/table.h"
#include "publish.h"
#include "ring.h"
#include "run.h"

unsigned long evtlog_event_ids[(EVTLOG_EVENT_ID_MAX + 1) / BITS_PER_LONG];

/* Guards all data below.  Held while formats are recorded, which may take a second. */
DEFINE_MUTEX(evtlog_event_lock);
/* All events by id; also unregistered ones whose ids are still reserved */
DEFINE_IDR(evtlog_event_all);
static DEFINE_HASHTABLE(names, 8);
/* Unregistered events, in the order in which they were unregistered */
static LIST_HEAD(gone);

/* Frees unregistered events, and their ids, unless the present run may have records of them. */
static void forget_gone(void)
{
	bool under_way = evtlog_publish_is_under_way();
	struct evtlog_event *event, *next;
	u64 run = evtlog_event_current_run();

	list_for_each_entry_safe(event, next, &gone, going) {
		/* This is also true for all later ones. */
		if (under_way && event->run == run)
			break;
		idr_remove(&evtlog_event_all, event->id);
		list_del(&event->going);
		kfree(event);
	}
}

static unsigned int name_hash(const struct evtlog_event *event)
{
	return full_name_hash(NULL, event->text, evtlog_event_name_length(event));
}

static bool name_is_taken(const struct evtlog_event *event)
{
	size_t bytes = evtlog_event_name_length(event) + 1;
	const struct evtlog_event *other;

	hash_for_each_possible(names, other, by_name, name_hash(event)) {
		if (!strncmp(other->text, event->text, bytes))
			return true;
	}
	return false;
}

/* Finds the route of a new event: the one that the caller wants, or the one that has its name. */
static int find_route(const struct evtlog_event *event, const char *wanted,
		      struct evtlog_event_route **route)
{
	*route = wanted ? evtlog_event_route_find(wanted) :
			  evtlog_event_route_wanting(event->text, evtlog_event_name_length(event));
	if (!wanted)
		return 0;
	if (!*route || (*route)->in_runs)
		return -ENOENT;
	return (*route)->is_for_builtins ? -EACCES : 0;
}

static int add(struct evtlog_event *event, const char *wanted)
{
	struct evtlog_event_route *route;
	int id, error = find_route(event, wanted, &route);

	if (error)
		return error;

	forget_gone();
	if (name_is_taken(event))
		return -EEXIST;
	id = idr_alloc_cyclic(&evtlog_event_all, event, 1, EVTLOG_EVENT_ID_MAX + 1, GFP_KERNEL);
	if (id < 0)
		return id;
	event->id = id;
	hash_add(names, &event->by_name, name_hash(event));
	if (route) {
		evtlog_event_send_to(event, route);
		return id;
	}
	evtlog_event_tell(event, jiffies + HZ);
	/* Only a run that begins at this moment can have records of it in front of its format. */
	set_bit(id, evtlog_event_ids);
	return id;
}

static int register_event(const char *name, const char *fields, const char *lines,
			  const char *route, bool fixed)
{
	size_t bytes = strlen(name) + strlen(fields) + strlen(lines) + 2;
	int payload = evtlog_event_fields_check(fields);
	struct evtlog_event *event;
	int id;

	if (payload < 0 || !evtlog_event_name_is_valid(name) || bytes > EVTLOG_EVENT_TEXT_MAX)
		return -EINVAL;
	if (payload + sizeof(u64) > READ_ONCE(evtlog_geometry.buffer_kb) * 1024UL / 4)
		return -EMSGSIZE;
	event = kzalloc(struct_size(event, text, bytes + 1), GFP_KERNEL);
	if (!event)
		return -ENOMEM;
	event->bytes = bytes;
	event->fixed = fixed;
	scnprintf(event->text, bytes + 1, "%s\n%s\n%s", name, fields, lines);

	mutex_lock(&evtlog_event_lock);
	id = add(event, route);
	mutex_unlock(&evtlog_event_lock);
	if (id < 0)
		kfree(event);
	return id;
}

/**
 * evtlog_event_register_fixed() - as evtlog_event_register(), for writers that look up routes once
 * @lines:	text that follows the line of fields, each line ending in a newline; or empty
 * @route:	name of the route for the event; NULL: the route that has the event's name, or none
 *
 * evtlog_event_is_routed() returns the result.  If the route is closed, the event goes to runs.
 *
 * Return: as evtlog_event_register(); -ENOENT: no such route; -EACCES: only for built-in events.
 */
int evtlog_event_register_fixed(const char *name, const char *fields, const char *lines,
				const char *route)
{
	return register_event(name, fields, lines, route, true);
}

/**
 * evtlog_event_register() - register an event of kernel code
 * @name:	a C identifier of at most 31 characters; readers show it
 * @fields:	of the payload: "NAME:OFFSET:BYTES:KIND ...", with one blank in between, as in
 *		abi.h.  Empty: readers show bytes
 *
 * Both are copied.  If a run records, the format is written to it now.
 *
 * Context: task context, may sleep: up to a second if a run records and no buffer is free.
 * Return: the event's id, 1 to EVTLOG_EVENT_ID_MAX, valid until evtlog_event_unregister(); -EINVAL:
 * @name or @fields is malformed or too long; -EMSGSIZE: a payload with all fields is larger than a
 * quarter of a buffer of the present size; -EEXIST: the name is taken; -ENOSPC: no id is left in
 * this run; -ENOMEM.
 */
int evtlog_event_register(const char *name, const char *fields)
{
	return register_event(name, fields, "", NULL, false);
}
EXPORT_SYMBOL_GPL(evtlog_event_register);

/* Returns NULL if there is no such event, or it is unregistered. */
struct evtlog_event *evtlog_event_by_id(int id)
{
	struct evtlog_event *event = id > 0 ? idr_find(&evtlog_event_all, id) : NULL;

	return event && !event->gone ? event : NULL;
}

/**
 * evtlog_event_find() - find an event by its name
 * @name:	name of the event
 * @text:	set to its format, "NAME\nFIELDS\n..."
 * @size:	of @text; EVTLOG_EVENT_TEXT_MAX + 1 is always enough
 *
 * Context: task context, may sleep.
 * Return: its id, which may become invalid at any time; -ENOENT: no such event.
 */
int evtlog_event_find(const char *name, char *text, size_t size)
{
	struct evtlog_event *event;
	int id, found = -ENOENT;

	mutex_lock(&evtlog_event_lock);
	idr_for_each_entry(&evtlog_event_all, event, id) {
		if (event->gone || !hash_hashed(&event->by_name) ||
		    strlen(name) != evtlog_event_name_length(event) ||
		    strncmp(name, event->text, evtlog_event_name_length(event)))
			continue;
		strscpy(text, event->text, size);
		found = id;
	}
	mutex_unlock(&evtlog_event_lock);
	return found;
}

/**
 * evtlog_event_keep_name() - choose whether other events may take an event's name
 * @id:		from evtlog_event_register(); nothing is done if negative
 * @keeps:	false: another event may take the name while this one can still have records, until
 *		evtlog_event_forget().  True: no event can take the name from now on; an event that
 *		has taken it keeps it
 *
 * Context: task context, may sleep.
 */
void evtlog_event_keep_name(int id, bool keeps)
{
	struct evtlog_event *event;

	mutex_lock(&evtlog_event_lock);
	event = evtlog_event_by_id(id);
	if (event && !keeps)
		hash_del(&event->by_name);
	else if (event && !hash_hashed(&event->by_name))
		hash_add(names, &event->by_name, name_hash(event));
	mutex_unlock(&evtlog_event_lock);
}

/**
 * evtlog_event_forget() - unregister an event without waiting
 * @id:		from evtlog_event_register(); nothing is done if negative
 *
 * As evtlog_event_unregister(), but the caller ensures that the event is not written any more.
 *
 * Context: task context, may sleep.
 */
void evtlog_event_forget(int id)
{
	struct evtlog_event_route *route;
	struct evtlog_event *event;

	mutex_lock(&evtlog_event_lock);
	event = evtlog_event_by_id(id);
	if (event) {
		clear_bit(id, evtlog_event_ids);
		/* A run that has just begun may have records of it. */
		if (event->run != evtlog_event_current_run() && evtlog_event_is_in_runs(id))
			evtlog_event_tell(event, jiffies + HZ);
		route = evtlog_event_route_of(id);
		if (route && route->forgotten)
			route->forgotten(route, id);
		evtlog_event_route_set(id, NULL, false);
		hash_del(&event->by_name);
		event->gone = true;
		event->run = evtlog_event_current_run();
		list_add_tail(&event->going, &gone);
	}
	mutex_unlock(&evtlog_event_lock);
}

/**
 * evtlog_event_unregister() - unregister an event
 * @id:		from evtlog_event_register(); nothing is done if negative
 *
 * A run may record, and other CPUs may write the event: they get -EINVAL from now on, and all
 * records that they have begun are complete when this returns.
 *
 * Context: task context, may sleep.
 */
void evtlog_event_unregister(int id)
{
	if (id <= 0 || id > EVTLOG_EVENT_ID_MAX)
		return;
	evtlog_event_forget(id);
	/* Writers have interrupts off, so RCU waits for them. */
	synchronize_rcu();
}
EXPORT_SYMBOL_GPL(evtlog_event_unregister);

#ifdef MODULE
/* Frees unregistered events; there are no others, and no run records. */
void evtlog_event_exit(void)
{
	forget_gone();
	idr_destroy(&evtlog_event_all);
}
#endif
