// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All runs together: each buffer is once in its run's file, even if the logger dies. For problems
 * with files, directory and disk, see gaps_test.c.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "made_runs.h"
#include "sample.h"

static struct sample_file seen;

static void late_buffers_go_to_the_old_file(void **state)
{
	struct runs *runs = made_runs();

	assert_int_equal(runs_put(runs, made_buffer(1, 0, 0)), 0);
	assert_int_equal(runs_put(runs, made_buffer(1, 1, 0)), 0);
	assert_int_equal(runs_put(runs, made_final(1, 0, 1, 2)), 0);
	assert_int_equal(runs_put(runs, made_buffer(2, 0, 0)), 0);
	assert_int_equal(runs_last_complete(runs), 0);
	assert_int_equal(runs_put(runs, made_final(1, 1, 1, 2)), 0);
	assert_int_equal(runs_last_complete(runs), 1);
	/* A complete run is closed at once. */
	sample_read(made_path(1), &seen);
	assert_true(seen.sound && seen.closed);
	assert_int_equal(seen.count, 4);
	sample_read(made_path(2), &seen);
	assert_true(seen.sound && !seen.closed);
	assert_int_equal(runs_close(runs), 0);
	runs_free(runs);
	sample_read(made_path(2), &seen);
	assert_true(seen.closed);
	assert_int_equal(seen.count, 1);
}

static struct run_id id_of(uint64_t number)
{
	struct run_id id;

	run_id_of_buffer(&id, made_buffer(number, 0, 0));
	return id;
}

