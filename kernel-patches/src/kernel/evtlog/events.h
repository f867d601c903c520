/* SPDX-License-Identifier: GPL-2.0-only */
/* The record types that are wanted, and their static keys */
#ifndef EVTLOG_EVENTS_H
#define EVTLOG_EVENTS_H

#include <linux/types.h>

void evtlog_events_apply(bool armed);
int evtlog_events_parse(char *text, u64 *types);
u64 evtlog_events(void);
void evtlog_events_set(u64 types);
void evtlog_events_pin(u64 types);
u64 evtlog_events_routed(void);
void evtlog_events_route(u64 types);
void evtlog_events_profile(u64 types, void (*tell)(u64 recorded));
extern u64 evtlog_events_recorded;
extern u64 evtlog_events_profiled;
const char *evtlog_type_name(unsigned int type);
u64 evtlog_types_named(const char *name, size_t length);

/* events_flip.c */
int evtlog_events_init(void);
u64 evtlog_events_enabled(void);
void evtlog_events_flip(u64 on);

/*
 * In a module, hooks are called by tracepoints: kernel-patches/module/flip.c.  The types that may be
 * flipped on: none, those that runs record, or all if the kernel is armed.
 */
enum evtlog_events_soon { EVTLOG_EVENTS_NONE, EVTLOG_EVENTS_WANTED, EVTLOG_EVENTS_ALL };

#ifdef MODULE
u64 evtlog_events_possible(void);
int evtlog_events_prepare(enum evtlog_events_soon soon);
int evtlog_events_prepare_types(u64 types);
void evtlog_events_settle(void);
#else
static inline u64 evtlog_events_possible(void)
{
	return ~0ULL;
}

static inline int evtlog_events_prepare(enum evtlog_events_soon soon)
{
	return 0;
}

static inline int evtlog_events_prepare_types(u64 types)
{
	return 0;
}

static inline void evtlog_events_settle(void)
{
}
#endif

#endif /* EVTLOG_EVENTS_H */
