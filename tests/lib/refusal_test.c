// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libevtlog refuses files that are no log, and blocks with false headers, with a reason.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <evtlog/file.h>

#include "sample.h"

/* Makes a block header with correct checksum and one changed field. */
static void forge(struct sample *sample, size_t n,
		  void (*change)(struct evtlog_block_header *header))
{
	struct evtlog_block_header header = sample_block(sample, n);

	change(&header);
	loggen_seal_block(&header);
	memcpy(sample->bytes + sample->offsets[n], &header, sizeof(header));
}

static void claim_all(struct evtlog_block_header *h)
{
	h->stored_bytes = UINT32_MAX;
	h->raw_bytes = UINT32_MAX;
}

static void claim_bomb(struct evtlog_block_header *h)
{
	h->flags |= EVTLOG_BLOCK_DEFLATE;
	h->raw_bytes = EVTLOG_BLOCK_MAX_BYTES;
}

static void claim_limit(struct evtlog_block_header *h)
{
	h->stored_bytes = EVTLOG_BLOCK_MAX_BYTES;
	h->raw_bytes = EVTLOG_BLOCK_MAX_BYTES;
}

static void claim_cpu(struct evtlog_block_header *h)
{
	h->cpu = UINT32_MAX;
}

static void claim_sequence(struct evtlog_block_header *h)
{
	h->sequence = UINT64_MAX;
}

static void claim_ticks(struct evtlog_block_header *h)
{
	h->begin_ticks = 0;
	h->end_ticks = UINT64_MAX;
}

static void claim_run(struct evtlog_block_header *h)
{
	h->run = 99;
}

static void forged_headers_are_refused_and_the_rest_is_read(void **state)
{
	static void (*const forgeries[])(struct evtlog_block_header *) = {
		claim_all, claim_bomb, claim_limit, claim_cpu, claim_sequence,
		claim_ticks, claim_run,
	};

	for (size_t i = 0; i < sizeof(forgeries) / sizeof(forgeries[0]); i++) {
		struct sample sample = sample_make(0, 300);
		struct evtlog_summary summary;
		struct evtlog_file *file;

		forge(&sample, 1, forgeries[i]);
		file = open_bytes(sample.bytes, sample.length);
		read_all(file);
		evtlog_summarize(file, &summary);
		assert_true(evtlog_damage_count(file) >= 1);
		assert_true(summary.buffers >= sample.blocks - 2);
		assert_true(summary.complete);
		/* Data cannot make the library allocate memory that no data can fill. */
		if (forgeries[i] == claim_bomb)
			assert_null(find_damage(file, EVTLOG_DAMAGE_PAYLOAD));
		evtlog_close(file);
		sample_free(&sample);
	}
}

static void what_is_no_log_is_refused_with_a_reason(void **state)
{
	struct sample sample = sample_make(0, 60);
	struct evtlog_error error;
	struct evtlog_file *file;
	uint64_t magic;

	assert_int_equal(evtlog_open_bytes("", 0, &file, &error), -EMEDIUMTYPE);
	assert_string_equal(error.reason, "it is empty");
	assert_int_equal(evtlog_open_bytes("#!/bin/sh\n", 10, &file, &error),
			 -EMEDIUMTYPE);
	assert_int_equal(evtlog_open("/nonexistent", &file, &error), -ENOENT);
	assert_int_equal(evtlog_open("/", &file, &error), -EISDIR);
	for (size_t cut = 8; cut < sample.offsets[0]; cut++)
		assert_int_equal(evtlog_open_bytes(sample.bytes, cut, &file,
						   &error), -EBADMSG);

	memcpy(&magic, sample.bytes, sizeof(magic));
	magic = __builtin_bswap64(magic);
	memcpy(sample.bytes, &magic, sizeof(magic));
	assert_int_equal(evtlog_open_bytes(sample.bytes, sample.length, &file,
					   &error), -EPROTONOSUPPORT);
	assert_non_null(strstr(error.reason, "byte order"));
	assert_null(file);
	sample_free(&sample);
}

static void malformed_descriptions_of_types_are_refused(void **state)
{
	static const char *const formats[] = {
		"", "no format",
		"evtlog-format 3\n",
		"evtlog-format 1\nbyteorder big\n",
		"evtlog-format 1\ntype 8 sched_switch 0\n",
		"evtlog-format 0\ntype 8 sched_switch 1\n",
		"evtlog-format 2\ntype 8 a 2 f:1:0:8:z\n",
		"evtlog-format 2\ntype 8 a 1 f:0:38:13:z\n",
		"evtlog-format 2\ntype 8 a 1 f:0:30:8:z\n",
		"evtlog-format 2\ntype 8 a 1 f:0:38:8:z g:0:50:8:z\n",
		"evtlog-format 1\ntype 0 sched_switch 1\n",
		"evtlog-format 1\ntype 64 sched_switch 1\n",
		"evtlog-format 1\ntype 8 sched_switch 256\n",
		"evtlog-format 1\ntype 8 sched-switch 1\n",
		"evtlog-format 1\ntype 8 a 1\ntype 8 b 1\n",
		"evtlog-format 1\ntype 8 a 1\ntype 9 a 1\n",
		"evtlog-format 1\ntype 8 a 1 f:1:0:8:u\n",
		"evtlog-format 1\ntype 8 a 1 f:0:60:8:u\n",
		"evtlog-format 1\ntype 8 a 2 f:0:0:192:c\n",
		"evtlog-format 1\ntype 8 a 2 f:0:0:0:u\n",
		"evtlog-format 1\ntype 8 a 2 f:0:0:128:u\n",
		"evtlog-format 1\ntype 8 a 2 f:0:0:8:u:9\n",
		"evtlog-format 1\ntype 8 a 2 f:0:0:8\n",
		"evtlog-format 1\ntype 8 a 2 f:-1:0:8:u\n",
		"evtlog-format 1\ntype 8 a 2 f:0:0:8:u f:0:8:8:u\n",
		"evtlog-format 1\nticks_hz many\n",
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct loggen_options options = loggen_defaults();
		struct evtlog_error error = { 0 };
		struct evtlog_file *file;
		const uint8_t *bytes;
		struct loggen *gen;
		size_t length;
		int result;

		options.format = formats[i];
		gen = loggen_new(&options);
		bytes = loggen_bytes(gen, &length);
		result = evtlog_open_bytes(bytes, length, &file, &error);
		if (result != -EBADMSG && result != -EPROTONOSUPPORT)
			fail_msg("%s: %d", formats[i], result);
		assert_true(error.reason[0]);
		loggen_free(gen);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forged_headers_are_refused_and_the_rest_is_read),
		cmocka_unit_test(what_is_no_log_is_refused_with_a_reason),
		cmocka_unit_test(malformed_descriptions_of_types_are_refused),
	};

	sample_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
