// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A run's file reports by gaps the data that it lacks because a file, the directory or space was
 * missing; logging continues as soon as possible.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "made_runs.h"
#include "sample.h"

static struct sample_file seen;

static unsigned int gaps(int error, uint32_t cpu, struct evtlog_gap *last)
{
	unsigned int found = 0;

	for (size_t i = 0; i < seen.count; i++) {
		const struct sample_block *block = &seen.blocks[i];

		if (block->kind != EVTLOG_BLOCK_GAP || block->gap.error != error ||
		    block->gap.cpu != cpu)
			continue;
		found++;
		*last = block->gap;
	}
	return found;
}

static void a_removed_file_is_told_of(void **state)
{
	struct runs *runs = made_runs();
	struct evtlog_gap gap;

	for (int i = 0; i < 3; i++) {
		assert_int_equal(runs_put(runs, made_buffer(6, 0, i)), 0);
		assert_int_equal(runs_put(runs, made_buffer(6, 1, i)), 0);
	}
	assert_int_equal(unlink(made_path(6)), 0);
	assert_int_equal(runs_put(runs, made_buffer(6, 0, 3)), 0);
	sample_read(made_path(6), &seen);
	assert_true(seen.sound);
	assert_int_equal(sample_count(&seen, 0, 3), 1);
	for (int cpu = 0; cpu < 2; cpu++) {
		assert_int_equal(gaps(ENOENT, cpu, &gap), 1);
		assert_int_equal(gap.sequence, 0);
		assert_int_equal(gap.buffers, 3);
		assert_int_equal(gap.bytes, 3 * 4096 + 8 * (0 + 1 + 2));
	}
	/* The second time, the newest file has a gap for all missing buffers. */
	assert_int_equal(unlink(made_path(6)), 0);
	assert_int_equal(runs_put(runs, made_buffer(6, 0, 4)), 0);
	runs_free(runs);
	sample_read(made_path(6), &seen);
	assert_int_equal(gaps(ENOENT, 0, &gap), 1);
	assert_int_equal(gap.buffers, 4);
}

static void a_removed_directory_is_made_again(void **state)
{
	struct runs *runs = made_runs();
	struct evtlog_gap gap;

	snprintf(made_settings.directory, sizeof(made_settings.directory), "%s/sub/dir", made_directory);
	assert_int_equal(runs_put(runs, made_buffer(7, 0, 0)), 0);
	assert_int_equal(unlink(made_path(7)), 0);
	assert_int_equal(rmdir(made_settings.directory), 0);
	assert_int_equal(runs_put(runs, made_buffer(7, 0, 1)), 0);
	sample_read(made_path(7), &seen);
	assert_int_equal(sample_count(&seen, 0, 1), 1);
	assert_int_equal(gaps(ENOENT, 0, &gap), 1);
	runs_free(runs);
}

static void a_directory_that_cannot_be_made_stalls(void **state)
{
	struct runs *runs = made_runs();
	char in_the_way[PATH_MAX];
	struct evtlog_gap gap;

	snprintf(in_the_way, sizeof(in_the_way), "%s/file", made_directory);
	snprintf(made_settings.directory, sizeof(made_settings.directory), "%s/file/dir", made_directory);
	close(open(in_the_way, O_CREAT | O_WRONLY, 0600));
	for (int i = 0; i < 3; i++) {
		assert_int_equal(runs_put(runs, made_buffer(8, 0, 0)), -ENOTDIR);
		assert_true(runs_is_stalled(runs));
	}
	assert_int_equal(unlink(in_the_way), 0);
	assert_int_equal(runs_put(runs, made_buffer(8, 0, 0)), 0);
	assert_false(runs_is_stalled(runs));
	runs_free(runs);
	sample_read(made_path(8), &seen);
	assert_true(seen.sound);
	assert_int_equal(gaps(ENOTDIR, 0, &gap), 1);
	assert_int_equal(gap.buffers, 0);
	assert_true(gap.begin_real_ns && gap.begin_real_ns <= gap.end_real_ns);
	assert_int_equal(sample_count(&seen, 0, 0), 1);
}

