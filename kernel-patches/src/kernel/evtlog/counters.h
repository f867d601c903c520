/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's own counters, by which a run can be checked */
#ifndef EVTLOG_COUNTERS_H
#define EVTLOG_COUNTERS_H

#include <linux/percpu.h>
#include <linux/types.h>
#include <uapi/linux/evtlog.h>
#if defined(CONFIG_PARAVIRT) && !defined(MODULE)
#include <asm/paravirt.h>
#endif

struct evtlog_clock_set;
struct evtlog_ring;

/* Groups of counters: softirqs and ICMP can be read exactly at fewer instants than the others. */
#define EVTLOG_COUNTERS_SOFTIRQS	0x1
#define EVTLOG_COUNTERS_OTHERS		0x2
#define EVTLOG_COUNTERS_ALL		0x3

/* True: the counter includes this CPU's last ICMP message.  Set just before the record. */
DECLARE_PER_CPU(bool, evtlog_counters_icmp);

/*
 * evtlog_rejecting: a bit for each type whose records filters reject; changed while no run can
 * begin.  evtlog_rejected: rejected records by type since boot.  Each CPU counts its own, and
 * follows a start or stop of a run there, as for a record.
 */
struct evtlog_rejected {
	u64 records[EVTLOG_TYPE_MAX + 1];
};
extern u64 evtlog_rejecting;
DECLARE_PER_CPU(struct evtlog_rejected, evtlog_rejected);

int evtlog_counters_prepare(void);
void evtlog_counters_release(void);
void evtlog_counters_exit(void);
void evtlog_counters_write(struct evtlog_ring *r, bool at_end, unsigned int which, u32 tag);
void evtlog_counters_read_other(unsigned int cpu);
void evtlog_counters_write_other(struct evtlog_ring *r, bool at_end, unsigned int which,
				 const struct evtlog_clock_set *clock);

/* In a module: kernel-patches/module/offline.c */
#ifdef MODULE
#define EVTLOG_COUNTERS_MAX	24

const u64 *evtlog_counters_here(unsigned int *count);
void evtlog_unseen_take_off(unsigned int cpu, u64 *values, unsigned int count);
#else
static inline void evtlog_unseen_take_off(unsigned int cpu, u64 *values, unsigned int count)
{
}
#endif

#if defined(CONFIG_PARAVIRT) && !defined(MODULE)
void __evtlog_counters_steal(void);

/* To be called before the record @tag of a system vector, interrupts off. */
static __always_inline void evtlog_counters_steal(u32 tag)
{
	if (static_key_false(&paravirt_steal_enabled) &&
	    (tag & EVTLOG_TYPE_MAX) == EVTLOG_LOCAL_TIMER_ENTRY)
		__evtlog_counters_steal();
}
#else
static inline void evtlog_counters_steal(u32 tag)
{
}
#endif

#endif /* EVTLOG_COUNTERS_H */
