// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which record types are wanted, and their static keys.
 *
 * The keys are flipped only where the kernel is armed or disarmed, or armed with other types
 * (events_flip.c).
 */
#include <linux/bits.h>
#include <linux/errno.h>
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
			 BIT_ULL(EVTLOG_EVENT_FORMAT))

/* Several at each system call and interrupt: only who asks for them gets them. */
#define FREQUENT	(BIT_ULL(EVTLOG_USER_EXIT) | BIT_ULL(EVTLOG_USER_ENTER) | \
			 BIT_ULL(EVTLOG_USER_NMI) | \
			 BIT_ULL(EVTLOG_EXCEPTION_ENTRY) | \
			 BIT_ULL(EVTLOG_EXCEPTION_EXIT))

/* Changed under evtlog_run_lock; whoever reads the file events does without. */
static u64 wanted = ~FREQUENT;

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
 * evtlog_events() - which types are wanted
 *
 * Context: any; changed under the run's lock.
 * Return: a bit for each record type.
 */
u64 evtlog_events(void)
{
	return READ_ONCE(wanted);
}

/**
 * evtlog_events_set() - choose the wanted types
 * @chosen:	a bit for each; those that a log needs are added
 *
 * Context: the run's lock is held.
 */
void evtlog_events_set(u64 chosen)
{
	WRITE_ONCE(wanted, chosen | ALWAYS_ON);
}

/**
 * evtlog_events_apply() - make the static keys what they should be
 * @armed:	a run may start at any moment
 *
 * Context: task context; the CPU hotplug lock and the run's lock are held.
 */
void evtlog_events_apply(bool armed)
{
	u64 on = armed ? wanted : 0;

	evtlog_features_events_on(on & ~evtlog_events_enabled());
	evtlog_events_flip(on);
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
 * Return: 0, or -EINVAL: a word without sign, or a name nobody knows.
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
