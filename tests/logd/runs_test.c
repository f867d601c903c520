// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All runs together: each buffer in its run's file once, whatever happens to
 * files, directory, disk and logger meanwhile.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../logd/config.h"
#include "../../logd/runs.h"
#include "../../logd/say.h"
#include "sample.h"

static const char *directory;
static struct config config;
static struct sample_file seen;

static int source_text(void *context, const struct identity *run, char **text, size_t *bytes)
{
	*bytes = asprintf(text, "host=h\nrun=%llu\nrun_name=%s\n\nevtlog-format 1\n",
			  (unsigned long long)run->number, run->name);
	return 0;
}

static const char *source_host(void *context)
{
	return "h";
}

static struct runs *new_runs(void)
{
	const struct runs_source source = { source_text, source_host, NULL };
	struct runs *runs = runs_new(&config, &source);

	assert_non_null(runs);
	return runs;
}

static const char *path_of(uint64_t run)
{
	static char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/h-%llu.evl", config.directory, (unsigned long long)run);
	return path;
}

static const struct evtlog_buffer_header *buffer(uint64_t run, uint32_t cpu, uint64_t sequence)
{
	return sample_buffer(run, cpu, sequence, 4096 + 8 * (sequence % 64), 0, 0);
}

static const struct evtlog_buffer_header *final(uint64_t run, uint32_t cpu, uint64_t sequence,
						uint32_t cpus)
{
	return sample_buffer(run, cpu, sequence, 512, EVTLOG_BUFFER_FINAL, cpus);
}

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

static void late_buffers_go_to_the_old_file(void **state)
{
	struct runs *runs = new_runs();

	assert_int_equal(runs_put(runs, buffer(1, 0, 0)), 0);
	assert_int_equal(runs_put(runs, buffer(1, 1, 0)), 0);
	assert_int_equal(runs_put(runs, final(1, 0, 1, 2)), 0);
	assert_int_equal(runs_put(runs, buffer(2, 0, 0)), 0);
	assert_int_equal(runs_last_complete(runs), 0);
	assert_int_equal(runs_put(runs, final(1, 1, 1, 2)), 0);
	assert_int_equal(runs_last_complete(runs), 1);
	/* Complete is closed, at once. */
	sample_read(path_of(1), &seen);
	assert_true(seen.sound && seen.closed);
	assert_int_equal(seen.count, 4);
	sample_read(path_of(2), &seen);
	assert_true(seen.sound && !seen.closed);
	assert_int_equal(runs_close(runs), 0);
	runs_free(runs);
	sample_read(path_of(2), &seen);
	assert_true(seen.closed);
	assert_int_equal(seen.count, 1);
}

static void the_same_buffer_again_is_kept_once(void **state)
{
	struct runs *runs = new_runs();

	for (int twice = 0; twice < 2; twice++)
		for (int i = 0; i < 3; i++)
			assert_int_equal(runs_put(runs, buffer(3, 0, i)), 0);
	runs_free(runs);
	/* And after a restart, which only knows the file. */
	runs = new_runs();
	assert_int_equal(runs_put(runs, buffer(3, 0, 2)), 0);
	assert_int_equal(runs_put(runs, final(3, 0, 3, 1)), 0);
	runs_free(runs);
	runs = new_runs();
	assert_int_equal(runs_put(runs, final(3, 0, 3, 1)), 0);
	runs_free(runs);
	sample_read(path_of(3), &seen);
	assert_true(seen.sound && seen.closed);
	assert_int_equal(seen.count, 4);
	for (int i = 0; i < 3; i++)
		assert_int_equal(sample_count(&seen, 0, i), 1);
}

static void what_a_killed_logger_left_complete_is_closed(void **state)
{
	struct runs *runs = new_runs();
	struct sample_file *other = malloc(sizeof(*other));

	/* Killed between the last write and closing: runs_put() would close. */
	assert_int_equal(runs_put(runs, buffer(4, 0, 0)), 0);
	runs_free(runs);
	runs = new_runs();
	runs_adopt(runs, sample_boot_id);
	sample_read(path_of(4), &seen);
	assert_false(seen.closed);
	/* The kernel has nothing of it any more: it is what it is. */
	runs_settle(runs, 5);
	sample_read(path_of(4), &seen);
	assert_true(seen.sound && seen.closed);
	/* If something comes all the same, it is appended. */
	assert_int_equal(runs_put(runs, final(4, 0, 1, 1)), 0);
	runs_free(runs);
	sample_read(path_of(4), &seen);
	assert_true(seen.sound && seen.closed);
	assert_int_equal(seen.count, 2);
	free(other);
}

