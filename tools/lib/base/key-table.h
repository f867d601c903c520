/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Maps keys to numbers: a hash table with open addressing.
 *
 * The owner keeps its objects in an array; the numbers are indices of this array.  A key is a pid,
 * for example, or a hash of the data that are compared.  The table contains neither the objects
 * nor these data.  For the library, logd and the commands.
 *
 *	slots	| key number round |  empty  | key number round | ...
 *	          home of its key             moved on from its home
 *
 * At most half of the slots are used; single slots are never freed.  A slot is empty if its round
 * differs from the table's, so clearing the table only increments the round.
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
 * struct key_table - a table; empty if all zero
 * @capacity: number of @slots, a power of two; 0: none yet
 * @count: number of slots in use
 * @round: round of the slots in use; not 0 if there are slots
 */
struct key_table {
	struct key_slot *slots;
	size_t capacity;
	size_t count;
	uint32_t round;
};

/* Returns true if the object @number among @things is @wanted; their keys are equal. */
typedef bool key_table_same(const void *things, uint32_t number, const void *wanted);

/** key_table_hash() - makes a key of @length bytes: FNV-1a */
static inline uint64_t key_table_hash(const void *bytes, size_t length)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* Pids are often consecutive: the multiplier is 2^32 divided by the golden ratio. */
static inline size_t key_table_home(const struct key_table *table, uint64_t key)
{
	uint32_t hash = (uint32_t)(key ^ key >> 32) * UINT32_C(0x9e3779b1);

	return hash & (table->capacity - 1);
}

/**
 * key_table_find_same() - finds a number by its key
 * @same: selects among several numbers with the same key; NULL: takes the first
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
 * key_table_find() - finds a number by its key, which must be unique
 *
 * Return: the number; KEY_NONE.
 */
static inline uint32_t key_table_find(const struct key_table *table, uint64_t key)
{
	return key_table_find_same(table, key, NULL, NULL, NULL);
}

/**
 * key_table_add() - adds a number; several may have the same key
 * @number: not KEY_NONE
 *
 * Return: 0; -ENOMEM: nothing has changed.
 */
int key_table_add(struct key_table *table, uint64_t key, uint32_t number);

/**
 * key_table_at() - returns the number in one slot, to iterate over all numbers
 * @at: from 0 to the table's capacity - 1
 *
 * Return: the number; KEY_NONE if the slot is empty.
 */
static inline uint32_t key_table_at(const struct key_table *table, size_t at)
{
	return table->slots[at].round == table->round ? table->slots[at].number : KEY_NONE;
}

/** key_table_clear() - empties the table and keeps its slots */
void key_table_clear(struct key_table *table);

/** key_table_free() - empties the table and frees its slots; it can be used again */
void key_table_free(struct key_table *table);

#endif /* EVTLOG_LIB_BASE_KEY_TABLE_H */
