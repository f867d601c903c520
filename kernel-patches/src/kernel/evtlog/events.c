// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which record types are wanted, and their static keys.
 *
 * The keys are flipped only where the kernel is armed or disarmed, or armed with other types
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

/* What a log cannot be read without is always on. */
#define ALWAYS_ON	(BIT_ULL(EVTLOG_TIME) | BIT_ULL(EVTLOG_LOST) | \
			 BIT_ULL(EVTLOG_COUNTER) | BIT_ULL(EVTLOG_TASK) | \
			 BIT_ULL(EVTLOG_EVENT_FORMAT) | BIT_ULL(EVTLOG_ON_CPU))

/* Several at each system call and interrupt: off unless they are asked for. */
#define FREQUENT	(BIT_ULL(EVTLOG_USER_EXIT) | BIT_ULL(EVTLOG_USER_ENTER) | \
			 BIT_ULL(EVTLOG_USER_NMI) | \
			 BIT_ULL(EVTLOG_EXCEPTION_ENTRY) | \
			 BIT_ULL(EVTLOG_EXCEPTION_EXIT))

/* Changed under evtlog_run_lock; the file events is read without. */
static u64 wanted = ~FREQUENT;

/* Whose hooks are on, armed or not; the same. */
static u64 pinned;

/* Which go to a named buffer, and not to runs; the same, and changed while there is no run. */
static u64 routed;

/* Whose hooks are on for the sake of profiles; they record only what is wanted, or pinned. */
u64 evtlog_events_profiled __read_mostly;
static void (*tell_recorded)(u64 types);

/* What is recorded once a run records; read by hooks that are on for profiles. */
u64 evtlog_events_recorded __read_mostly;

/**
 * evtlog_type_name() - look up a record type's name
 * @type:	its number
 *
 * Return: the name, NULL if there is no such type.
 */
const char *evtlog_type_name(unsigned int type)
{
	return type <= EVTLOG_TYPE_MAX ? names[type] : NULL;
}

/**
 * evtlog_events() - which types runs record
 *
 * Context: any; changed under the run's lock.
 * Return: a bit for each record type.
 */
u64 evtlog_events(void)
{
	return (READ_ONCE(wanted) | READ_ONCE(pinned)) & ~READ_ONCE(routed);
}

/**
 * evtlog_events_routed() - which types go to named buffers in place of runs
 *
 * Context: any; changed under the run's lock, between evtlog_run_change_begin() and its end.
 * Return: a bit for each record type.
 */
u64 evtlog_events_routed(void)
{
	return READ_ONCE(routed);
}

/**
 * evtlog_events_route() - choose those types
 * @types:	a bit for each.  Of those that evtlog_events_pin() does not have hooks are off: they
 *		go nowhere, until a run that never had them is over
 *
 * Context: the run's lock is held, and runs are kept out.
 */
void evtlog_events_route(u64 types)
{
	WRITE_ONCE(routed, types);
}

/**
 * evtlog_events_set() - choose the wanted types
 * @chosen:	a bit for each; those that a log needs are added, those that go elsewhere stay
 *
 * Context: the run's lock is held.
 */
void evtlog_events_set(u64 chosen)
{
	WRITE_ONCE(wanted, (chosen & ~routed) | (wanted & routed) | ALWAYS_ON);
}

/**
 * evtlog_events_pin() - choose types whose hooks stay on, also while the kernel is disarmed
 * @types:	a bit for each; runs record them, too, but for those of evtlog_events_route()
 *
 * evtlog_events_apply() is to follow.
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
 * @tell:	called whenever other types are recorded: with all while hooks are being flipped, and
 *		then with those; as evtlog_events_apply() is
 *
 * evtlog_events_apply() is to follow.
 *
 * Context: the run's lock is held.
 */
void evtlog_events_profile(u64 types, void (*tell)(u64 recorded))
{
	tell_recorded = tell;
	WRITE_ONCE(evtlog_events_profiled, types);
}

/**
 * evtlog_events_apply() - make the static keys what they should be
 * @armed:	a run may start at any moment
 *
 * Context: task context; the CPU hotplug lock and the run's lock are held.
 */
void evtlog_events_apply(bool armed)
{
	u64 on = (armed ? wanted & ~routed : 0) | pinned;

	/* Until all are flipped some may be on that others need. */
	if (tell_recorded)
		tell_recorded(~0ULL);
	WRITE_ONCE(evtlog_events_recorded, on);
	evtlog_features_events_on((on | evtlog_events_profiled) & ~evtlog_events_enabled());
	evtlog_events_flip(on | evtlog_events_profiled);
	if (tell_recorded)
		tell_recorded(on);
}

/* The types that @name means: itself, its entry and exit, or a group's. */
static u64 types_named(const char *name)
{
	size_t len = strlen(name);
	u64 found = 0;
	unsigned int i;

	if (!strcmp(name, "all"))
		return ~0ULL;
	for (i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		if (names[i] && !strcmp(names[i], name))
			return BIT_ULL(i);
	}
	for (i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		if (names[i] && !strncmp(names[i], name, len) &&
		    names[i][len] == '_')
			found |= BIT_ULL(i);
	}
	return found;
}

/**
 * evtlog_events_parse() - read a choice such as "-all +sched_switch +softirq"
 * @text:	words divided by white space; changed
 * @chosen:	what to start from, and the result; untouched on error
 * Return: 0, or -EINVAL: a word without sign, or an unknown name.
 */
int evtlog_events_parse(char *text, u64 *chosen)
{
	u64 result = *chosen, named;
	char *word;

	while ((word = strsep(&text, " \t\n"))) {
		if (!*word)
			continue;
		/* As the file shows what is on and has a filter, which stays what it is. */
		if (*word == '~')
			*word = '+';
		if (*word != '+' && *word != '-')
			return -EINVAL;
		named = types_named(word + 1);
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
