/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gaps that are the next events of their CPUs, ordered by their begin.
 */
#ifndef EVTLOG_LIB_STREAM_GAPS_H
#define EVTLOG_LIB_STREAM_GAPS_H

#include <evtlog/evtlog.h>

struct gap {
	uint64_t from_ns;
	unsigned int slot;
	const struct evtlog_event *event;
};

/*
 * @heap:	the first element is the gap that begins first
 * @places:	by slot: 1 + index of its gap in @heap; 0: none
 */
struct gaps {
	struct gap *heap;
	unsigned int *places;
	unsigned int count;
};

/**
 * gaps_init() - prepares an empty set
 * @gaps: all zero
 * @slots: number of CPUs
 *
 * Return: 0 or -ENOMEM; call gaps_free() in both cases.
 */
int gaps_init(struct gaps *gaps, unsigned int slots);
void gaps_free(struct gaps *gaps);

/* Adds a CPU's gap; the CPU must have none.  @event must live until gaps_remove(). */
void gaps_add(struct gaps *gaps, unsigned int slot, uint64_t from_ns,
	      const struct evtlog_event *event);

/* Removes a CPU's gap, if it has one. */
void gaps_remove(struct gaps *gaps, unsigned int slot);

/* Returns the begin of the first gap; UINT64_MAX if there is none. */
static inline uint64_t gaps_first_ns(const struct gaps *gaps)
{
	return gaps->count ? gaps->heap[0].from_ns : UINT64_MAX;
}

#endif /* EVTLOG_LIB_STREAM_GAPS_H */
