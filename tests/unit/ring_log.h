/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps what was written to a ring, in the order in which the ring took it.
 *
 * The log supplies the ring's clock. Readings are made with interrupts off; the last reading of a
 * record is its time. So the order of readings is the order of records. The reader accounts for
 * every entry: read as written, or reported as lost.
 */
#ifndef UNIT_RING_LOG_H
#define UNIT_RING_LOG_H

#include <linux/types.h>

#include "ring.h"

#include "random.h"

/* Makes an empty ring for this thread, which is the only writer. */
void log_begin(uint64_t seed, u32 buffers, u32 words, u32 jump_rarity);

/* After the end of the ring and of the reader. Exits if an entry is unaccounted for. */
void log_end(void);

/* Writes in any context except NMI; @serial is the caller's own count. */
void log_write(u32 serial);
void log_write_words(u32 type, u32 serial);
void log_write_random(struct random *rng, u32 *serial);

/* An event in an NMI */
void log_nmi(void);

/* For the reader: accounts for a buffer; exits with a message on an error. */
void log_judge(const struct evtlog_buffer_header *h);

struct log_totals {
	u64 tried, read, lost, gaps, times, nmis, buffers;
};
extern struct log_totals log_totals;

#endif /* UNIT_RING_LOG_H */
