/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks that do not run settle with their CPU before it is read: what they have is the CPU's
 * from then on, as when they leave it for another.  So a CPU's slots are its profile but for
 * what came to it since, and nobody need look at all tasks at one moment.
 */
#ifndef EVTLOG_PROFILE_SETTLE_H
#define EVTLOG_PROFILE_SETTLE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "callpath/slots.h"
#include "profile/tree.h"

/* A power of two: those that came to the CPU and have not been looked at again. */
#define EVTLOG_PROFILE_CAME	512

/**
 * struct evtlog_profile_settling - the CPU whose tasks settle; one at a time
 * @cpu:	which; EVTLOG_PROFILE_NO_CPU: none.  Set and cleared on that CPU, or it is offline
 * @nr:		how many came since it began
 * @done:	of these, how many were looked at again
 * @came:	which; by number, modulo EVTLOG_PROFILE_CAME.  NULL: it was freed
 * @copy:	of a task's sums, until it is known that they are whole
 */
struct evtlog_profile_settling {
	unsigned int cpu;
	unsigned int nr;
	unsigned int done;
	struct evtlog_profile *came[EVTLOG_PROFILE_CAME];
	struct evtlog_profile_sums copy[EVTLOG_PROFILE_NODES_MAX];
};

extern struct evtlog_profile_settling evtlog_profile_settling;

void evtlog_profile_note_came(struct evtlog_profile *p);

/**
 * evtlog_profile_came() - a profile is a CPU's from now on
 * @p:		which
 * @cpu:	this CPU
 *
 * Context: interrupts off.
 */
static __always_inline void evtlog_profile_came(struct evtlog_profile *p, unsigned int cpu)
{
	if (unlikely(READ_ONCE(evtlog_profile_settling.cpu) == cpu))
		evtlog_profile_note_came(p);
}

void evtlog_profile_settle(struct evtlog_profile *p, unsigned int cpu);
void evtlog_profile_settle_begin(unsigned int cpu);
void evtlog_profile_settle_end(void);
bool evtlog_profile_settle_some(unsigned int cpu, const struct evtlog_profile *current_profile,
				unsigned int most);
void evtlog_profile_settle_forget(const struct evtlog_profile *p);

#endif /* EVTLOG_PROFILE_SETTLE_H */
