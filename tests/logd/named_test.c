// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The file of a named buffer, as evtlog buffer record writes it: under a given name, with the names
 * of tasks first, and apart from files of runs with the same number.
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

#include "logfile/block.h"
#include "made_runs.h"
#include "sample.h"

#define NUMBER	5

static struct sample_file seen;
static const uint64_t tasks[2] = { 1, 2 };

static int text_of(void *context, const struct run_id *run, char **text, size_t *bytes)
{
	*bytes = asprintf(text, "host=h\nrun=%d\nnamed_buffer=cpus\n\nevtlog-format 1\n", NUMBER);
	return 0;
}

static int tasks_of(void *context, const struct run_id *run, struct block *block)
{
	block_of_tasks(block, run->number, tasks, sizeof(tasks), 0);
	return 1;
}

static struct runs *open_named(void)
{
	const struct runs_source source = { .text = text_of, .first = tasks_of };
	struct runs *runs;

	made_settings.file = "net.evl";
	runs = runs_new(&made_settings, &source);
	assert_non_null(runs);
	return runs;
}

static const struct evtlog_buffer_header *named_buffer(uint32_t cpu, uint64_t sequence,
						       uint32_t flags, uint32_t cpus)
{
	return sample_buffer(NUMBER, cpu, sequence, 1024 + 8 * sequence,
			     EVTLOG_BUFFER_NAMED | flags, cpus);
}

static struct run_id id_of_named(void)
{
	struct run_id id;

	run_id_of_buffer(&id, named_buffer(0, 0, 0, 0));
	assert_true(id.is_named);
	return id;
}

static const char *path_of(const char *name)
{
	static char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/%s", made_directory, name);
	return path;
}

static void assert_file(bool closed, unsigned int buffers)
{
	sample_read(path_of("net.evl"), &seen);
	assert_true(seen.sound);
	assert_int_equal(seen.closed, closed);
	assert_int_equal(seen.buffers, buffers);
	/* The names of tasks are there once, in front of all buffers. */
	assert_int_equal(seen.count, buffers + 1);
	assert_int_equal(seen.blocks[0].kind, EVTLOG_BLOCK_TASKS);
}

static void put(struct runs *runs, const struct evtlog_buffer_header *buffer)
{
	assert_int_equal(runs_put(runs, buffer), 0);
}

static void after_a_kill_the_file_goes_on(void **state)
{
	const struct run_id id = id_of_named();
	struct runs *runs = open_named();

	assert_int_equal(runs_begin(runs, &id), 0);
	assert_file(false, 0);
	put(runs, named_buffer(0, 0, 0, 0));
	put(runs, named_buffer(1, 0, 0, 0));
	assert_file(false, 2);
	runs_free(runs);
	/* Again, with the buffer that was written and not returned */
	runs = open_named();
	assert_int_equal(runs_begin(runs, &id), 0);
	put(runs, named_buffer(1, 0, 0, 0));
	put(runs, named_buffer(0, 1, EVTLOG_BUFFER_FINAL, 2));
	put(runs, named_buffer(1, 1, EVTLOG_BUFFER_FINAL, 2));
	assert_int_equal(runs_close(runs), 0);
	runs_free(runs);
	assert_file(true, 4);
	unlink(path_of("net.evl"));
}

/* The end of the block with the names of tasks is missing: it is written anew. */
static void names_that_are_torn_are_written_again(void **state)
{
	const struct run_id id = id_of_named();
	struct runs *runs = open_named();
	size_t bytes;

	assert_int_equal(runs_begin(runs, &id), 0);
	runs_free(runs);
	sample_read(path_of("net.evl"), &seen);
	bytes = seen.bytes;
	for (size_t cut = seen.first_block; cut < bytes; cut += 4) {
		assert_int_equal(truncate(path_of("net.evl"), cut), 0);
		runs = open_named();
		assert_int_equal(runs_begin(runs, &id), 0);
		put(runs, named_buffer(0, 0, 0, 0));
		assert_int_equal(runs_close(runs), 0);
		runs_free(runs);
		assert_file(true, 1);
		unlink(path_of("net.evl"));
		runs = open_named();
		assert_int_equal(runs_begin(runs, &id), 0);
		runs_free(runs);
	}
	unlink(path_of("net.evl"));
}

static void without_a_buffer_no_file_is_left(void **state)
{
	const struct run_id id = id_of_named();
	struct runs *runs = open_named();

	assert_int_equal(runs_begin(runs, &id), 0);
	assert_int_equal(access(path_of("net.evl"), F_OK), 0);
	assert_int_equal(runs_close(runs), 0);
	runs_free(runs);
	assert_int_equal(access(path_of("net.evl"), F_OK), -1);
	/* A directory that was given is not created. */
	snprintf(made_settings.directory, sizeof(made_settings.directory), "%s", path_of("none"));
	runs = open_named();
	assert_int_equal(runs_begin(runs, &id), -ENOENT);
	runs_free(runs);
	assert_int_equal(access(path_of("none"), F_OK), -1);
}

/* No room for the names of tasks: no file, and no descriptor, is left. */
static void without_room_no_file_is_left(void **state)
{
	const struct run_id id = id_of_named();
	struct rlimit unlimited, limit;
	struct runs *runs = open_named();

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
	limit = (struct rlimit){ 140, unlimited.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(runs_begin(runs, &id), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
	assert_int_equal(access(path_of("net.evl"), F_OK), -1);
	assert_int_equal(runs_begin(runs, &id), 0);
	put(runs, named_buffer(0, 0, EVTLOG_BUFFER_FINAL, 1));
	runs_free(runs);
	assert_file(true, 1);
	unlink(path_of("net.evl"));
}

static void a_run_of_the_same_number_has_another_file(void **state)
{
	const struct run_id id = id_of_named();
	struct runs *runs = made_runs();

	put(runs, made_buffer(NUMBER, 0, 0));
	assert_int_equal(runs_close(runs), 0);
	runs_free(runs);
	assert_int_equal(rename(made_path(NUMBER), path_of("net.evl")), 0);
	runs = open_named();
	assert_int_equal(runs_begin(runs, &id), -EEXIST);
	runs_free(runs);
	unlink(path_of("net.evl"));
	/* logd neither continues nor closes the file of a named buffer that is in its place. */
	runs = open_named();
	put(runs, named_buffer(0, 0, 0, 0));
	runs_free(runs);
	assert_int_equal(rename(path_of("net.evl"), made_path(NUMBER)), 0);
	made_settings.file = NULL;
	runs = made_runs();
	runs_adopt(runs, sample_boot_id);
	runs_settle(runs, 0);
	put(runs, made_final(NUMBER, 0, 0, 1));
	runs_free(runs);
	sample_read(made_path(NUMBER), &seen);
	assert_true(seen.sound && !seen.closed);
	assert_int_equal(seen.buffers, 1);
	sample_read(path_of("h-5.2.evl"), &seen);
	assert_true(seen.sound && seen.closed);
	assert_int_equal(seen.buffers, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(after_a_kill_the_file_goes_on, made_setup_one),
		cmocka_unit_test_setup(names_that_are_torn_are_written_again, made_setup_one),
		cmocka_unit_test_setup(without_a_buffer_no_file_is_left, made_setup_one),
		cmocka_unit_test_setup(without_room_no_file_is_left, made_setup_one),
		cmocka_unit_test_setup(a_run_of_the_same_number_has_another_file, made_setup_one),
	};

	sample_seed();
	return cmocka_run_group_tests(tests, made_setup, made_teardown);
}
