/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds numbers by keys: a hash table with open addressing.
 *
 * Owners have their things in an array and number them by it; the key is a pid, or a hash
 * of what is compared.  The library, logd and the commands use it.  It holds neither the
 * things nor what they are compared by.
 *
 *	slots	| key number round |  empty  | key number round | ...
 *	          home of its key             moved on from its home
 *
 * At most half of the slots are used, none is ever freed alone.  A slot of another round
 * than the table's is empty: so that clearing costs nothing.
 */
#ifndef EVTLOG_LIB_BASE_KEY_TABLE_H
#define EVTLOG_LIB_BASE_KEY_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No number */
#define KEY_NONE	UINT32_MAX

struct key_slot {
	uint64_t key;
	uint32_t number;
	uint32_t round;
};

/**
 * struct key_table - all zero: an empty one
 * @capacity: of @slots, a power of two; 0: there are none yet
 * @count: of slots in use
 * @round: of these; never 0 when there are slots
 */
struct key_table {
	struct key_slot *slots;
	size_t capacity;
	size_t count;
	uint32_t round;
};

/* Whether what has @number among @things is @wanted; their keys are equal. */
typedef bool key_table_same(const void *things, uint32_t number, const void *wanted);

/* Pids come in rows: the multiplier is 2^32 by the golden ratio. */
static inline size_t key_table_home(const struct key_table *table, uint64_t key)
{
	uint32_t hash = (uint32_t)(key ^ key >> 32) * UINT32_C(0x9e3779b1);

	return hash & (table->capacity - 1);
}

/**
 * key_table_find_same() - finds a number by its key, of those that share it the one for
 * which @same is true
 *
 * Return: the number; KEY_NONE.
 */
static inline uint32_t key_table_find_same(const struct key_table *table, uint64_t key,
					   key_table_same *same, const void *things,
					   const void *wanted)
{
	if (!table->capacity)
		return KEY_NONE;
	for (size_t at = key_table_home(table, key);; at = (at + 1) & (table->capacity - 1)) {
		const struct key_slot *slot = &table->slots[at];

		if (slot->round != table->round)
			return KEY_NONE;
		if (slot->key == key && (!same || same(things, slot->number, wanted)))
			return slot->number;
	}
}

/**
 * key_table_find() - finds a number by its key, which no other has
 *
 * Return: the number; KEY_NONE.
 */
static inline uint32_t key_table_find(const struct key_table *table, uint64_t key)
{
	return key_table_find_same(table, key, NULL, NULL, NULL);
}

/**
 * key_table_add() - adds a number; others may have the same key
 * @number: not KEY_NONE
 *
 * Return: 0; -ENOMEM: all is as it was.
 */
int key_table_add(struct key_table *table, uint64_t key, uint32_t number);

/**
 * key_table_at() - goes through all numbers, in the order of the table
 * @at: from 0 to below the table's capacity
 *
 * Return: the number in this slot; KEY_NONE: it is empty.
 */
static inline uint32_t key_table_at(const struct key_table *table, size_t at)
{
	return table->slots[at].round == table->round ? table->slots[at].number : KEY_NONE;
}

/** key_table_clear() - makes it empty and keeps its slots for what comes */
void key_table_clear(struct key_table *table);

/** key_table_free() - makes it empty, without slots; it may be used again */
void key_table_free(struct key_table *table);

#endif /* EVTLOG_LIB_BASE_KEY_TABLE_H */
