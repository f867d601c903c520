// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that are events of profiles, by number: probes call this file at entry and return.
 *
 * A name keeps its number for ever, because profiles contain it longer than the probe exists.
 */
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "clock.h"
#include "profile/function.h"
#include "profile/profile.h"
#include "profile/trace.h"

/* Half of EVTLOG_PROFILE_SLOTS; the other half is for other events. */
#define FUNCTIONS_MAX	256

/* Guards the assignment of numbers; names are read without it. */
static DEFINE_MUTEX(lock);
static const char *names[FUNCTIONS_MAX + 1];

/**
 * evtlog_profile_function() - return the number of a function
 * @name:	name, which is copied
 *
 * Context: task context, may sleep.
 * Return: 1 to FUNCTIONS_MAX; -ENOSPC; -ENOMEM.
 */
int evtlog_profile_function(const char *name)
{
	unsigned int i;
	char *copy;
	int number = -ENOSPC;

	mutex_lock(&lock);
	for (i = 1; i <= FUNCTIONS_MAX && names[i] && strcmp(names[i], name); i++)
		;
	if (i <= FUNCTIONS_MAX) {
		copy = names[i] ? NULL : kstrdup(name, GFP_KERNEL);
		/* Pairs with the acquire in evtlog_profile_function_name(). */
		if (copy)
			smp_store_release(&names[i], copy);
		number = names[i] ? (int)i : -ENOMEM;
	}
	mutex_unlock(&lock);
	return number;
}

/**
 * evtlog_profile_function_name() - return a function's name
 * @number:	as returned by evtlog_profile_function()
 */
const char *evtlog_profile_function_name(unsigned int number)
{
	/* Pairs with the release in evtlog_profile_function(): the text. */
	const char *name = number <= FUNCTIONS_MAX ? smp_load_acquire(&names[number]) : NULL;

	return name ?: "?";
}

/**
 * evtlog_profile_functions_show() - print lines "function NUMBER NAME"
 */
void evtlog_profile_functions_show(struct seq_file *m)
{
	unsigned int i;

	/* Pairs with the release in evtlog_profile_function(): the text. */
	for (i = 1; i <= FUNCTIONS_MAX && smp_load_acquire(&names[i]); i++)
		seq_printf(m, "function %u %s\n", i, names[i]);
}

/*
 * Excludes the profile's own call of the memory allocator, and NMIs.  The clock is checked, because
 * the probe may have read evtlog_profile_key long ago.
 */
static __always_inline void tell(unsigned int number, bool enters)
{
	unsigned int event = EVTLOG_PROFILE_EVENT(EVTLOG_PROFILE_FUNCTION, number);
	unsigned long flags;
	u64 now;

	raw_local_irq_save(flags);
	if (!in_nmi() && this_cpu_read(evtlog_profile_cpu.counts) &&
	    !this_cpu_read(evtlog_profile_cpu.allocates)) {
		now = evtlog_ticks64();
		if (enters)
			evtlog_profile_enter(event, now);
		else
			evtlog_profile_exit(event, now);
		evtlog_profile_trace_current(enters ? EVTLOG_PROFILE_TRACE_ENTER :
						      EVTLOG_PROFILE_TRACE_LEAVE, event, now);
	}
	raw_local_irq_restore(flags);
}

/**
 * evtlog_profile_function_enter() - the current task enters a function
 * @number:	number of the function
 *
 * Context: any.
 */
void evtlog_profile_function_enter(unsigned int number)
{
	tell(number, true);
}

/**
 * evtlog_profile_function_exit() - the current task leaves a function
 * @number:	number of the function
 *
 * Context: any.
 */
void evtlog_profile_function_exit(unsigned int number)
{
	tell(number, false);
}