static void a_removed_file_is_told_of(void **state)
{
	struct runs *runs = new_runs();
	struct evtlog_gap gap;

	for (int i = 0; i < 3; i++) {
		assert_int_equal(runs_put(runs, buffer(6, 0, i)), 0);
		assert_int_equal(runs_put(runs, buffer(6, 1, i)), 0);
	}
	assert_int_equal(unlink(path_of(6)), 0);
	assert_int_equal(runs_put(runs, buffer(6, 0, 3)), 0);
	sample_read(path_of(6), &seen);
	assert_true(seen.sound);
	assert_int_equal(sample_count(&seen, 0, 3), 1);
	for (int cpu = 0; cpu < 2; cpu++) {
		assert_int_equal(gaps(ENOENT, cpu, &gap), 1);
		assert_int_equal(gap.sequence, 0);
		assert_int_equal(gap.buffers, 3);
		assert_int_equal(gap.bytes, 3 * 4096 + 8 * (0 + 1 + 2));
	}
	/* Again: then the newest file tells of all that is gone. */
	assert_int_equal(unlink(path_of(6)), 0);
	assert_int_equal(runs_put(runs, buffer(6, 0, 4)), 0);
	runs_free(runs);
	sample_read(path_of(6), &seen);
	assert_int_equal(gaps(ENOENT, 0, &gap), 1);
	assert_int_equal(gap.buffers, 4);
}

static void a_removed_directory_is_made_again(void **state)
{
	struct runs *runs = new_runs();
	struct evtlog_gap gap;

	snprintf(config.directory, sizeof(config.directory), "%s/sub/dir", directory);
	assert_int_equal(runs_put(runs, buffer(7, 0, 0)), 0);
	assert_int_equal(unlink(path_of(7)), 0);
	assert_int_equal(rmdir(config.directory), 0);
	assert_int_equal(runs_put(runs, buffer(7, 0, 1)), 0);
	sample_read(path_of(7), &seen);
	assert_int_equal(sample_count(&seen, 0, 1), 1);
	assert_int_equal(gaps(ENOENT, 0, &gap), 1);
	runs_free(runs);
}

static void a_directory_that_cannot_be_made_stalls(void **state)
{
	struct runs *runs = new_runs();
	char in_the_way[PATH_MAX];
	struct evtlog_gap gap;

	snprintf(in_the_way, sizeof(in_the_way), "%s/file", directory);
	snprintf(config.directory, sizeof(config.directory), "%s/file/dir", directory);
	close(open(in_the_way, O_CREAT | O_WRONLY, 0600));
	for (int i = 0; i < 3; i++) {
		assert_int_equal(runs_put(runs, buffer(8, 0, 0)), -ENOTDIR);
		assert_true(runs_is_stalled(runs));
	}
	assert_int_equal(unlink(in_the_way), 0);
	assert_int_equal(runs_put(runs, buffer(8, 0, 0)), 0);
	assert_false(runs_is_stalled(runs));
	runs_free(runs);
	sample_read(path_of(8), &seen);
	assert_true(seen.sound);
	assert_int_equal(gaps(ENOTDIR, 0, &gap), 1);
	assert_int_equal(gap.buffers, 0);
	assert_true(gap.begin_real_ns && gap.begin_real_ns <= gap.end_real_ns);
	assert_int_equal(sample_count(&seen, 0, 0), 1);
}

