/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rings that watches look at: those of runs, or of a named buffer, without taking anything.
 */
#ifndef EVTLOG_WATCH_SOURCE_H
#define EVTLOG_WATCH_SOURCE_H

#include "watch/watch.h"

#define WATCH_STAGE_BYTES	(16 * 1024)
#define WATCH_STAGE_SLACK	sizeof(u64)	/* fields are read eight bytes at a time */

struct evtlog_named;

/*
 * struct watch_cursor - how far a CPU's ring was looked at
 * @number, @offset: the buffer, counted as @closed of the ring, and where in it
 * @to_number, @to_offset: before that all records are complete
 * @placed:	@number means something
 * @entered:	the buffer's header was looked at
 * @is_known:	the buffer before it was, too: @run and @sequence are its
 * @run, @sequence: of that header
 * @high:	upper half of the last record's time
 * @pid:	of the task that runs, as far as known
 * @cpu:	of a ring of all CPUs: whose records these are
 * @stage:	a copy of what is in the buffer from @stage_offset on, @stage_bytes of it
 * @rec:	the next record that is wanted, if @has
 * @missed:	buffers that were overwritten before they were looked at
 * @lost:	records that the ring itself lost
 */
struct watch_cursor {
	u64 number, to_number;
	u32 offset, to_offset;
	bool placed;
	bool entered;
	bool is_known;
	bool has;
	u64 run, sequence;
	u32 used_bytes;
	u32 high;
	u32 pid;
	u32 cpu;
	void *stage;
	u32 stage_offset, stage_bytes;
	struct watch_record rec;
	u64 missed, lost;
};

/*
 * struct watch_source - all CPUs' rings
 * @name:	of the named buffer; empty: the rings of runs
 * @needs_global: its rules look at what only a ring of all CPUs tells
 * @named:	in a round; NULL if it is not there
 * @serial:	its number
 * @wanted:	a bit for each type
 * @users:	rules
 * @cursors:	per-CPU
 * @horizon:	before that time all records are known
 * @passed:	in ticks: up to then rules know of records, and of there being none
 * @asked_all:	no CPU may have begun a record that is not known
 * @has_gap:	records are missing
 * @records:	how many rules looked at
 */
struct watch_source {
	struct list_head list;
	char name[EVTLOG_RUN_NAME_LEN];
	bool needs_global;
	struct evtlog_named *named;
	u64 serial;
	u64 wanted;
	unsigned int users;
	struct watch_cursor __percpu *cursors;
	u64 horizon;
	u64 passed;
	bool asked_all;
	bool has_gap;
	u64 records;
};

/* cursor.c */
bool watch_cursor_is_behind(const struct watch_cursor *c, const struct evtlog_ring *r);
bool watch_cursor_next(struct watch_cursor *c, const struct evtlog_ring *r, u64 wanted);
void watch_cursor_place(struct watch_cursor *c, const struct evtlog_ring *r, bool is_here);

/* source.c */
struct watch_source *watch_source_get(const char *name, bool needs_global);
void watch_source_put(struct watch_source *source);
void watch_source_place(struct watch_source *source);
const struct watch_record *watch_source_next(struct watch_source *source);
void watch_source_sums(const struct watch_source *source, u64 *missed, u64 *lost);
extern struct list_head watch_sources;

#endif /* EVTLOG_WATCH_SOURCE_H */
