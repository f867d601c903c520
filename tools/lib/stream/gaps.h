/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gaps that are the next events of their CPUs, the one that begins first at hand.
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
 * @heap:	the gap that begins first is the first
 * @places:	by slot: 1 + its gap's index in @heap; 0: it has none
 */
struct gaps {
	struct gap *heap;
	unsigned int *places;
	unsigned int count;
};

/**
 * gaps_init() - none yet
 * @gaps: all zero
 * @slots: number of CPUs
 *
 * Return: 0 or -ENOMEM; gaps_free() in both cases.
 */
int gaps_init(struct gaps *gaps, unsigned int slots);
void gaps_free(struct gaps *gaps);

/* Sets a CPU's gap. It must have none; @event must live until gaps_remove(). */
void gaps_add(struct gaps *gaps, unsigned int slot, uint64_t from_ns,
	      const struct evtlog_event *event);

/* Removes a CPU's gap, if it has one. */
void gaps_remove(struct gaps *gaps, unsigned int slot);

/* When the first begins; UINT64_MAX: there is none. */
static inline uint64_t gaps_first_ns(const struct gaps *gaps)
{
	return gaps->count ? gaps->heap[0].from_ns : UINT64_MAX;
}

#endif /* EVTLOG_LIB_STREAM_GAPS_H */
