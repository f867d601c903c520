// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The worst waits, of any number of waits, in the memory of those that are wanted.
 */
#include <errno.h>

#include "finder.h"
#include "lib/base/array.h"

const char *const why_sort_names[] = {
	[WHY_SORT_WAIT] = "wait",
	[WHY_SORT_READY] = "ready",
	NULL
};

int64_t worst_key(enum why_sort sort, const struct why_wait *wait)
{
	return sort == WHY_SORT_READY ? wait->ready : wait->blocked + wait->ready;
}

bool worst_is_less(enum why_sort sort, const struct why_wait *a, const struct why_wait *b)
{
	int64_t x = worst_key(sort, a), y = worst_key(sort, b);

	if (x != y)
		return x < y;
	if (a->since != b->since)
		return a->since > b->since;
	return a->utid > b->utid;
}

static void sink(struct worst *worst, enum why_sort sort)
{
	size_t at = 0, least;

	for (;; at = least) {
		struct why_wait moved = worst->at[at];

		least = at;
		for (size_t i = 2 * at + 1; i <= 2 * at + 2 && i < worst->count; i++)
			if (worst_is_less(sort, &worst->at[i], &worst->at[least]))
				least = i;
		if (least == at)
			return;
		worst->at[at] = worst->at[least];
		worst->at[least] = moved;
	}
}

int worst_add(struct worst *worst, const struct why_search *search, const struct why_wait *wait)
{
	size_t at = worst->count;

	if (at == search->limit) {
		if (!worst_is_less(search->sort, &worst->at[0], wait))
			return 0;
		worst->at[0] = *wait;
		sink(worst, search->sort);
		return 0;
	}
	if (array_reserve(&worst->at, &worst->capacity, at, sizeof(*worst->at)))
		return -ENOMEM;
	worst->count++;
	for (; at && worst_is_less(search->sort, wait, &worst->at[(at - 1) / 2]); at = (at - 1) / 2)
		worst->at[at] = worst->at[(at - 1) / 2];
	worst->at[at] = *wait;
	return 0;
}

int worst_join(struct worst *to, const struct why_search *search, struct worst *from)
{
	int error = 0;

	for (size_t i = 0; i < from->count && !error; i++)
		error = worst_add(to, search, &from->at[i]);
	from->count = 0;
	return error;
}

void worst_sort(struct worst *worst, enum why_sort sort)
{
	size_t all = worst->count;

	while (worst->count > 1) {
		struct why_wait least = worst->at[0];

		worst->at[0] = worst->at[--worst->count];
		sink(worst, sort);
		worst->at[worst->count] = least;
	}
	worst->count = all;
}
