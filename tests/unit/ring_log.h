/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps what was written to a ring, in the order in which the ring took it.
 *
 * The order is that of the ring's own readings of the clock, which the log
 * supplies: a reading is made with interrupts off, the last of each record is
 * its time. The reader then accounts for every entry: read as it was written, or
 * told as lost.
 */
#ifndef UNIT_RING_LOG_H
#define UNIT_RING_LOG_H

#include <linux/types.h>

#include "ring.h"

#include "random.h"

/* Makes this thread's ring, empty; all its writing is done by this thread. */
void log_begin(uint64_t seed, u32 buffers, u32 words, u32 jump_rarity);

/* After the ring's end and the reader's. Exits if an entry is unaccounted for. */
void log_end(void);

/* Writes in any context but an NMI; @serial is the caller's own count. */
void log_write(u32 serial);
void log_write_words(u32 type, u32 serial);
void log_write_random(struct random *rng, u32 *serial);

/* An NMI's event. */
void log_nmi(void);

/* The reader's: accounts for a buffer, exits with a message if it is wrong. */
void log_judge(const struct evtlog_buffer_header *h);

struct log_totals {
	u64 tried, read, lost, gaps, times, nmis, buffers;
};
extern struct log_totals log_totals;

#endif /* UNIT_RING_LOG_H */
