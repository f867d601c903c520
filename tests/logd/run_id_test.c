// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests a run's id: which names of files belong to it, and which names a run may have.
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "logfile/run-id.h"

static void knows_its_names(void **state)
{
	static const char *const bad[] = { "", "1a", "-a", ".a", "a/b", "a b", "a\n", "\xc3\xa4",
					   "a2345678901234567890123456789012" };
	struct run_id run = { .number = 12 };
	char name[NAME_MAX + 1];

	assert_true(run_id_owns_name(&run, "host", "host-12.evl"));
	assert_true(run_id_owns_name(&run, "host", "host-12.3.evl"));
	assert_false(run_id_owns_name(&run, "host", "host-1.evl"));
	assert_false(run_id_owns_name(&run, "host", "host-123.evl"));
	assert_false(run_id_owns_name(&run, "host", "host-12.evl.new"));
	assert_false(run_id_owns_name(&run, "host", "host-.evl"));
	assert_false(run_id_owns_name(&run, "host", "host-12..evl"));
	assert_false(run_id_owns_name(&run, "host", "hosts-12.evl"));
	assert_false(run_id_owns_name(&run, "host", ".host-12.evl.new"));
	strcpy(run.name, "job-1.a");
	assert_int_equal(run_id_file_name(&run, "host", 1, name), 0);
	assert_string_equal(name, "host-job-1.a.evl");
	assert_int_equal(run_id_file_name(&run, "host", 2, name), 0);
	assert_string_equal(name, "host-job-1.a.2.evl");
	assert_true(run_id_owns_name(&run, "host", name));
	assert_false(run_id_owns_name(&run, "host", "host-12.evl"));
	assert_true(run_id_name_is_good("a234567890123456789012345678901"));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(run_id_name_is_good(bad[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_its_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
