/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares each buffer of the ring with the model's in every field and record. Also counts without
 * the model: records written are records read plus records reported as lost.
 */
#ifndef UNIT_RING_JUDGE_H
#define UNIT_RING_JUDGE_H

#include <linux/types.h>
#include <evtlog/abi.h>

#include "random.h"
#include "ring_model.h"
#include "ring_read.h"

/* Inputs of the ring, computed from the number of the buffer or record */
#define JUDGE_CPU	3
#define JUDGE_TICKS_HZ	123456789

static inline u32 judge_begin_pid(u64 sequence)
{
	return (u32)random_mix(sequence);
}

static inline u64 judge_payload(u64 serial, u32 word)
{
	return random_mix(serial + word);
}

/* The data of a record of this type that must have this many words */
static inline u32 judge_data(u32 type, u64 serial, u32 words)
{
	return type == EVTLOG_EVENT ? record_event_data(serial, words) : serial & EVTLOG_DATA_MAX;
}

void judge_run_begins(u64 run, u64 nmis);
void judge_attempt(u64 run);
void judge_buffer(const struct evtlog_buffer_header *h, u32 bytes,
		  const struct model_buffer *b, u64 nmis);

/* Whether the machine's tick counters are synchronous */
extern bool judge_ticks_trusted;

struct judge_seen {
	u64 records, events, largest, times, losses, lost, buffers, finals;
};
extern struct judge_seen judge_seen;

#endif /* UNIT_RING_JUDGE_H */