static void a_run_that_begins_has_a_file_until_it_ends_empty(void **state)
{
	const struct run_id first = id_of(7), second = id_of(8);
	struct runs *runs = made_runs();
	struct stat before, after;

	runs_begin(runs, &first);
	runs_begin(runs, &first);
	sample_read(made_path(7), &seen);
	assert_true(seen.sound && !seen.closed);
	assert_int_equal(seen.count, 0);
	assert_false(runs_is_writing(runs));
	/* Removing the empty file loses no data. */
	assert_int_equal(unlink(made_path(7)), 0);
	assert_int_equal(runs_put(runs, made_buffer(7, 0, 0)), 0);
	assert_int_equal(runs_put(runs, made_final(7, 0, 1, 1)), 0);
	sample_read(made_path(7), &seen);
	assert_true(seen.sound && seen.closed);
	assert_int_equal(seen.count, 2);
	assert_int_equal(unlink(made_path(7)), 0);
	/* The run got no buffers, and another one begins. */
	runs_begin(runs, &first);
	runs_begin(runs, &second);
	assert_int_equal(access(made_path(7), F_OK), -1);
	assert_int_equal(stat(made_path(8), &before), 0);
	assert_int_equal(runs_put(runs, made_buffer(8, 0, 0)), 0);
	assert_int_equal(stat(made_path(8), &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_true(runs_is_writing(runs));
	/* A file with buffers stays. */
	runs_begin(runs, NULL);
	assert_int_equal(runs_put(runs, made_final(8, 0, 1, 1)), 0);
	sample_read(made_path(8), &seen);
	assert_true(seen.sound && seen.closed);
	assert_int_equal(seen.count, 2);
	/* A file of an earlier logger stays, too, and other files of this name are not changed. */
	runs_begin(runs, &second);
	runs_begin(runs, NULL);
	sample_read(made_path(8), &seen);
	assert_int_equal(seen.count, 2);
	assert_int_equal(runs_close(runs), 0);
	runs_free(runs);
}

static void the_same_buffer_again_is_kept_once(void **state)
{
	struct runs *runs = made_runs();

	for (int twice = 0; twice < 2; twice++)
		for (int i = 0; i < 3; i++)
			assert_int_equal(runs_put(runs, made_buffer(3, 0, i)), 0);
	runs_free(runs);
	/* The same after a restart, which finds only the file. */
	runs = made_runs();
	assert_int_equal(runs_put(runs, made_buffer(3, 0, 2)), 0);
	assert_int_equal(runs_put(runs, made_final(3, 0, 3, 1)), 0);
	runs_free(runs);
	runs = made_runs();
	assert_int_equal(runs_put(runs, made_final(3, 0, 3, 1)), 0);
	runs_free(runs);
	sample_read(made_path(3), &seen);
	assert_true(seen.sound && seen.closed);
	assert_int_equal(seen.count, 4);
	for (int i = 0; i < 3; i++)
		assert_int_equal(sample_count(&seen, 0, i), 1);
}

/* The kernel must not do this.  If it does, no buffer is dropped without a word. */
static void another_buffer_with_the_same_number_is_kept_too(void **state)
{
	struct runs *runs = made_runs();
	struct evtlog_buffer_header *other;

	for (int i = 0; i < 3; i++)
		assert_int_equal(runs_put(runs, made_buffer(41, 0, i)), 0);
	other = (struct evtlog_buffer_header *)made_buffer(41, 0, 1);
	other->end_ticks++;
	assert_int_equal(runs_put(runs, other), 0);
	assert_int_equal(runs_put(runs, other), 0);
	assert_int_equal(runs_close(runs), 0);
	runs_free(runs);
	sample_read(made_path(41), &seen);
	assert_true(seen.sound && seen.closed);
	assert_int_equal(seen.count, 4);
}

static void what_a_killed_logger_left_complete_is_closed(void **state)
{
	struct runs *runs = made_runs();
	struct sample_file *other = malloc(sizeof(*other));

	/* Killed between the last write and closing: runs_put() would close the file. */
	assert_int_equal(runs_put(runs, made_buffer(4, 0, 0)), 0);
	runs_free(runs);
	runs = made_runs();
	runs_adopt(runs, sample_boot_id);
	sample_read(made_path(4), &seen);
	assert_false(seen.closed);
	/* The kernel has no more buffers of the run: it is final. */
	runs_settle(runs, 5);
	sample_read(made_path(4), &seen);
	assert_true(seen.sound && seen.closed);
	/* If a buffer comes anyway, it is appended. */
	assert_int_equal(runs_put(runs, made_final(4, 0, 1, 1)), 0);
	runs_free(runs);
	sample_read(made_path(4), &seen);
	assert_true(seen.sound && seen.closed);
	assert_int_equal(seen.count, 2);
	free(other);
}

static uint32_t stored_bytes(struct runs *runs, const struct evtlog_buffer_header *from,
			     uint64_t sequence, uint64_t filled_ns, uint64_t waited_ns,
			     uint32_t flags)
{
	uint32_t bytes = from->used_bytes;
	struct evtlog_buffer_header *buffer = malloc(bytes);
	struct timespec now;
	struct stat before, after;

	assert_non_null(buffer);
	memcpy(buffer, from, bytes);
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	buffer->sequence = sequence;
	buffer->flags = flags;
	buffer->end.raw_ns = now.tv_sec * 1000000000ull + now.tv_nsec - waited_ns;
	buffer->begin.raw_ns = buffer->end.raw_ns - filled_ns;
	if (stat(made_path(from->run), &before))
		before.st_size = 0;
	assert_int_equal(runs_put(runs, buffer), 0);
	assert_int_equal(stat(made_path(from->run), &after), 0);
	free(buffer);
	return after.st_size - before.st_size;
}

/* Compressing must not lose events: a buffer that waited long is stored at once. */
static void a_buffer_that_waited_long_is_stored_as_it_is(void **state)
{
	const uint64_t ms = 1000000;
	const struct evtlog_buffer_header *from;
	struct runs *runs;
	uint32_t raw;

	made_settings.compress = 1;
	runs = made_runs();
	from = made_buffer(21, 0, 0);
	raw = from->used_bytes;
	stored_bytes(runs, from, 0, 10000 * ms, 0, 0);	/* includes the file's header */
	assert_true(stored_bytes(runs, from, 1, 10000 * ms, 0, 0) < raw);
	/* Stored raw after a quarter of its filling time, or 50 ms after a quiet start */
	assert_true(stored_bytes(runs, from, 2, 20 * ms, 20 * ms, 0) >= raw);
	assert_true(stored_bytes(runs, from, 3, 10000 * ms, 1000 * ms, 0) >= raw);
	/* No writer waits for a flushed buffer. */
	assert_true(stored_bytes(runs, from, 4, 20 * ms, 1000 * ms, EVTLOG_BUFFER_FLUSHED) < raw);
	runs_free(runs);
	made_settings.compress = 0;
}

static const struct evtlog_buffer_header *named(uint64_t run, const char *name,
						const struct evtlog_buffer_header *from)
{
	static unsigned char memory[SAMPLE_BYTES_MAX];
	struct evtlog_buffer_header *buffer = (void *)memory;

	assert_int_equal(from->run, run);
	memcpy(buffer, from, from->used_bytes);
	strncpy(buffer->run_name, name, sizeof(buffer->run_name));
	return buffer;
}

static bool is_there(const char *name)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/%s", made_settings.directory, name);
	return access(path, F_OK) == 0;
}

static size_t buffers_in(const char *name)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/%s", made_settings.directory, name);
	sample_read(path, &seen);
	assert_true(seen.has_header && seen.sound);
	return seen.buffers;
}

