/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a buffer into records with full times.
 *
 * Stage: between the ring and the tests that judge it. Written by abi.h only, so that it shares no
 * mistake with the ring or with libevtlog.
 */
#ifndef UNIT_RING_READ_H
#define UNIT_RING_READ_H

#include <linux/types.h>
#include <evtlog/abi.h>

struct record {
	u32 type;
	u32 data;
	u32 words;
	u64 ticks;
	const u64 *word;
};

struct reading {
	const u64 *at;
	const u64 *end;
	u64 upper;
};

/*
 * Types of the tests that are not in abi.h: RECORD_SIZED + n has n words; the last two are larger
 * than small buffers.
 */
#define RECORD_SIZED	44
#define RECORD_LARGE	62
#define RECORD_HUGE	63

/* With data 0 */
u32 record_words(u32 type);

/*
 * Returns the data of an EVENT with @words words, the first included, and a number. Whether the
 * last word is full depends on the number.
 */
#define RECORD_EVENT_WORDS	(1 + EVTLOG_EVENT_BYTES_MAX / 8)
u32 record_event_data(u64 number, u32 words);

/* Returns NULL, or the header's fault as text. */
const char *reading_begin(struct reading *r, const void *buffer, u32 bytes);

/* Returns 1 and the next record, 0 at the end, -1 if it is no record. */
int reading_next(struct reading *r, struct record *record);

#endif /* UNIT_RING_READ_H */
