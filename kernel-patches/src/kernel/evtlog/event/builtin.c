// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sends built-in events to a named buffer: the sites of their hooks then call builtin_write.c.
 *
 * The call is patched, as for a filter (filter/events.c), so an event that goes to runs does not
 * cost an additional instruction.  A type either has its own filter or goes to a named buffer: code
 * that changes a site checks this between evtlog_run_change_begin() and its end.
 *
 * Called by named/.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/seq_file.h>
#include <linux/static_call.h>
#include <linux/string.h>

#include "clock.h"
#include "code/text.h"
#include "counters.h"
#include "event/builtin.h"
#include "event/route.h"
#include "events.h"

/* Code of a filter that a hook's site calls, or NULL; owned by the code that patches the site. */
static void *installed[EVTLOG_BUILTINS_MAX];

static u64 routable(void)
{
	/* It has no site of its own: see tell_nmis(). */
	u64 types = BIT_ULL(EVTLOG_USER_NMI);
	unsigned int i;

	for (i = 0; i < evtlog_nr_builtins; i++)
		types |= BIT_ULL(evtlog_builtins[i].type);
	return types & evtlog_events_possible();
}

/**
 * evtlog_builtin_find() - find the built-in events in a list of names
 * @names:	separated by commas, or NULL.  Names that are no built-in event or group are
 *		ignored, and so are names with a '*'
 * @types:	the result: a bit for each type
 *
 * Return: NULL; or the name of events that cannot go to a named buffer, perhaps ended by a comma.
 */
const char *evtlog_builtin_find(const char *names, u64 *types)
{
	u64 found;

	*types = 0;
	while (names && *names) {
		size_t length = strcspn(names, ",");

		found = length && names[length - 1] != '*' ? evtlog_types_named(names, length) : 0;
		if (found && !(found & routable()))
			return names;
		*types |= found & routable();
		names += length + (names[length] == ',');
	}
	/* NMIs from user mode are recorded where it is left. */
	if (*types & BIT_ULL(EVTLOG_USER_EXIT))
		*types |= BIT_ULL(EVTLOG_USER_NMI);
	return *types & BIT_ULL(EVTLOG_USER_EXIT) || !(*types & BIT_ULL(EVTLOG_USER_NMI)) ? NULL :
		evtlog_type_name(EVTLOG_USER_NMI);
}

/**
 * evtlog_builtin_is_possible() - return true if this kernel can record types of a name
 * @name:	of a type or a group; it may end at a comma
 */
bool evtlog_builtin_is_possible(const char *name)
{
	return evtlog_types_named(name, strcspn(name, ",")) & evtlog_events_possible();
}

/**
 * evtlog_builtin_are_all() - return true if all names are of built-in events or groups
 * @names:	accepted by evtlog_builtin_find()
 */
bool evtlog_builtin_are_all(const char *names)
{
	while (names && *names) {
		size_t length = strcspn(names, ",");

		if (!length || names[length - 1] == '*' || !evtlog_types_named(names, length))
			return false;
		names += length + (names[length] == ',');
	}
	return true;
}

/**
 * evtlog_builtin_taken() - return the types that cannot be sent to a named buffer now
 * @types:	a bit for each
 *
 * Context: between evtlog_run_change_begin() and its end.
 * Return: those that have a filter or go to another named buffer.
 */
u64 evtlog_builtin_taken(u64 types)
{
	return types & (READ_ONCE(evtlog_rejecting) | evtlog_events_routed());
}

static void patch(u64 types, bool to_route)
{
	unsigned int i;

	for (i = 0; i < evtlog_nr_builtins; i++) {
		const struct evtlog_builtin *b = &evtlog_builtins[i];

		if (!(types >> b->type & 1))
			continue;
		evtlog_text_set_site(b->key, b->trampoline, to_route ? b->to_route : b->to_run,
				     to_route ? installed[i] : NULL);
	}
}

