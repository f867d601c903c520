/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes a buffer apart into records with full times.
 *
 * Stage: between the ring and the tests that judge it. Written from abi.h alone,
 * so that it shares no mistake with the ring or with libevtlog.
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
 * The types that the tests write beyond those of abi.h: RECORD_SIZED + n has
 * n words, the last two are larger than small buffers.
 */
#define RECORD_SIZED	44
#define RECORD_LARGE	62
#define RECORD_HUGE	63

/* With data 0. */
u32 record_words(u32 type);

/*
 * An EVENT says its size in its data, as abi.h has it: of this many words, the first one included,
 * with a number; whether its last word is full depends on the number.
 */
#define RECORD_EVENT_WORDS	(1 + EVTLOG_EVENT_BYTES_MAX / 8)
u32 record_event_data(u64 number, u32 words);

/* Returns NULL, or what is wrong with the header, as text. */
const char *reading_begin(struct reading *r, const void *buffer, u32 bytes);

/* Returns 1 and the next record, 0 at the end, -1: not a record. */
int reading_next(struct reading *r, struct record *record);

#endif /* UNIT_RING_READ_H */
