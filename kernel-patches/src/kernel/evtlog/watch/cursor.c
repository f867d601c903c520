// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watches: reads a CPU's records one by one, in addition to the ring's reader.
 *
 * The writer may overwrite a buffer during a read.  So a piece is copied, and then the header is
 * checked again: the first thing that the writer stores into a buffer is its new header.
 */
#include <linux/sched.h>
#include <linux/string.h>

#include "watch/source.h"

#define SIZE_OF_HEADER	(u32)sizeof(struct evtlog_buffer_header)

static const struct evtlog_buffer_header *header_of(const struct watch_cursor *c,
						    const struct evtlog_ring *r)
{
	return r->buffer[c->number % r->nr_buffers];
}

/**
 * watch_cursor_place() - read how far a ring is written
 * @is_here:	called on its CPU, in an interrupt: no record is incomplete
 *
 * If the CPU is offline, or another CPU completes its ring, only closed buffers are known.
 */
void watch_cursor_place(struct watch_cursor *c, const struct evtlog_ring *r, bool is_here)
{
	/* Pairs with the release in is_over(): by then it is not recording. */
	bool is_claimed = smp_load_acquire(&r->epoch) & EVTLOG_EPOCH_CLAIMED;
	const struct evtlog_buffer_header *h = is_here && !is_claimed ? r->current_header : NULL;

	c->to_number = READ_ONCE(r->closed);
	c->to_offset = h ? (u8 *)r->pos - (u8 *)h : 0;
	/* If a ring was given new buffers, the numbers begin at 0 again. */
	if (!c->placed || c->number > c->to_number) {
		c->number = c->to_number;
		c->entered = false;
		c->is_known = false;
		c->has = false;
		c->stage_bytes = 0;
		c->placed = true;
	}
}

/**
 * watch_cursor_is_behind() - return true if a ring has more than watch_cursor_place() saw
 * @r:		the ring, which its CPU may be writing
 *
 * Return: false: at most a record that the CPU has just begun to write.
 */
bool watch_cursor_is_behind(const struct watch_cursor *c, const struct evtlog_ring *r)
{
	const struct evtlog_buffer_header *h = data_race(READ_ONCE(r->current_header));
	u32 offset = h ? (u8 *)data_race(READ_ONCE(r->pos)) - (u8 *)h : 0;

	return !c->placed || READ_ONCE(r->closed) != c->to_number || offset != c->to_offset;
}

/* Continues with the oldest buffer that will not be overwritten next. */
static void skip_missed(struct watch_cursor *c, const struct evtlog_ring *r)
{
	u64 closed = READ_ONCE(r->closed), oldest = c->number + 1;

	if (closed + 2 > oldest + r->nr_buffers)
		oldest = closed + 2 - r->nr_buffers;
	c->missed += oldest - c->number;
	c->number = oldest;
	c->entered = false;
	c->is_known = false;
	c->stage_bytes = 0;
}

static bool is_still(const struct watch_cursor *c, const struct evtlog_buffer_header *h)
{
	/* The copy was made before its header is checked again: see ring_prepare(). */
	smp_rmb();
	return data_race(h->magic) == EVTLOG_BUFFER_MAGIC && data_race(h->run) == c->run &&
	       data_race(h->sequence) == c->sequence;
}

/* Returns false if the buffer is overwritten. */
static bool enter(struct watch_cursor *c, const struct evtlog_ring *r)
{
	const struct evtlog_buffer_header *h = header_of(c, r);
	struct evtlog_buffer_header copy;

	data_race(memcpy(&copy, h, sizeof(copy)));
	/* Buffers of a run follow each other. */
	if (c->is_known && copy.run == c->run && copy.sequence != c->sequence + 1)
		return false;
	c->run = copy.run;
	c->sequence = copy.sequence;
	/* The oldest buffer of a full ring is valid until the next one is opened. */
	if (READ_ONCE(r->closed) > c->number + r->nr_buffers || !is_still(c, h) ||
	    (READ_ONCE(r->closed) == c->number + r->nr_buffers && READ_ONCE(r->current_header)))
		return false;
	c->used_bytes = c->number == c->to_number ? c->to_offset : copy.used_bytes;
	c->high = copy.begin_ticks >> 32;
	/* The records of a named buffer do not contain the task that ran. */
	c->pid = r->owner ? U32_MAX : copy.begin_pid;
	c->lost += copy.lost[EVTLOG_LOST_FULL];
	c->offset = SIZE_OF_HEADER;
	c->stage_bytes = 0;
	c->entered = true;
	c->is_known = true;
	return true;
}

