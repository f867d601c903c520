// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The order of rows: by the time that they took.
 */
#include "internal.h"

static int compare_ranks(const void *a, const void *b)
{
	const struct jitter_rank *x = a, *y = b;

	if (x->total_ticks != y->total_ticks)
		return x->total_ticks < y->total_ticks ? 1 : -1;
	return x->number < y->number ? -1 : 1;
}

void jitter_ranks_sort(struct jitter_rank *ranks, size_t count)
{
	qsort(ranks, count, sizeof(*ranks), compare_ranks);
}
