// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Sums by pid, in a table that is cleared often.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define PIDS_FIRST	64

/* A slot of another round is empty: so clearing costs nothing. */
static uint32_t slot_of(const struct index_pids *pids, uint32_t pid)
{
	uint32_t slot = pid * UINT32_C(0x9e3779b1) >> 7 & pids->mask;

	while (pids->slots[slot].round == pids->round &&
	       pids->at[pids->slots[slot].entry].pid != pid)
		slot = (slot + 1) & pids->mask;
	return slot;
}

int index_pids_init(struct index_pids *pids)
{
	pids->count = 0;
	pids->round = 1;
	pids->mask = 2 * PIDS_FIRST - 1;
	pids->at = calloc(PIDS_FIRST, sizeof(*pids->at));
	pids->slots = calloc(2 * PIDS_FIRST, sizeof(*pids->slots));
	return pids->at && pids->slots ? 0 : -ENOMEM;
}

void index_pids_free(struct index_pids *pids)
{
	free(pids->at);
	free(pids->slots);
	memset(pids, 0, sizeof(*pids));
}

void index_pids_clear(struct index_pids *pids)
{
	pids->count = 0;
	if (++pids->round)
		return;
	memset(pids->slots, 0, (pids->mask + 1) * sizeof(*pids->slots));
	pids->round = 1;
}

static int grow(struct index_pids *pids)
{
	uint32_t capacity = pids->mask + 1;
	struct index_pid *at = reallocarray(pids->at, capacity, sizeof(*at));
	struct index_slot *slots;

	if (!at)
		return -ENOMEM;
	pids->at = at;
	slots = calloc(2 * (size_t)capacity, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	free(pids->slots);
	pids->slots = slots;
	pids->mask = 2 * capacity - 1;
	pids->round = 1;
	for (uint32_t i = 0; i < pids->count; i++)
		slots[slot_of(pids, at[i].pid)] = (struct index_slot) { 1, i };
	return 0;
}

struct index_pid *index_pids_get(struct index_pids *pids, uint32_t pid)
{
	uint32_t slot = slot_of(pids, pid);
	struct index_pid *entry;

	if (pids->slots[slot].round == pids->round)
		return &pids->at[pids->slots[slot].entry];
	if (2 * (pids->count + 1) > pids->mask + 1) {
		if (grow(pids))
			return NULL;
		slot = slot_of(pids, pid);
	}
	pids->slots[slot] = (struct index_slot) { pids->round, pids->count };
	entry = &pids->at[pids->count++];
	*entry = (struct index_pid) { .pid = pid, .first_ns = UINT64_MAX };
	return entry;
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