/* Sets the end of the known records; the buffer may have been closed since. */
static bool find_end(struct watch_cursor *c, const struct evtlog_ring *r)
{
	const struct evtlog_buffer_header *h = header_of(c, r);
	u32 used = c->number == c->to_number ? c->to_offset : data_race(h->used_bytes);

	if (!is_still(c, h) || used > r->buffer_bytes || used < SIZE_OF_HEADER)
		return false;
	c->used_bytes = used;
	return true;
}

static bool stage(struct watch_cursor *c, const struct evtlog_ring *r)
{
	const struct evtlog_buffer_header *h = header_of(c, r);

	c->stage_offset = c->offset;
	c->stage_bytes = min_t(u32, c->used_bytes - c->offset, WATCH_STAGE_BYTES);
	data_race(memcpy(c->stage, (const u8 *)h + c->offset, c->stage_bytes));
	return is_still(c, h);
}

/* Returns the next complete record of the copy; NULL if there is none. */
static const u64 *staged(const struct watch_cursor *c, unsigned int *words)
{
	u32 at = c->offset - c->stage_offset;
	const u64 *record = c->stage + at;

	if (!c->stage_bytes || at >= c->stage_bytes)
		return NULL;
	*words = evtlog_record_words(*record);
	return *words && at + 8 * *words <= c->stage_bytes ? record : NULL;
}

/* In a ring of all CPUs: the next records are of this CPU and task. */
static void follow(struct watch_cursor *c, const u64 *record)
{
	c->cpu = *record >> EVTLOG_DATA_SHIFT;
	c->pid = (u32)record[1];
}

/* Returns true if the record is wanted.  Updates the time and the running task. */
static bool look_at(struct watch_cursor *c, const u64 *record, unsigned int words,
		    const struct evtlog_ring *r, u64 wanted)
{
	bool is_global = r->owner && r->owner->is_global;
	unsigned int type = *record >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;

	c->rec.pid = c->pid;
	if (type == EVTLOG_TIME)
		c->high = record[1] >> 32;
	else if (type == EVTLOG_ON_CPU)
		follow(c, record);
	else if (type == EVTLOG_SCHED_SWITCH && !is_global)
		c->pid = *record >> EVTLOG_DATA_SHIFT & ((1 << EVTLOG_PID_BITS) - 1);
	if (!(wanted >> type & 1))
		return false;
	c->rec.words = record;
	c->rec.nr_words = words;
	c->rec.ticks = (u64)c->high << 32 | (u32)*record;
	c->rec.cpu = is_global ? c->cpu : r->cpu;
	return true;
}

/* Returns true if there is something to copy. */
static bool go_on(struct watch_cursor *c, const struct evtlog_ring *r)
{
	while (c->number < c->to_number || (c->number == c->to_number && c->to_offset)) {
		if (!c->entered && !enter(c, r)) {
			skip_missed(c, r);
			continue;
		}
		if (!find_end(c, r)) {
			skip_missed(c, r);
			continue;
		}
		if (c->offset < c->used_bytes)
			return true;
		if (c->number == c->to_number)
			return false;
		c->number++;
		c->entered = false;
	}
	return false;
}

/**
 * watch_cursor_next() - go to the next wanted record
 * @c:		placed
 * @r:		the same ring; its buffers stay allocated
 * @wanted:	a bit for each type
 *
 * Return: true if there is one, in @c->rec, valid until the next call.
 */
bool watch_cursor_next(struct watch_cursor *c, const struct evtlog_ring *r, u64 wanted)
{
	unsigned int words;
	const u64 *record;

	c->has = false;
	for (;;) {
		record = staged(c, &words);
		if (!record) {
			if (!r->nr_buffers || !go_on(c, r))
				return false;
			cond_resched();
			/* Incomplete records are skipped. */
			if (!stage(c, r) || !staged(c, &words))
				skip_missed(c, r);
			continue;
		}
		c->offset += 8 * words;
		if (look_at(c, record, words, r, wanted)) {
			c->has = true;
			return true;
		}
	}
}
