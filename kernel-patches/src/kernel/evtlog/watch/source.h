/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rings that watches read: rings of runs, or of a named buffer.  Nothing is taken from them.
 */
#ifndef EVTLOG_WATCH_SOURCE_H
#define EVTLOG_WATCH_SOURCE_H

#include "watch/watch.h"

#define WATCH_STAGE_BYTES	(16 * 1024)
#define WATCH_STAGE_SLACK	sizeof(u64)	/* fields are read eight bytes at a time */

struct evtlog_named;

/*
 * struct watch_cursor - position in a CPU's ring
 * @number, @offset: next buffer, counted as @closed of the ring, and position in it
 * @to_number, @to_offset: all records before this position are complete
 * @placed:	@number is valid
 * @entered:	the buffer's header was read
 * @is_known:	the previous buffer was read, and has @run and @sequence
 * @run, @sequence: of the last header
 * @high:	upper half of the last record's time
 * @pid:	of the running task, as far as known
 * @cpu:	in a ring of all CPUs: CPU of the present records
 * @stage:	a copy of the buffer's content, @stage_bytes from @stage_offset on
 * @rec:	the next wanted record, if @has
 * @missed:	buffers that were overwritten before they were read
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
 * struct watch_source - the rings of all CPUs
 * @name:	of the named buffer; empty: the rings of runs
 * @needs_global: its rules need fields that only a ring of all CPUs has
 * @named:	during a round; NULL if it does not exist
 * @serial:	its number
 * @wanted:	a bit for each type
 * @users:	number of rules
 * @cursors:	per-CPU
 * @horizon:	all records before this time are known
 * @passed:	ticks; up to this time, rules have been given all records
 * @asked_all:	no CPU may have begun a record that is not known
 * @has_gap:	records are missing
 * @records:	number of records that rules checked
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
