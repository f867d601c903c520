/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds what stands in an array by its hash: a table of numbers.
 *
 * It has neither the things nor their keys: who owns them compares, and tells their hashes when
 * the table grows.
 *
 * Owners look from jitter_slots_first() on, with jitter_slots_next(), until the slot has
 * what they want or EVTLOG_JITTER_NONE, which is where it belongs.
 */
#ifndef EVTLOG_LIB_BASE_HASH_INDEX_H
#define EVTLOG_LIB_BASE_HASH_INDEX_H

#include <evtlog/jitter.h>

/* @capacity is a power of two, at most half of it used, or 0: there is no table yet. */
struct jitter_slots {
	uint32_t *at;
	size_t capacity;
};

/* Of what has @number among @things. */
typedef uint32_t jitter_hash(const void *things, uint32_t number);

/* By pid, which come in rows. */
static inline uint32_t jitter_hash_pid(uint32_t pid)
{
	return pid * UINT32_C(0x9e3779b1);
}

static inline size_t jitter_slots_first(const struct jitter_slots *slots, uint32_t hash)
{
	return hash & (slots->capacity - 1);
}

static inline size_t jitter_slots_next(const struct jitter_slots *slots, size_t at)
{
	return (at + 1) & (slots->capacity - 1);
}

/* Twice as large, with the first @count of @things, no two of which are the same. */
int jitter_slots_grow(struct jitter_slots *slots, size_t count, jitter_hash *hash,
		      const void *things);
void jitter_slots_free(struct jitter_slots *slots);

/* Before one more than @count is looked for, to put it in.  Returns 0 or -ENOMEM. */
static inline int jitter_slots_capacity(struct jitter_slots *slots, size_t count,
					jitter_hash *hash, const void *things)
{
	return 2 * count < slots->capacity ? 0 :
	       jitter_slots_grow(slots, count, hash, things);
}

#endif /* EVTLOG_LIB_BASE_HASH_INDEX_H */
