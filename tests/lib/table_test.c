// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A table of keys equals a naive list of pairs: after adding, growing and clearing many times, with
 * equal keys and keys that share a home.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lib/base/key-table.h"
#include "tests/support/seed.h"

#define PAIRS	4000

static uint64_t state;

/* In the order of adding */
struct naive {
	uint64_t keys[PAIRS];
	uint32_t count;
};

static uint32_t naive_find(const struct naive *naive, uint64_t key)
{
	for (uint32_t i = 0; i < naive->count; i++)
		if (naive->keys[i] == key)
			return i;
	return KEY_NONE;
}

/* Sequential pids, 64-bit hashes, and keys that differ only in the upper half */
static uint64_t random_key(void)
{
	switch (xorshift(&state) % 4) {
	case 0:
		return xorshift(&state) % (2 * PAIRS);
	case 1:
		return xorshift(&state);
	case 2:
		return (xorshift(&state) % PAIRS) << 32;
	default:
		/* The same home in any table of this test */
		return (xorshift(&state) % 64) << 20;
	}
}

static void check_all(const struct key_table *table, const struct naive *naive)
{
	uint32_t seen = 0;

	assert_int_equal(table->count, naive->count);
	for (uint32_t i = 0; i < naive->count; i++)
		assert_int_equal(key_table_find(table, naive->keys[i]), i);
	for (unsigned int i = 0; i < 1000; i++) {
		uint64_t key = random_key();

		assert_int_equal(key_table_find(table, key), naive_find(naive, key));
	}
	for (size_t at = 0; at < table->capacity; at++)
		seen += key_table_at(table, at) != KEY_NONE;
	assert_int_equal(seen, naive->count);
	assert_true(2 * table->count <= table->capacity);
}

static void finds_what_a_list_does(void **context)
{
	struct naive *naive = calloc(1, sizeof(*naive));
	struct key_table table = { 0 };

	assert_int_equal(key_table_find(&table, 0), KEY_NONE);
	for (unsigned int round = 0; round < 30; round++) {
		uint32_t wanted = xorshift(&state) % PAIRS;

		naive->count = 0;
		key_table_clear(&table);
		assert_int_equal(key_table_find(&table, naive->keys[0]), KEY_NONE);
		while (naive->count < wanted) {
			uint64_t key = random_key();

			if (naive_find(naive, key) != KEY_NONE)
				continue;
			assert_int_equal(key_table_add(&table, key, naive->count), 0);
			naive->keys[naive->count++] = key;
		}
		check_all(&table, naive);
	}
	key_table_free(&table);
	assert_int_equal(table.capacity, 0);
	assert_int_equal(key_table_add(&table, 7, 9), 0);
	assert_int_equal(key_table_find(&table, 7), 9);
	key_table_free(&table);
	free(naive);
}

/* The table's number of rounds overflows. */
static void is_empty_after_any_number_of_rounds(void **context)
{
	struct key_table table = { 0 };

	assert_int_equal(key_table_add(&table, 1, 1), 0);
	table.round = UINT32_MAX;
	assert_int_equal(key_table_find(&table, 1), KEY_NONE);
	assert_int_equal(key_table_add(&table, 2, 2), 0);
	assert_int_equal(key_table_find(&table, 2), 2);
	key_table_clear(&table);
	assert_int_equal(key_table_find(&table, 1), KEY_NONE);
	assert_int_equal(key_table_find(&table, 2), KEY_NONE);
	for (size_t at = 0; at < table.capacity; at++)
		assert_int_equal(key_table_at(&table, at), KEY_NONE);
	key_table_free(&table);
}

static bool is_wanted(const void *things, uint32_t number, const void *wanted)
{
	return ((const uint32_t *)things)[number] == *(const uint32_t *)wanted;
}

static void tells_things_with_equal_keys_apart(void **context)
{
	uint32_t things[PAIRS], other = PAIRS;
	struct key_table table = { 0 };

	for (uint32_t i = 0; i < PAIRS; i++) {
		things[i] = i;
		assert_int_equal(key_table_add(&table, i % 37, i), 0);
	}
	for (uint32_t i = 0; i < PAIRS; i++) {
		assert_int_equal(key_table_find_same(&table, i % 37, is_wanted, things, &i), i);
		assert_int_equal(key_table_find_same(&table, (i + 1) % 37, is_wanted, things, &i),
				 KEY_NONE);
	}
	assert_int_equal(key_table_find_same(&table, 5, is_wanted, things, &other), KEY_NONE);
	key_table_free(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_a_list_does),
		cmocka_unit_test(is_empty_after_any_number_of_rounds),
		cmocka_unit_test(tells_things_with_equal_keys_apart),
	};

	state = seed_state();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
