// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests a file's blocks: the checksum, and whether the payload is deflated.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/codec/crc32.h"
#include "logfile/block.h"
#include "sample.h"

/* Computes bit by bit, as in the definition. */
static uint32_t crc_by_definition(uint32_t crc, const unsigned char *bytes, size_t length)
{
	crc = ~crc;
	while (length--) {
		crc ^= *bytes++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static void sums_up_as_defined(void **state)
{
	unsigned char bytes[1024];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = sample_random(256);
	assert_int_equal(crc_of(0, "123456789", 9), 0xcbf43926);
	for (int round = 0; round < 20000; round++) {
		size_t from = sample_random(80), length = sample_random(sizeof(bytes) - 80);
		uint32_t before = sample_random(1u << 31) * 2 + sample_random(2);

		if (crc_of(before, bytes + from, length) !=
		    crc_by_definition(before, bytes + from, length))
			fail_msg("%zu bytes from %zu on: another sum", length, from);
	}
}

static void deflates_only_what_gets_smaller(void **state)
{
	struct compressor *compressor = compressor_new(6);
	struct block block;
	uint64_t noise[512];
	struct evtlog_buffer_header *buffer = (void *)noise;

	for (size_t i = 0; i < 512; i++)
		noise[i] = (uint64_t)sample_random(1u << 31) << 33 ^
			   (uint64_t)sample_random(1u << 31) << 16 ^ sample_random(1u << 31);
	buffer->used_bytes = sizeof(noise);
	block_of_buffer(&block, buffer, compressor);
	assert_int_equal(block.header.flags & EVTLOG_BLOCK_DEFLATE, 0);
	assert_int_equal(block.header.stored_bytes, sizeof(noise));
	assert_ptr_equal(block.payload, buffer);
	block_of_buffer(&block, sample_buffer(1, 0, 0, 4096, 0, 0), compressor);
	assert_int_equal(block.header.flags, EVTLOG_BLOCK_DEFLATE);
	assert_true(block.header.stored_bytes < 4096);
	compressor_free(compressor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_up_as_defined),
		cmocka_unit_test(deflates_only_what_gets_smaller),
	};

	sample_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
