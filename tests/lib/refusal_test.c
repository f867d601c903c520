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

/* Members of a block's header, and values that are not those of a logger */
#define SET(member, value)	{ offsetof(struct evtlog_block_header, member), \
				  sizeof(((struct evtlog_block_header *)0)->member), value }
static const struct forgery {
	struct {
		size_t at, bytes;
		uint64_t value;
	} sets[2];
	bool is_bomb;
} forgeries[] = {
	{ { SET(stored_bytes, UINT32_MAX), SET(raw_bytes, UINT32_MAX) } },
	{ { SET(stored_bytes, EVTLOG_BLOCK_MAX_BYTES), SET(raw_bytes, EVTLOG_BLOCK_MAX_BYTES) } },
	{ { SET(flags, EVTLOG_BLOCK_DEFLATE), SET(raw_bytes, EVTLOG_BLOCK_MAX_BYTES) }, true },
	{ { SET(cpu, UINT32_MAX) } },
	{ { SET(sequence, UINT64_MAX) } },
	{ { SET(begin_ticks, 0), SET(end_ticks, UINT64_MAX) } },
	{ { SET(run, 99) } },
};

/* Changes the header of block 1, which has no flags; its checksum is correct. */
static void forge(struct sample *sample, const struct forgery *forgery)
{
	struct evtlog_block_header header = sample_block(sample, 1);

	for (int i = 0; i < 2; i++)
		memcpy((char *)&header + forgery->sets[i].at, &forgery->sets[i].value,
		       forgery->sets[i].bytes);
	loggen_seal_block(&header);
	memcpy(sample->bytes + sample->offsets[1], &header, sizeof(header));
}

static void forged_headers_are_refused_and_the_rest_is_read(void **state)
{
	for (size_t i = 0; i < sizeof(forgeries) / sizeof(forgeries[0]); i++) {
		struct sample sample = sample_make(0, 300);
		struct evtlog_summary summary;
		struct evtlog_file *file;

		forge(&sample, &forgeries[i]);
		file = open_bytes(sample.bytes, sample.length);
		read_all(file);
		evtlog_summarize(file, &summary);
		assert_true(evtlog_damage_count(file) >= 1);
		assert_true(summary.buffers >= sample.blocks - 2);
		assert_true(summary.complete);
		/* Data cannot make the library allocate memory that no data can fill. */
		if (forgeries[i].is_bomb)
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
