/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of event types: whether a log contains them, and their names.
 */
#ifndef EVTLOG_INPUT_TYPES_H
#define EVTLOG_INPUT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/evtlog.h>
#include <evtlog/index.h>

#define TYPES_ALL	UINT64_MAX
#define TYPES_SOFTIRQ	types_of_kind(EVTLOG_KIND_SOFTIRQ)
/* Device interrupts and system vectors. */
#define TYPES_IRQ	(types_of_kind(EVTLOG_KIND_IRQ) | types_of_kind(EVTLOG_KIND_VECTOR))

static inline uint64_t types_bit(unsigned int type)
{
	return UINT64_C(1) << type;
}

/* Returns @type and its counterpart: entry and exit. */
uint64_t types_pair(unsigned int type);

/* Returns the known types that lanes show as this kind. */
uint64_t types_of_kind(enum evtlog_kind kind);

/* Returns those of @types (bits of enum evtlog_type) that are @which in the log. */
uint64_t types_that_are(const struct evtlog_file *file, uint64_t types,
			enum evtlog_recorded which);

/* Hint after the names of types, if types_filtered() has some. */
#define TYPES_FILTERED_HINT	"; filters rejected some of them: delete the filters with evtlog filter del, and record again"

/* Returns those of @types that count as not recorded because a filter rejected some events. */
uint64_t types_filtered(const struct evtlog_file *file, uint64_t types);

/* Length without the suffix "_entry": "softirq" of softirq_entry. */
size_t types_stem_length(const char *name);

/**
 * types_text() - names of types: "sched_switch, softirq, local_timer_entry"
 *
 * If both entry and exit are in @types, they are printed once without suffix.  Returns a
 * malloc()ed string; NULL if there are no names or no memory.
 */
char *types_text(const struct evtlog_file *file, uint64_t types);

/*
 * Warns about those of @types (bits of enum evtlog_type) that are not in the log, and mentions a
 * filter if it is the cause.  @what: the output that lacks them.
 */
void types_warn(const struct evtlog_file *file, const char *path, uint64_t types, const char *what);

/* Numbers of a log that are unknown if events of some types were not recorded */
enum sched_number {
	SCHED_RUNNABLE,
	SCHED_SWITCHES,
	SCHED_FORKS,
	SCHED_EXITS,
	SCHED_MIGRATIONS,
	SCHED_NUMBERS
};

/* Types of events that are needed for SCHED_RUNNABLE, and for all numbers */
#define SCHED_RUNNABLE_TYPES \
	(types_bit(EVTLOG_SCHED_SWITCH) | types_bit(EVTLOG_SCHED_WAKING) | \
	 types_bit(EVTLOG_SCHED_WAKEUP_NEW) | types_bit(EVTLOG_SCHED_MIGRATE_TASK))
#define SCHED_TYPES \
	(SCHED_RUNNABLE_TYPES | types_bit(EVTLOG_SCHED_PROCESS_FORK) | \
	 types_bit(EVTLOG_SCHED_PROCESS_EXIT))

/* Returns a bit for each unknown number. Passes of the sampler give all but the switches. */
uint32_t sched_unknown(const struct evtlog_file *file, bool has_samples);

#endif /* EVTLOG_INPUT_TYPES_H */
