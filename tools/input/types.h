/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which types of events a log has, or was not to have, in words.
 */
#ifndef EVTLOG_INPUT_TYPES_H
#define EVTLOG_INPUT_TYPES_H

#include <stdint.h>

#include <evtlog/evtlog.h>

#define TYPES_ALL	UINT64_MAX
#define TYPES_SOFTIRQ	types_pair(EVTLOG_SOFTIRQ_ENTRY)
/* Of devices, and the system's. */
#define TYPES_IRQ	(types_pair(EVTLOG_IRQ_HANDLER_ENTRY) | \
			 types_pair(EVTLOG_LOCAL_TIMER_ENTRY) | \
			 types_pair(EVTLOG_RESCHEDULE_ENTRY) | \
			 types_pair(EVTLOG_CALL_FUNCTION_ENTRY) | \
			 types_pair(EVTLOG_CALL_FUNCTION_SINGLE_ENTRY) | \
			 types_pair(EVTLOG_IRQ_WORK_ENTRY) | \
			 types_pair(EVTLOG_VECTOR_ENTRY))

static inline uint64_t types_bit(unsigned int type)
{
	return UINT64_C(1) << type;
}

/* Exits follow their entries in abi.h. */
static inline uint64_t types_pair(unsigned int entry)
{
	return types_bit(entry) | types_bit(entry + 1);
}

/* Of types of enum evtlog_type, a bit each, those of which the log says @which. */
uint64_t types_that_are(const struct evtlog_file *file, uint64_t types,
			enum evtlog_recorded which);

/**
 * types_text() - their names: "sched_switch, softirq, local_timer_entry"
 *
 * An entry and its exit together are named without what tells them apart.  Returns
 * malloc()ed text, NULL if there are none, or for want of memory.
 */
char *types_text(const struct evtlog_file *file, uint64_t types);

#endif /* EVTLOG_INPUT_TYPES_H */