static void no_room_stalls_and_goes_on(void **state)
{
	struct rlimit unlimited, limit;
	struct runs *runs = new_runs();
	struct evtlog_gap gap;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
	assert_int_equal(runs_put(runs, buffer(9, 0, 0)), 0);
	limit = (struct rlimit){ 6000, unlimited.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(runs_put(runs, buffer(9, 0, 1)), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
	for (int i = 1; i < 4; i++)
		assert_int_equal(runs_put(runs, buffer(9, 0, i)), 0);
	assert_int_equal(runs_close(runs), 0);
	runs_free(runs);
	sample_read(path_of(9), &seen);
	assert_true(seen.sound && seen.closed);
	assert_int_equal(gaps(EFBIG, 0, &gap), 1);
	for (int i = 0; i < 4; i++)
		assert_int_equal(sample_count(&seen, 0, i), 1);
}

static void room_for_others_is_left(void **state)
{
	struct runs *runs = new_runs();

	config.min_free_mb = 1u << 30;
	assert_int_equal(runs_put(runs, buffer(10, 0, 0)), -ENOSPC);
	config.min_free_mb = 0;
	assert_int_equal(runs_put(runs, buffer(10, 0, 0)), 0);
	runs_free(runs);
}

static void reopening_goes_on_or_rotates(void **state)
{
	struct runs *runs = new_runs();
	struct evtlog_gap gap;
	char moved[PATH_MAX];

	assert_int_equal(runs_put(runs, buffer(11, 0, 0)), 0);
	runs_reopen(runs);
	assert_int_equal(runs_put(runs, buffer(11, 0, 1)), 0);
	sample_read(path_of(11), &seen);
	assert_int_equal(seen.count, 2);
	snprintf(moved, sizeof(moved), "%s/moved", directory);
	assert_int_equal(rename(path_of(11), moved), 0);
	/* Until told, it goes to the file wherever that went. */
	assert_int_equal(runs_put(runs, buffer(11, 0, 2)), 0);
	runs_reopen(runs);
	sample_read(moved, &seen);
	assert_true(seen.sound && seen.closed);
	assert_int_equal(seen.count, 3);
	assert_int_equal(runs_put(runs, buffer(11, 0, 3)), 0);
	sample_read(path_of(11), &seen);
	assert_int_equal(seen.count, 1);
	assert_int_equal(gaps(ENOENT, 0, &gap), 0);
	/* What was moved away is not gone if the new one is removed. */
	assert_int_equal(unlink(path_of(11)), 0);
	assert_int_equal(runs_put(runs, buffer(11, 0, 4)), 0);
	sample_read(path_of(11), &seen);
	assert_int_equal(gaps(ENOENT, 0, &gap), 1);
	assert_int_equal(gap.sequence, 3);
	assert_int_equal(gap.buffers, 1);
	runs_free(runs);
}

static void an_unreadable_buffer_is_told_of(void **state)
{
	struct runs *runs = new_runs();
	struct evtlog_gap gap;

	assert_int_equal(runs_put(runs, buffer(12, 0, 0)), 0);
	runs_put_unreadable(runs, 0, 4096);
	assert_int_equal(runs_put(runs, buffer(12, 0, 2)), 0);
	runs_free(runs);
	sample_read(path_of(12), &seen);
	assert_true(seen.sound);
	assert_int_equal(gaps(EBADMSG, 0, &gap), 1);
	assert_int_equal(gap.sequence, 1);
	assert_int_equal(gap.buffers, 1);
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
	if (stat(path_of(from->run), &before))
		before.st_size = 0;
	assert_int_equal(runs_put(runs, buffer), 0);
	assert_int_equal(stat(path_of(from->run), &after), 0);
	free(buffer);
	return after.st_size - before.st_size;
}

/* Compressing must not cost an event: who waited long is stored at once. */
static void a_buffer_that_waited_long_is_stored_as_it_is(void **state)
{
	const uint64_t ms = 1000000;
	const struct evtlog_buffer_header *from;
	struct runs *runs;
	uint32_t raw;

	config.compress = 1;
	runs = new_runs();
	from = buffer(21, 0, 0);
	raw = from->used_bytes;
	stored_bytes(runs, from, 0, 10000 * ms, 0, 0);	/* and the file's header */
	assert_true(stored_bytes(runs, from, 1, 10000 * ms, 0, 0) < raw);
	/* A quarter of the time it took to fill; or 50 ms, if that began in quiet */
	assert_true(stored_bytes(runs, from, 2, 20 * ms, 20 * ms, 0) >= raw);
	assert_true(stored_bytes(runs, from, 3, 10000 * ms, 1000 * ms, 0) >= raw);
	/* Nobody waits for what was flushed. */
	assert_true(stored_bytes(runs, from, 4, 20 * ms, 1000 * ms, EVTLOG_BUFFER_FLUSHED) < raw);
	runs_free(runs);
	config.compress = 0;
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

	snprintf(path, sizeof(path), "%s/%s", config.directory, name);
	return access(path, F_OK) == 0;
}

static size_t buffers_in(const char *name)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/%s", config.directory, name);
	sample_read(path, &seen);
	assert_true(seen.has_header && seen.sound);
	return seen.buffers;
}

static void a_name_is_in_the_file_name_and_runs_stay_apart(void **state)
{
	struct runs *runs = new_runs();

	assert_int_equal(runs_put(runs, named(31, "job1", buffer(31, 0, 0))), 0);
	assert_int_equal(runs_put(runs, named(32, "job1", buffer(32, 0, 0))), 0);
	assert_int_equal(runs_put(runs, named(31, "job1", buffer(31, 0, 1))), 0);
	/* Its name is that of a second part. */
	assert_int_equal(runs_put(runs, named(33, "job1.2", buffer(33, 0, 0))), 0);
	/* What is no name does not get into a path. */
	assert_int_equal(runs_put(runs, named(34, "../x", buffer(34, 0, 0))), 0);
	assert_int_equal(runs_put(runs, named(35, "left", buffer(35, 0, 0))), 0);
	runs_free(runs);
	assert_int_equal(buffers_in("h-job1.evl"), 2);
	assert_int_equal(buffers_in("h-job1.2.evl"), 1);
	assert_int_equal(buffers_in("h-job1.2.2.evl"), 1);
	assert_int_equal(buffers_in("h-34.evl"), 1);
	/* A logger that comes after a kill finds each in its own file. */
	runs = new_runs();
	runs_adopt(runs, sample_boot_id);
	assert_int_equal(runs_put(runs, named(33, "job1.2", final(33, 0, 1, 1))), 0);
	assert_int_equal(runs_put(runs, named(32, "job1", final(32, 0, 1, 1))), 0);
	assert_int_equal(runs_put(runs, named(31, "job1", final(31, 0, 2, 1))), 0);
	runs_settle(runs, 0);
	runs_free(runs);
	assert_int_equal(buffers_in("h-job1.evl"), 3);
	assert_true(seen.closed);
	assert_int_equal(buffers_in("h-job1.2.evl"), 2);
	assert_true(seen.closed);
	assert_int_equal(buffers_in("h-job1.2.2.evl"), 2);
	assert_true(seen.closed);
	assert_false(is_there("h-job1.3.evl") || is_there("h-31.evl") || is_there("h-32.evl"));
	/* These were adopted as well: nothing came for them, and they are closed. */
	assert_int_equal(buffers_in("h-34.evl"), 1);
	assert_true(seen.closed);
	assert_int_equal(buffers_in("h-left.evl"), 1);
	assert_true(seen.closed);
}

/* Says of each buffer, once it may be handed back, that it is safe. */
static _Noreturn void log_until_killed(int report, uint64_t run, unsigned int level)
{
	uint64_t next[2] = { 0, 0 };
	struct runs *runs;

	config.compress = level;
	runs = new_runs();
	runs_adopt(runs, sample_boot_id);
	for (;;) {
		uint32_t cpu = sample_random(2);
		uint32_t word = cpu << 31 | next[cpu];

		/* Enough for the reader of the result. */
		if (next[cpu] == 1000)
			pause();
		/* After a kill the kernel gives again what was not handed back. */
		if (runs_put(runs, buffer(run, cpu, next[cpu])))
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
	runs = new_runs();
	runs_adopt(runs, sample_boot_id);
	assert_int_equal(runs_close(runs), 0);
	runs_free(runs);
	sample_read(path_of(13), &seen);
	assert_true(seen.sound && seen.closed);
	printf("%zu buffers after 50 kills\n", seen.count);
	for (uint32_t cpu = 0; cpu < 2; cpu++)
		for (uint64_t i = 0; i < safe[cpu]; i++)
			assert_int_equal(sample_count(&seen, cpu, i), 1);
	/* At most one of each CPU may be there that was not handed back. */
	assert_in_range(seen.count, safe[0] + safe[1], safe[0] + safe[1] + 2);
}

static int setup_one(void **state)
{
	config_set_defaults(&config);
	config.min_free_mb = 0;
	snprintf(config.directory, sizeof(config.directory), "%s", directory);
	return 0;
}

static int setup(void **state)
{
	directory = sample_mkdir();
	say_how_much(SAY_LITTLE);
	return 0;
}

static int teardown(void **state)
{
	if (chdir("/"))
		return -1;
	sample_rmdir(directory);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(late_buffers_go_to_the_old_file, setup_one),
		cmocka_unit_test_setup(a_buffer_that_waited_long_is_stored_as_it_is, setup_one),
		cmocka_unit_test_setup(the_same_buffer_again_is_kept_once, setup_one),
		cmocka_unit_test_setup(what_a_killed_logger_left_complete_is_closed, setup_one),
		cmocka_unit_test_setup(a_removed_file_is_told_of, setup_one),
		cmocka_unit_test_setup(a_removed_directory_is_made_again, setup_one),
		cmocka_unit_test_setup(a_directory_that_cannot_be_made_stalls, setup_one),
		cmocka_unit_test_setup(no_room_stalls_and_goes_on, setup_one),
		cmocka_unit_test_setup(room_for_others_is_left, setup_one),
		cmocka_unit_test_setup(reopening_goes_on_or_rotates, setup_one),
		cmocka_unit_test_setup(an_unreadable_buffer_is_told_of, setup_one),
		cmocka_unit_test_setup(a_name_is_in_the_file_name_and_runs_stay_apart, setup_one),
		cmocka_unit_test_setup(killed_at_any_moment_nothing_handed_back_is_lost, setup_one),
	};

	sample_seed();
	return cmocka_run_group_tests(tests, setup, teardown);
}
