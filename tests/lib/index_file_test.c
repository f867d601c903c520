// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Index files from untrusted sources, which may have correct checksums, do no harm. Many can be open
 * at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/index.h>

#include "../fuzz/mutate.h"
#include "../support/loggen.h"
#include "sample.h"
#include "worlds.h"

static uint8_t *read_file(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes;

	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	*length = ftell(file);
	rewind(file);
	bytes = malloc(*length + 1);
	assert_int_equal(fread(bytes, 1, *length, file), *length);
	fclose(file);
	return bytes;
}

static void write_file(const char *path, const uint8_t *bytes, size_t length)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	fclose(file);
}

/* Calls all query functions: each must return, with any result. */
static void use(struct evtlog_index *index, uint64_t *state)
{
	uint64_t begin_ns = evtlog_begin_ns(evtlog_index_file(index));
	uint64_t end_ns = evtlog_end_ns(evtlog_index_file(index));
	struct evtlog_bin bins[BINS];
	uint64_t edges[BINS + 1];

	for (int i = 0; i < 6; i++) {
		random_edges(begin_ns, end_ns, edges, BINS, state);
		if (i == 5) {
			for (int k = 0; k <= BINS; k++)
				edges[k] = UINT64_MAX / BINS * k;
		}
		for (unsigned int slot = 0; evtlog_index_cpu(index, slot); slot++) {
			evtlog_index_bins(index, slot, edges, BINS, i % 2, bins);
			evtlog_index_count(index, slot, edges[0], edges[BINS]);
		}
		for (uint32_t id = 0; id < 8; id++) {
			evtlog_index_task_bins(index, id, edges, BINS, i % 2, bins);
			evtlog_index_task(index, id);
			evtlog_index_task_at(index, id, edges[3]);
		}
	}
}

static void test_hostile_files(void **arg)
{
	uint64_t state = sample_seed() | 1;
	struct evtlog_index_options options = { .threads = 2 };
	unsigned int taken = 0;

	for (int i = 0; i < 12; i++) {
		struct loggen_options log_options = random_options(&state);
		struct loggen *gen = loggen_new(&log_options);
		struct evtlog_index *index;
		uint8_t *bytes, *spoiled;
		size_t length;

		small_world(gen, log_options.cpus, 2000, &state);
		save_log(gen);
		options.anew = true;
		assert_int_equal(evtlog_index_open(log_path, &options, &index, NULL), 0);
		assert_string_equal(evtlog_index_origin(index)->path, index_path);
		evtlog_index_close(index);
		options.anew = false;
		bytes = read_file(index_path, &length);
		spoiled = malloc(length);
		for (int k = 0; k < 40; k++) {
			size_t now = length;

			memcpy(spoiled, bytes, length);
			/* A quarter of the damaged files have a wrong checksum. */
			if (k % 4)
				now = mutate(spoiled, length, length, &state);
			else
				spoiled[xorshift(&state) % length] ^= 1 << xorshift(&state) % 8;
			write_file(index_path, spoiled, now);
			assert_int_equal(evtlog_index_open(log_path, &options, &index,
							   NULL), 0);
			taken += !evtlog_index_origin(index)->built;
			if (k % 4)
				use(index, &state);
			else
				assert_true(evtlog_index_origin(index)->built ||
					    !memcmp(spoiled, bytes, length));
			evtlog_index_close(index);
		}
		free(spoiled);
		free(bytes);
	}
	/* Otherwise the test tried nothing. */
	assert_true(taken > 50);
}

/* ---- Many open indexes ---- */

static void test_many_at_once(void **arg)
{
	enum { MANY = 512 };
	static struct evtlog_index *indexes[MANY];
	struct loggen_options options = loggen_defaults();
	struct loggen *gen;
	uint64_t state = 7, edges[3];
	struct evtlog_bin bins[2];

	options.cpus = 8;
	gen = loggen_new(&options);
	small_world(gen, options.cpus, 1000, &state);
	save_log(gen);
	for (int i = 0; i < MANY; i++)
		assert_int_equal(evtlog_index_open(log_path, NULL, &indexes[i], NULL), 0);
	for (int i = 0; i < MANY; i++) {
		edges[0] = evtlog_begin_ns(evtlog_index_file(indexes[i]));
		edges[1] = edges[0] + 100000;
		edges[2] = edges[1] + 100000;
		for (unsigned int slot = 0; slot < options.cpus; slot++)
			assert_int_equal(evtlog_index_bins(indexes[i], slot, edges, 2, true,
							   bins), 0);
	}
	for (int i = 0; i < MANY; i++)
		evtlog_index_close(indexes[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hostile_files),
		cmocka_unit_test(test_many_at_once),
	};

	return cmocka_run_group_tests(tests, make_paths, remove_paths);
}
