// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which built-in events go to a named buffer: then their hooks' sites call builtin_write.c.
 *
 * The call is patched, as for a filter (filter/events.c), so that an event that goes to the runs
 * does not cost an instruction more.  A type either has a filter of its own or goes to a named
 * buffer: what changes a site has looked, between evtlog_run_change_begin() and its end.
 *
 * named/ calls.
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

/* A filter's code that a hook's site calls; NULL: it has none.  Of whoever patches the site. */
static void *installed[EVTLOG_BUILTINS_MAX];

static u64 routable(void)
{
	/* It has no site of its own: see tell_nmis(). */
	u64 types = BIT_ULL(EVTLOG_USER_NMI);
	unsigned int i;

	for (i = 0; i < evtlog_nr_builtins; i++)
		types |= BIT_ULL(evtlog_builtins[i].type);
	return types;
}

/* A type by its name, or a group's, as "softirq". */
static u64 types_named(const char *name, size_t length)
{
	u64 group = 0;
	unsigned int i;

	for (i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		const char *type = evtlog_type_name(i);

		if (!type || strncmp(type, name, length))
			continue;
		if (!type[length])
			return BIT_ULL(i);
		if (type[length] == '_')
			group |= BIT_ULL(i);
	}
	return group;
}

/**
 * evtlog_builtin_find() - which built-in events are among names
 * @names:	divided by commas; those that are no built-in event's or group's are passed over, as
 *		are all with a '*'; NULL: none
 * @types:	the result: a bit for each type
 *
 * Return: NULL; or a name, which a comma may end, of events that cannot go to a named buffer.
 */
const char *evtlog_builtin_find(const char *names, u64 *types)
{
	u64 found;

	*types = 0;
	while (names && *names) {
		size_t length = strcspn(names, ",");

		found = length && names[length - 1] != '*' ? types_named(names, length) : 0;
		if (found && !(found & routable()))
			return names;
		*types |= found & routable();
		names += length + (names[length] == ',');
	}
	/* NMIs from user mode are told where it is left. */
	if (*types & BIT_ULL(EVTLOG_USER_EXIT))
		*types |= BIT_ULL(EVTLOG_USER_NMI);
	return *types & BIT_ULL(EVTLOG_USER_EXIT) || !(*types & BIT_ULL(EVTLOG_USER_NMI)) ? NULL :
		evtlog_type_name(EVTLOG_USER_NMI);
}

/**
 * evtlog_builtin_are_all() - are all of these names built-in events', or groups'?
 * @names:	of which evtlog_builtin_find() has refused none
 */
bool evtlog_builtin_are_all(const char *names)
{
	while (names && *names) {
		size_t length = strcspn(names, ",");

		if (!length || names[length - 1] == '*' || !types_named(names, length))
			return false;
		names += length + (names[length] == ',');
	}
	return true;
}

/**
 * evtlog_builtin_taken() - which types cannot be sent to a named buffer now
 * @types:	a bit for each
 *
 * Context: between evtlog_run_change_begin() and its end.
 * Return: those that have a filter or go to another one.
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
		void *function = b->to_run;

		if (!(types >> b->type & 1))
			continue;
		if (to_route)
			function = installed[i] ? installed[i] : b->to_route;
		__static_call_update(b->key, b->trampoline, function);
	}
}

/* Nothing is there: the types were not taken. */
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

/* Profiles keep the keys of their types on: no site calls it, but a task may be in it. */
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
 * @stubs:	as of evtlog_builtin_route(), which has not got them; or NULL
 */
void evtlog_builtin_free_stubs(void **stubs)
{
	unsigned int i;

	for (i = 0; stubs && i < evtlog_nr_builtins; i++)
		evtlog_text_free(stubs[i]);
}

/**
 * evtlog_builtin_route() - send built-in events to a named buffer from now on
 * @types:	a bit for each, none of evtlog_builtin_taken()
 * @route:	of evtlog_event_route_add()
 * @stubs:	of each of evtlog_builtins, a filter's code before its @to_route; taken, and freed with
 *		evtlog_builtin_unroute().  NULL: there is no such filter
 *
 * Context: task context, may sleep, the lock of CPU hotplug is not held; between
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
		/* Pair with the acquires of writers: what finds it finds it whole. */
		smp_store_release(&p->route, route);
		smp_store_release(&p->ring, p->urgent ? NULL : route->ring);
	}
	if (stubs)
		install(types, stubs);
	patch(types, true);
}

/**
 * evtlog_builtin_close() - their records go nowhere from now on
 * @types:	a bit for each, of evtlog_builtin_route()
 *
 * What has looked before is done when evtlog_event_route_wait() returns.
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
 * evtlog_builtin_unroute() - let their sites write to the runs again
 * @types:	a bit for each, closed; their keys are off, for what runs record is not changed by it
 *
 * Context: task context, may sleep, the lock of CPU hotplug is not held.
 */
void evtlog_builtin_unroute(u64 types)
{
	/* What has seen a key on is done: it writes no single record to a run. */
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
