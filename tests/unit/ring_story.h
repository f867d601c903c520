/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps what each CPU did, and compares it with the log.
 *
 * A CPU's part of a run must be an unbroken piece of its story. The piece has all events that began
 * after the CPU saw the start and ended before the stop, and no event that began after the stop was
 * known.
 */
#ifndef UNIT_RING_STORY_H
#define UNIT_RING_STORY_H

#include <linux/types.h>
#include <evtlog/abi.h>

/* Largest number of an event in a record: as many bits as in a switch */
#define STORY_NUMBER_MAX	((1U << EVTLOG_PID_BITS) - 1)

/*
 * Called on the CPU, interrupts off: its next event has @tag. With @deferred, the CPU may continue
 * after the stop is known. Returns the event's number.
 */
u64 story_event_begins(unsigned int cpu, u32 tag, bool deferred);
void story_event_ended(unsigned int cpu, u64 number);

u64 story_next(unsigned int cpu);
u64 story_payload(u64 number);

/* The CPU must wait for the reader. */
bool story_is_full(unsigned int cpu);

/* The CPU is unplugged: its counters at the end of this run are unknown. */
void story_goes_away(unsigned int cpu);

/* The CPU comes back after an absence from @since to @until, in ticks. */
void story_comes_back(unsigned int cpu, u64 since, u64 until);

/* For the controller: every CPU can see by now that this run was stopped. */
void story_stopped(u64 run);

/* For the reader; exits on an error. */
void story_judge(unsigned int cpu, const struct evtlog_buffer_header *h, u32 bytes);

/* For the controller: up to this run, a CPU has no ring; the number of CPUs missing in a run */
void story_is_poor(u64 run);
u32 story_is_missing(u64 run);

/* Returns the FINAL buffers read of a run; *@wanted is their number, 0 before the first. */
u32 story_finals(u64 run, u32 *wanted);

struct story_totals {
	u64 parts, unused, uncounted, lossy, records, lost, softirqs_late, counters, nmis;
	u64 unused_nmis;	/* of CPUs without events */
};
extern struct story_totals story_totals;

#endif /* UNIT_RING_STORY_H */
