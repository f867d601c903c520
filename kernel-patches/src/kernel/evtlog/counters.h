/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's own counters, as witnesses of a run.
 */
#ifndef EVTLOG_COUNTERS_H
#define EVTLOG_COUNTERS_H

#include <linux/types.h>

struct evtlog_ring;

/* Which counters: softirqs' can be read exactly at fewer instants than the others. */
#define EVTLOG_COUNTERS_SOFTIRQS	0x1
#define EVTLOG_COUNTERS_OTHERS		0x2
#define EVTLOG_COUNTERS_ALL		0x3

int evtlog_counters_prepare(void);
void evtlog_counters_write(struct evtlog_ring *r, bool at_end, unsigned int which, u32 tag);
void evtlog_counters_read_other(unsigned int cpu);
void evtlog_counters_write_other(struct evtlog_ring *r, bool at_end, unsigned int which);

#endif /* EVTLOG_COUNTERS_H */
