// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Sums by pid, in a table that is cleared often.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lib/base/array.h"

#define PIDS_FIRST	64

int index_pids_init(struct index_pids *pids)
{
	memset(pids, 0, sizeof(*pids));
	return array_reserve_more(&pids->at, &pids->capacity, 0, PIDS_FIRST, sizeof(*pids->at));
}

void index_pids_free(struct index_pids *pids)
{
	free(pids->at);
	key_table_free(&pids->table);
	memset(pids, 0, sizeof(*pids));
}

void index_pids_clear(struct index_pids *pids)
{
	pids->count = 0;
	key_table_clear(&pids->table);
}

struct index_pid *index_pids_get(struct index_pids *pids, uint32_t pid)
{
	uint32_t number = key_table_find(&pids->table, pid);

	if (number != KEY_NONE)
		return &pids->at[number];
	if (array_reserve(&pids->at, &pids->capacity, pids->count, sizeof(*pids->at)) ||
	    key_table_add(&pids->table, pid, pids->count))
		return NULL;
	pids->at[pids->count] = (struct index_pid) { .pid = pid, .first_ns = UINT64_MAX };
	return &pids->at[pids->count++];
}

static int compare_pids(const void *x, const void *y)
{
	const struct index_pid *a = x, *b = y;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

void index_pids_sort(struct index_pids *pids)
{
	qsort(pids->at, pids->count, sizeof(*pids->at), compare_pids);
}

int index_pids_merge(struct index_pids *to, const struct index_pids *from)
{
	for (uint32_t i = 0; i < from->count; i++) {
		const struct index_pid *a = &from->at[i];
		struct index_pid *b = index_pids_get(to, a->pid);

		if (!b)
			return -ENOMEM;
		b->ns += a->ns;
		b->switches += a->switches;
		b->kinds |= a->kinds;
		if (a->first_ns < b->first_ns)
			b->first_ns = a->first_ns;
		if (a->last_ns > b->last_ns)
			b->last_ns = a->last_ns;
	}
	return 0;
}
