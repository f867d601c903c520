// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A binary heap with an index by CPU, so that a gap is removed in log(n) steps.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gaps.h"

int gaps_init(struct gaps *gaps, unsigned int slots)
{
	gaps->heap = calloc((size_t)slots + 1, sizeof(*gaps->heap));
	gaps->places = calloc((size_t)slots + 1, sizeof(*gaps->places));
	return gaps->heap && gaps->places ? 0 : -ENOMEM;
}

void gaps_free(struct gaps *gaps)
{
	free(gaps->heap);
	free(gaps->places);
	memset(gaps, 0, sizeof(*gaps));
}

static bool earlier(const struct gap *a, const struct gap *b)
{
	return a->from_ns != b->from_ns ? a->from_ns < b->from_ns : a->slot < b->slot;
}

static void put(struct gaps *gaps, unsigned int at, struct gap gap)
{
	gaps->heap[at] = gap;
	gaps->places[gap.slot] = at + 1;
}

/* Moves @gap, which is to be at @at, towards the first element. */
static void sift_up(struct gaps *gaps, unsigned int at, struct gap gap)
{
	while (at && earlier(&gap, &gaps->heap[(at - 1) / 2])) {
		put(gaps, at, gaps->heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	put(gaps, at, gap);
}

static void sift_down(struct gaps *gaps, unsigned int at, struct gap gap)
{
	for (;;) {
		unsigned int child = 2 * at + 1;

		if (child >= gaps->count)
			break;
		if (child + 1 < gaps->count && earlier(&gaps->heap[child + 1], &gaps->heap[child]))
			child++;
		if (!earlier(&gaps->heap[child], &gap))
			break;
		put(gaps, at, gaps->heap[child]);
		at = child;
	}
	put(gaps, at, gap);
}

void gaps_add(struct gaps *gaps, unsigned int slot, uint64_t from_ns,
	      const struct evtlog_event *event)
{
	struct gap gap = { .from_ns = from_ns, .slot = slot, .event = event };

	sift_up(gaps, gaps->count++, gap);
}

void gaps_remove(struct gaps *gaps, unsigned int slot)
{
	unsigned int at = gaps->places[slot];
	struct gap last;

	if (!at--)
		return;
	gaps->places[slot] = 0;
	last = gaps->heap[--gaps->count];
	if (at == gaps->count)
		return;
	if (at && earlier(&last, &gaps->heap[(at - 1) / 2]))
		sift_up(gaps, at, last);
	else
		sift_down(gaps, at, last);
}
