/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which types of events a log has, or was not to have, in words.
 */
#ifndef EVTLOG_INPUT_TYPES_H
#define EVTLOG_INPUT_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include <evtlog/evtlog.h>
#include <evtlog/index.h>

#define TYPES_ALL	UINT64_MAX
#define TYPES_SOFTIRQ	types_of_kind(EVTLOG_KIND_SOFTIRQ)
/* Of devices, and the system's. */
#define TYPES_IRQ	(types_of_kind(EVTLOG_KIND_IRQ) | types_of_kind(EVTLOG_KIND_VECTOR))

static inline uint64_t types_bit(unsigned int type)
{
	return UINT64_C(1) << type;
}

/* An entry and its exit, given either. */
uint64_t types_pair(unsigned int type);

/* Known types that lanes show as that kind. */
uint64_t types_of_kind(enum evtlog_kind kind);

/* Of types of enum evtlog_type, a bit each, those of which the log says @which. */
uint64_t types_that_are(const struct evtlog_file *file, uint64_t types,
			enum evtlog_recorded which);

/* What to do about types_filtered(), behind what names them */
#define TYPES_FILTERED_HINT	"; evtlog filter had rejected some of them: record without it"

/* Of those that count as not recorded: the types of which a filter rejected some events. */
uint64_t types_filtered(const struct evtlog_file *file, uint64_t types);

/* Without what an entry has behind the name of what it enters: "softirq" of softirq_entry */
size_t types_stem_length(const char *name);

/**
 * types_text() - their names: "sched_switch, softirq, local_timer_entry"
 *
 * An entry and its exit together are named without what tells them apart.  Returns
 * malloc()ed text, NULL if there are none, or for want of memory.
 */
char *types_text(const struct evtlog_file *file, uint64_t types);

/*
 * Says which of @types, bits of enum evtlog_type, the log does not have, and for which of them a
 * filter is the cause: @what lacks them.
 */
void types_warn(const struct evtlog_file *file, const char *path, uint64_t types, const char *what);

#endif /* EVTLOG_INPUT_TYPES_H */
