/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stretches of time, and what they have in common.
 *
 * Stage: where an index's time is cut into bins.  It knows nothing of indexes.
 */
#ifndef EVTLOG_LIB_INDEX_INTERVAL_H
#define EVTLOG_LIB_INDEX_INTERVAL_H

#include <stdint.h>

typedef unsigned __int128 u128;

static inline uint64_t less(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t more(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* 0 if it ends before it begins. */
static inline uint64_t span(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

#endif /* EVTLOG_LIB_INDEX_INTERVAL_H */
