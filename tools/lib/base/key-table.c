// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Adds numbers to a table of keys.  Lookup is in the header.
 *
 * For the library, logd and the commands.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "key-table.h"

#define SLOTS_FIRST	256

static void place(struct key_table *table, uint64_t key, uint32_t number)
{
	size_t at = key_table_home(table, key);

	while (table->slots[at].round == table->round)
		at = (at + 1) & (table->capacity - 1);
	table->slots[at] = (struct key_slot) { key, number, table->round };
	table->count++;
}

static int grow(struct key_table *table)
{
	struct key_table grown = {
		.capacity = table->capacity ? 2 * table->capacity : SLOTS_FIRST,
		.round = 1,
	};

	grown.slots = calloc(grown.capacity, sizeof(*grown.slots));
	if (!grown.slots)
		return -ENOMEM;
	for (size_t at = 0; at < table->capacity; at++)
		if (table->slots[at].round == table->round)
			place(&grown, table->slots[at].key, table->slots[at].number);
	free(table->slots);
	*table = grown;
	return 0;
}

int key_table_add(struct key_table *table, uint64_t key, uint32_t number)
{
	if (2 * table->count >= table->capacity && grow(table))
		return -ENOMEM;
	place(table, key, number);
	return 0;
}

void key_table_clear(struct key_table *table)
{
	table->count = 0;
		/* Slots that were never used have round 0. */
	if (!table->slots || ++table->round)
		return;
	memset(table->slots, 0, table->capacity * sizeof(*table->slots));
	table->round = 1;
}

void key_table_free(struct key_table *table)
{
	free(table->slots);
	memset(table, 0, sizeof(*table));
}
