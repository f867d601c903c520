/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The expected behaviour of a ring, as simple as possible: lists of records, 64-bit numbers, no
 * pointers into buffers, no wrapping, no memory order.
 *
 * Stage: the oracle in ring_random.c. The test reports each operation and each reading of the clock
 * to the model, which predicts every buffer.
 */
#ifndef UNIT_RING_MODEL_H
#define UNIT_RING_MODEL_H

#include <linux/types.h>
#include <evtlog/abi.h>

/* A record's data and further words are made from @serial. */
struct model_record {
	u32 type;
	u32 words;
	u64 serial;
	u64 ticks;
	u64 count, first, last;		/* for LOST */
};

struct model_buffer {
	struct model_buffer *next;
	u64 run, sequence;
	u32 flags;
	u32 cpus_in_run;
	bool context_known;
	u64 lost_full, lost_nmi;
	struct evtlog_clock_set begin, end;
	u32 used_words;			/* in records */
	u64 upper;			/* upper half of the last record's time */
	u32 nr_records, room_records;
	struct model_record *record;
};

/* A reading of all clocks by the ring, and the number of NMIs until then */
struct model_clock {
	struct evtlog_clock_set set;
	u64 nmis;
};

#define MODEL_CLOCKS	4

struct model {
	u32 nr_buffers;
	u32 buffer_words;		/* for records */

	bool recording, in_run, final_due;
	u64 run, sequence;
	struct model_buffer *current;
	struct model_buffer *final;	/* closed, not handed over */
	struct model_buffer *full, **full_end;	/* oldest first */
	u32 nr_full;
	struct model_clock stop;

	u64 gap_count, gap_first, gap_last;
	u64 nmis;			/* since boot */
	u64 nmis_told;
	u64 nmis_at_end;		/* of the last run */
	u64 total_full, total_nmi, total_bytes, total_buffers;
	u64 handed_over;

	/* Readings that the model has not used yet, in order */
	struct model_clock clock[MODEL_CLOCKS];
	u32 nr_clocks;
};

void model_init(struct model *m, u32 nr_buffers, u32 buffer_words);
void model_finalise(struct model *m);

/* The test reports what happens at the same time. */
void model_clock_was_read(struct model *m, const struct evtlog_clock_set *set);

/* Operations; called after the ring has executed them. */
void model_arm(struct model *m, u64 run, u64 nmis_before);
void model_begin(struct model *m, u64 run, u64 nmis_before);
bool model_write(struct model *m, u32 type, u32 words, u64 serial, u64 ticks);
void model_flush(struct model *m);
void model_end(struct model *m);
void model_finish(struct model *m, u32 cpus_in_run);
void model_release(struct model *m);

/* The expected results of evtlog_ring_lost() and evtlog_ring_position(), without @ticks */
u64 model_lost_nmis(const struct model *m);
struct evtlog_position model_position(const struct model *m);

#endif /* UNIT_RING_MODEL_H */