/* @installed is empty for @types, because they were not taken. */
static void install(u64 types, void **stubs)
{
	unsigned int i;

	for (i = 0; i < evtlog_nr_builtins; i++) {
		if (!(types >> evtlog_builtins[i].type & 1))
			continue;
		installed[i] = stubs[i];
		stubs[i] = NULL;
	}
}

/* Profiles keep keys of their types on: a task may be in code that no site calls any more. */
static void free_installed(u64 types)
{
	bool has_waited = false;
	unsigned int i;

	for (i = 0; i < evtlog_nr_builtins; i++) {
		if (!(types >> evtlog_builtins[i].type & 1) || !installed[i])
			continue;
		if (!has_waited)
			evtlog_text_wait();
		has_waited = true;
		evtlog_text_free(installed[i]);
		installed[i] = NULL;
	}
}

/**
 * evtlog_builtin_free_stubs() - free code that no site calls
 * @stubs:	for evtlog_builtin_route(), which was not called; or NULL
 */
void evtlog_builtin_free_stubs(void **stubs)
{
	unsigned int i;

	for (i = 0; stubs && i < evtlog_nr_builtins; i++)
		evtlog_text_free(stubs[i]);
}

/**
 * evtlog_builtin_route() - send built-in events to a named buffer from now on
 * @types:	a bit for each, none in evtlog_builtin_taken()
 * @route:	of evtlog_event_route_add()
 * @stubs:	for each of evtlog_builtins, code of a filter that calls its @to_route; owned by
 *		this file until evtlog_builtin_unroute().  NULL: there is no such filter
 *
 * Context: task context, may sleep, the CPU hotplug lock is not held; between
 * evtlog_run_change_begin() and its end, by one caller at a time.
 */
void evtlog_builtin_route(u64 types, struct evtlog_event_route *route, void **stubs)
{
	unsigned int type;
	u64 urgent;

	evtlog_builtin_find(route->urgent, &urgent);
	WRITE_ONCE(evtlog_places_since, evtlog_ticks64());
	for_each_set_bit(type, (unsigned long *)&types, EVTLOG_TYPE_MAX + 1) {
		struct evtlog_place *p = &evtlog_places[type];

		p->urgent = urgent >> type & 1;
		p->accepts = route->accepts;
		p->records = route->records;
		p->rejected = route->rejected;
		/* Pair with the acquires of writers, which then see all of the route. */
		smp_store_release(&p->route, route);
		smp_store_release(&p->ring, p->urgent ? NULL : route->ring);
	}
	if (stubs)
		install(types, stubs);
	patch(types, true);
}

/**
 * evtlog_builtin_close() - send records of types nowhere from now on
 * @types:	a bit for each, of evtlog_builtin_route()
 *
 * Writers that looked before are done when evtlog_event_route_wait() returns.
 *
 * Context: any.
 */
void evtlog_builtin_close(u64 types)
{
	unsigned int type;

	for_each_set_bit(type, (unsigned long *)&types, EVTLOG_TYPE_MAX + 1) {
		WRITE_ONCE(evtlog_places[type].ring, NULL);
		WRITE_ONCE(evtlog_places[type].route, NULL);
	}
}

/**
 * evtlog_builtin_unroute() - let the sites write to runs again
 * @types:	a bit for each, closed; their keys are off, so what runs record does not change
 *
 * Context: task context, may sleep, the CPU hotplug lock is not held.
 */
void evtlog_builtin_unroute(u64 types)
{
	/* Code that saw a key on has ended, so it cannot write a single record to a run. */
	evtlog_text_wait();
	patch(types, false);
	free_installed(types);
}

/**
 * evtlog_builtin_show() - list types: "type NUMBER NAME"
 * @types:	a bit for each
 */
void evtlog_builtin_show(struct seq_file *m, u64 types)
{
	unsigned int type;

	for_each_set_bit(type, (unsigned long *)&types, EVTLOG_TYPE_MAX + 1)
		seq_printf(m, "type %u %s\n", type, evtlog_type_name(type));
}