static void no_room_stalls_and_goes_on(void **state)
{
	struct rlimit unlimited, limit;
	struct runs *runs = made_runs();
	struct evtlog_gap gap;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
	assert_int_equal(runs_put(runs, made_buffer(9, 0, 0)), 0);
	limit = (struct rlimit){ 6000, unlimited.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(runs_put(runs, made_buffer(9, 0, 1)), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
	for (int i = 1; i < 4; i++)
		assert_int_equal(runs_put(runs, made_buffer(9, 0, i)), 0);
	assert_int_equal(runs_close(runs), 0);
	runs_free(runs);
	sample_read(made_path(9), &seen);
	assert_true(seen.sound && seen.closed);
	assert_int_equal(gaps(EFBIG, 0, &gap), 1);
	for (int i = 0; i < 4; i++)
		assert_int_equal(sample_count(&seen, 0, i), 1);
}

static void room_for_others_is_left(void **state)
{
	struct runs *runs = made_runs();

	made_settings.min_free_mb = 1u << 30;
	assert_int_equal(runs_put(runs, made_buffer(10, 0, 0)), -ENOSPC);
	made_settings.min_free_mb = 0;
	assert_int_equal(runs_put(runs, made_buffer(10, 0, 0)), 0);
	runs_free(runs);
}

static void reopening_goes_on_or_rotates(void **state)
{
	struct runs *runs = made_runs();
	struct evtlog_gap gap;
	char moved[PATH_MAX];

	assert_int_equal(runs_put(runs, made_buffer(11, 0, 0)), 0);
	runs_reopen(runs);
	assert_int_equal(runs_put(runs, made_buffer(11, 0, 1)), 0);
	sample_read(made_path(11), &seen);
	assert_int_equal(seen.count, 2);
	snprintf(moved, sizeof(moved), "%s/moved", made_directory);
	assert_int_equal(rename(made_path(11), moved), 0);
	/* Until runs_reopen(), data goes to the moved file. */
	assert_int_equal(runs_put(runs, made_buffer(11, 0, 2)), 0);
	runs_reopen(runs);
	sample_read(moved, &seen);
	assert_true(seen.sound && seen.closed);
	assert_int_equal(seen.count, 3);
	assert_int_equal(runs_put(runs, made_buffer(11, 0, 3)), 0);
	sample_read(made_path(11), &seen);
	assert_int_equal(seen.count, 1);
	assert_int_equal(gaps(ENOENT, 0, &gap), 0);
	/* Removing the new file does not count the moved data as missing. */
	assert_int_equal(unlink(made_path(11)), 0);
	assert_int_equal(runs_put(runs, made_buffer(11, 0, 4)), 0);
	sample_read(made_path(11), &seen);
	assert_int_equal(gaps(ENOENT, 0, &gap), 1);
	assert_int_equal(gap.sequence, 3);
	assert_int_equal(gap.buffers, 1);
	runs_free(runs);
}

static void an_unreadable_buffer_is_told_of(void **state)
{
	struct runs *runs = made_runs();
	struct evtlog_gap gap;

	assert_int_equal(runs_put(runs, made_buffer(12, 0, 0)), 0);
	runs_put_unreadable(runs, 0, 4096);
	assert_int_equal(runs_put(runs, made_buffer(12, 0, 2)), 0);
	runs_free(runs);
	sample_read(made_path(12), &seen);
	assert_true(seen.sound);
	assert_int_equal(gaps(EBADMSG, 0, &gap), 1);
	assert_int_equal(gap.sequence, 1);
	assert_int_equal(gap.buffers, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_removed_file_is_told_of, made_setup_one),
		cmocka_unit_test_setup(a_removed_directory_is_made_again, made_setup_one),
		cmocka_unit_test_setup(a_directory_that_cannot_be_made_stalls, made_setup_one),
		cmocka_unit_test_setup(no_room_stalls_and_goes_on, made_setup_one),
		cmocka_unit_test_setup(room_for_others_is_left, made_setup_one),
		cmocka_unit_test_setup(reopening_goes_on_or_rotates, made_setup_one),
		cmocka_unit_test_setup(an_unreadable_buffer_is_told_of, made_setup_one),
	};

	sample_seed();
	return cmocka_run_group_tests(tests, made_setup, made_teardown);
}
