/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each CPU did, and whether the log tells it.
 *
 * A CPU's part of a run must be an unbroken piece of its story, which holds all events that
 * began after the start was seen and ended before the stop, and none that began when the stop
 * was known.
 */
#ifndef UNIT_RING_STORY_H
#define UNIT_RING_STORY_H

#include <linux/types.h>
#include <evtlog/abi.h>

/* Numbers of events, which some records hold: as many bits as a switch has. */
#define STORY_NUMBER_MAX	((1U << EVTLOG_PID_BITS) - 1)

/*
 * On the CPU, interrupts off: its next event has @tag.  In a @deferred one a CPU may go on
 * though the stop is known.  Returns its number.
 */
u64 story_event_begins(unsigned int cpu, u32 tag, bool deferred);
void story_event_ended(unsigned int cpu, u64 number);

u64 story_next(unsigned int cpu);
u64 story_payload(u64 number);

/* The CPU must do nothing more until the reader has come so far. */
bool story_is_full(unsigned int cpu);

/* The CPU is unplugged: nobody knows its counters at the end of this run. */
void story_goes_away(unsigned int cpu);

/* It comes back, and has been away from one tick to another. */
void story_comes_back(unsigned int cpu, u64 since, u64 until);

/* The controller's: every CPU can know by now that this run was stopped. */
void story_stopped(u64 run);

/* The reader's; exits if something is wrong. */
void story_judge(unsigned int cpu, const struct evtlog_buffer_header *h, u32 bytes);

/* The controller's: up to this run a CPU has no ring; how many are missing in one. */
void story_is_poor(u64 run);
u32 story_is_missing(u64 run);

/* FINAL buffers read of a run; how many there should be, 0: none was read yet. */
u32 story_finals(u64 run, u32 *wanted);

struct story_totals {
	u64 parts, unused, uncounted, lossy, records, lost, softirqs_late, counters, nmis;
	u64 unused_nmis;	/* of CPUs without events */
};
extern struct story_totals story_totals;

#endif /* UNIT_RING_STORY_H */
