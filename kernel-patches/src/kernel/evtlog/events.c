// SPDX-License-Identifier: GPL-2.0-only
/*
 * The record types that are wanted, and their static keys.
 *
 * The keys change when the kernel is armed or disarmed, and when other types are chosen
 * (events_flip.c).
 */
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/evtlog.h>
#include <linux/string.h>

#include "events.h"
#include "feature.h"

static const char *const names[EVTLOG_TYPE_MAX + 1] = {
#define X(number, NAME, name, words, fields) [number] = #name,
	EVTLOG_TYPES(X)
#undef X
};

/* Types without which a log cannot be read: always on */
#define ALWAYS_ON	(BIT_ULL(EVTLOG_TIME) | BIT_ULL(EVTLOG_LOST) | \
			 BIT_ULL(EVTLOG_COUNTER) | BIT_ULL(EVTLOG_TASK) | \
			 BIT_ULL(EVTLOG_EVENT_FORMAT) | BIT_ULL(EVTLOG_ON_CPU))

/* Several events at each system call and interrupt: off by default */
#define FREQUENT	(BIT_ULL(EVTLOG_USER_EXIT) | BIT_ULL(EVTLOG_USER_ENTER) | \
			 BIT_ULL(EVTLOG_USER_NMI) | \
			 BIT_ULL(EVTLOG_EXCEPTION_ENTRY) | \
			 BIT_ULL(EVTLOG_EXCEPTION_EXIT))

/* Changed under evtlog_run_lock; the "events" file reads it without the lock. */
static u64 wanted = ~FREQUENT;

/* Types whose hooks are on, armed or not; guarded as @wanted */
static u64 pinned;

/* Types that go to a named buffer instead of runs; guarded as @wanted, changed only between runs */
static u64 routed;

/* Types whose hooks are on for profiles; they are recorded only if wanted or pinned. */
u64 evtlog_events_profiled __read_mostly;
static void (*tell_recorded)(u64 types);

/* Types that a run records; read by hooks that are on for profiles */
u64 evtlog_events_recorded __read_mostly;

/**
 * evtlog_type_name() - return a record type's name
 * @type:	its number
 *
 * Return: the name; NULL if there is no such type.
 */
const char *evtlog_type_name(unsigned int type)
{
	return type <= EVTLOG_TYPE_MAX ? names[type] : NULL;
}

/**
 * evtlog_events() - return the types that runs record
 *
 * Context: any; changed under the run's lock.
 * Return: a bit for each record type.
 */
u64 evtlog_events(void)
{
	return (READ_ONCE(wanted) | READ_ONCE(pinned)) & ~READ_ONCE(routed);
}

/**
 * evtlog_events_routed() - return the types that go to named buffers instead of runs
 *
 * Context: any; changed under the run's lock, between evtlog_run_change_begin() and its end.
 * Return: a bit for each record type.
 */
u64 evtlog_events_routed(void)
{
	return READ_ONCE(routed);
}

/**
 * evtlog_events_route() - choose the types that go to named buffers instead of runs
 * @types:	a bit for each.  Hooks of types that are not in evtlog_events_pin() are off: their
 *		events go nowhere, until the run that began without them is over
 *
 * Context: the run's lock is held, and runs are kept out.
 */
void evtlog_events_route(u64 types)
{
	WRITE_ONCE(routed, types);
}

/**
 * evtlog_events_set() - choose the wanted types
 * @chosen:	a bit for each.  Types that a log needs are added; routed types stay as they are
 *
 * Context: the run's lock is held.
 */
void evtlog_events_set(u64 chosen)
{
	WRITE_ONCE(wanted, (chosen & ~routed) | (wanted & routed) | ALWAYS_ON);
}

/**
 * evtlog_events_pin() - choose types whose hooks stay on even while disarmed
 * @types:	a bit for each; runs record them too, except types of evtlog_events_route()
 *
 * The caller must call evtlog_events_apply() afterwards.
 *
 * Context: the run's lock is held.
 */
void evtlog_events_pin(u64 types)
{
	WRITE_ONCE(pinned, types);
}

/**
 * evtlog_events_profile() - choose types whose hooks are on for profiles
 * @types:	a bit for each
 * @tell:	called whenever the recorded types change: with all types before hooks are flipped,
 *		and then with the recorded types; context as evtlog_events_apply()
 *
 * The caller must call evtlog_events_apply() afterwards.
 *
 * Context: the run's lock is held.
 */
void evtlog_events_profile(u64 types, void (*tell)(u64 recorded))
{
	tell_recorded = tell;
	WRITE_ONCE(evtlog_events_profiled, types);
}

/**
 * evtlog_events_apply() - set the static keys as chosen
 * @armed:	a run may start at any moment
 *
 * Context: task context; the CPU hotplug lock and the run's lock are held.
 */
void evtlog_events_apply(bool armed)
{
	u64 on = (armed ? wanted & ~routed : 0) | pinned;

	/* While keys are flipped, any type may be recorded. */
	if (tell_recorded)
		tell_recorded(~0ULL);
	WRITE_ONCE(evtlog_events_recorded, on);
	evtlog_features_events_on((on | evtlog_events_profiled) & ~evtlog_events_enabled());
	evtlog_events_flip(on | evtlog_events_profiled);
	if (tell_recorded)
		tell_recorded(on);
}

/**
 * evtlog_types_named() - find types by a name
 * @name:	of a type, or of a group such as "softirq"; need not be terminated
 * @length:	of @name
 *
 * Return: a bit for each; 0: there is no such type.
 */
u64 evtlog_types_named(const char *name, size_t length)
{
	u64 group = 0;
	unsigned int i;

	for (i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		if (!names[i] || strncmp(names[i], name, length))
			continue;
		if (!names[i][length])
			return BIT_ULL(i);
		if (names[i][length] == '_')
			group |= BIT_ULL(i);
	}
	return group;
}

/**
 * evtlog_events_parse() - parse a choice such as "-all +sched_switch +softirq"
 * @text:	words separated by white space; changed
 * @chosen:	initial value and result; unchanged on error
 *
 * Return: 0; -EINVAL: a word without sign, or the name of no type that this kernel can record.
 */
int evtlog_events_parse(char *text, u64 *chosen)
{
	u64 result = *chosen, named;
	char *word;

	while ((word = strsep(&text, " \t\n"))) {
		if (!*word)
			continue;
		/* The file shows '~' for a type that is on and has a filter; the filter stays. */
		if (*word == '~')
			*word = '+';
		if (*word != '+' && *word != '-')
			return -EINVAL;
		named = strcmp(word + 1, "all") ? evtlog_types_named(word + 1, strlen(word + 1)) : ~0ULL;
		named &= evtlog_events_possible();
		if (!named)
			return -EINVAL;
		if (*word == '+')
			result |= named;
		else
			result &= ~named;
	}
	*chosen = result;
	return 0;
}
