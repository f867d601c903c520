// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Growing arrays keep their contents, and refuse sizes beyond the memory or size_t.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "lib/base/array.h"
#include "tests/support/seed.h"

static uint64_t state;

static void keeps_what_is_there(void **context)
{
	size_t capacity = 0, count = 0, before;
	uint64_t *at = NULL;
	unsigned int grown = 0;

	while (count < 100000) {
		size_t more = xorshift(&state) % 3 ? 1 : xorshift(&state) % 5000;

		before = capacity;
		assert_int_equal(more == 1 ? array_reserve(&at, &capacity, count, sizeof(*at)) :
				 array_reserve_more(&at, &capacity, count, more, sizeof(*at)), 0);
		assert_true(capacity >= count + more);
		assert_true(capacity == before || capacity >= 2 * before);
		grown += capacity > before;
		for (; more; more--, count++)
			at[count] = count * count;
	}
	for (size_t i = 0; i < count; i++)
		assert_int_equal(at[i], i * i);
	assert_true(grown < 20);
	free(at);
}

/* The call returns -ENOMEM and changes nothing. */
static void refuse(size_t capacity, size_t count, size_t more, size_t size)
{
	char *at = malloc(1), *was = at;
	size_t now = capacity;

	*at = 'x';
	assert_int_equal(array_reserve_more(&at, &now, count, more, size), -ENOMEM);
	assert_ptr_equal(at, was);
	assert_int_equal(*at, 'x');
	assert_int_equal(now, capacity);
	free(at);
}

static void refuses_sizes_that_overflow(void **context)
{
	/* Overflow of the sum, of its double, of the bytes */
	refuse(0, 0, SIZE_MAX, 2);
	refuse(10, 10, SIZE_MAX - 5, 1);
	refuse(SIZE_MAX / 2 + 2, SIZE_MAX / 2 + 2, 1, 1);
	refuse(SIZE_MAX, SIZE_MAX, 1, 1);
	refuse(SIZE_MAX / 16 + 1, SIZE_MAX / 16 + 1, 1, 16);
	refuse(0, 0, SIZE_MAX / 8 + 1, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_what_is_there),
		cmocka_unit_test(refuses_sizes_that_overflow),
	};

	state = seed_state();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