static void a_name_is_in_the_file_name_and_runs_stay_apart(void **state)
{
	struct runs *runs = made_runs();

	assert_int_equal(runs_put(runs, named(31, "job1", made_buffer(31, 0, 0))), 0);
	assert_int_equal(runs_put(runs, named(32, "job1", made_buffer(32, 0, 0))), 0);
	assert_int_equal(runs_put(runs, named(31, "job1", made_buffer(31, 0, 1))), 0);
	/* This name looks like a second part's. */
	assert_int_equal(runs_put(runs, named(33, "job1.2", made_buffer(33, 0, 0))), 0);
	/* An invalid name is not used in a path. */
	assert_int_equal(runs_put(runs, named(34, "../x", made_buffer(34, 0, 0))), 0);
	assert_int_equal(runs_put(runs, named(35, "left", made_buffer(35, 0, 0))), 0);
	runs_free(runs);
	assert_int_equal(buffers_in("h-job1.evl"), 2);
	assert_int_equal(buffers_in("h-job1.2.evl"), 1);
	assert_int_equal(buffers_in("h-job1.2.2.evl"), 1);
	assert_int_equal(buffers_in("h-34.evl"), 1);
	/* A logger that starts after a kill finds each run in its own file. */
	runs = made_runs();
	runs_adopt(runs, sample_boot_id);
	assert_int_equal(runs_put(runs, named(33, "job1.2", made_final(33, 0, 1, 1))), 0);
	assert_int_equal(runs_put(runs, named(32, "job1", made_final(32, 0, 1, 1))), 0);
	assert_int_equal(runs_put(runs, named(31, "job1", made_final(31, 0, 2, 1))), 0);
	runs_settle(runs, 0);
	runs_free(runs);
	assert_int_equal(buffers_in("h-job1.evl"), 3);
	assert_true(seen.closed);
	assert_int_equal(buffers_in("h-job1.2.evl"), 2);
	assert_true(seen.closed);
	assert_int_equal(buffers_in("h-job1.2.2.evl"), 2);
	assert_true(seen.closed);
	assert_false(is_there("h-job1.3.evl") || is_there("h-31.evl") || is_there("h-32.evl"));
	/* These were adopted as well: no buffer came for them, and they are closed. */
	assert_int_equal(buffers_in("h-34.evl"), 1);
	assert_true(seen.closed);
	assert_int_equal(buffers_in("h-left.evl"), 1);
	assert_true(seen.closed);
}

/* Reports each buffer as safe once it may be returned. */
static _Noreturn void log_until_killed(int report, uint64_t run, unsigned int level)
{
	uint64_t next[2] = { 0, 0 };
	struct runs *runs;

	made_settings.compress = level;
	runs = made_runs();
	runs_adopt(runs, sample_boot_id);
	for (;;) {
		uint32_t cpu = sample_random(2);
		uint32_t word = cpu << 31 | next[cpu];

		/* This is enough for the check. */
		if (next[cpu] == 1000)
			pause();
		/* After a kill the kernel offers the unreturned buffers again. */
		if (runs_put(runs, made_buffer(run, cpu, next[cpu])))
			_exit(1);
		if (write(report, &word, sizeof(word)) != sizeof(word))
			_exit(0);
		next[cpu]++;
	}
}

static void killed_at_any_moment_nothing_handed_back_is_lost(void **state)
{
	uint64_t safe[2] = { 0, 0 };
	struct runs *runs;

	for (int kills = 0; kills < 50; kills++) {
		int ends[2], status;
		uint32_t word;
		pid_t child;

		assert_int_equal(pipe(ends), 0);
		fflush(stdout);
		child = fork();
		if (child == 0) {
			close(ends[0]);
			for (int i = 0; i <= kills; i++)
				sample_random(2);
			log_until_killed(ends[1], 13, kills % 3 ? 0 : 1);
		}
		close(ends[1]);
		usleep(sample_random(20000));
		kill(child, SIGKILL);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status));
		while (read(ends[0], &word, sizeof(word)) == sizeof(word)) {
			uint32_t cpu = word >> 31;
			uint64_t sequence = word & ~(1u << 31);

			if (sequence >= safe[cpu])
				safe[cpu] = sequence + 1;
		}
		close(ends[0]);
	}
	runs = made_runs();
	runs_adopt(runs, sample_boot_id);
	assert_int_equal(runs_close(runs), 0);
	runs_free(runs);
	sample_read(made_path(13), &seen);
	assert_true(seen.sound && seen.closed);
	printf("%zu buffers after 50 kills\n", seen.count);
	for (uint32_t cpu = 0; cpu < 2; cpu++)
		for (uint64_t i = 0; i < safe[cpu]; i++)
			assert_int_equal(sample_count(&seen, cpu, i), 1);
	/* Each CPU may have one more buffer in the file that was not returned. */
	assert_in_range(seen.count, safe[0] + safe[1], safe[0] + safe[1] + 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(late_buffers_go_to_the_old_file, made_setup_one),
		cmocka_unit_test_setup(a_run_that_begins_has_a_file_until_it_ends_empty, made_setup_one),
		cmocka_unit_test_setup(a_buffer_that_waited_long_is_stored_as_it_is, made_setup_one),
		cmocka_unit_test_setup(the_same_buffer_again_is_kept_once, made_setup_one),
		cmocka_unit_test_setup(another_buffer_with_the_same_number_is_kept_too, made_setup_one),
		cmocka_unit_test_setup(what_a_killed_logger_left_complete_is_closed, made_setup_one),
		cmocka_unit_test_setup(a_name_is_in_the_file_name_and_runs_stay_apart, made_setup_one),
		cmocka_unit_test_setup(killed_at_any_moment_nothing_handed_back_is_lost, made_setup_one),
	};

	sample_seed();
	return cmocka_run_group_tests(tests, made_setup, made_teardown);
}
