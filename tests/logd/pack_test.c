// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unpack_buffer() restores all buffers that pack_buffer() packs, bit for bit, and with any other
 * input it does not access memory out of bounds.
 *
 * Buffers are made at random, from typical ones to those that a kernel would never write. Memory
 * ends at the end of each buffer, so that the sanitizers detect each access after it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/packed.h>

#include "lib/codec/huffman.h"
#include "lib/codec/pack.h"
#include "sample.h"

static unsigned int words_of(uint32_t tag)
{
	return evtlog_record_words((uint64_t)tag << EVTLOG_TYPE_SHIFT);
}

static bool is_sized(uint32_t tag)
{
	return (tag & EVTLOG_TYPE_MAX) == EVTLOG_EVENT ||
	       (tag & EVTLOG_TYPE_MAX) == EVTLOG_EVENT_FORMAT;
}

/* Properties of a generated log, from 0 (never) to 100 (always) */
struct habit {
	unsigned int surprise;	/* an unexpected tag */
	unsigned int long_word;	/* a record of several words */
	unsigned int odd;	/* a time that is not a multiple of the counter's step */
	unsigned int wild;	/* a random difference in time */
	unsigned int step;	/* of the counter, in bits */
};

static struct pack *pack;
static struct unpack *unpack;

static uint64_t random_word(void)
{
	return (uint64_t)sample_random(UINT32_MAX) << 32 | sample_random(UINT32_MAX);
}

static bool chance(unsigned int percent)
{
	return sample_random(100) < percent;
}

static uint32_t random_tag(bool is_long)
{
	uint32_t type;

	do
		type = sample_random(EVTLOG_TYPE_MAX + 1);
	while (!words_of(type) || (is_sized(type) || words_of(type) > 1) != is_long);
	/* Mostly short payloads */
	if (is_sized(type))
		return type | sample_random(EVTLOG_EVENT_ID_MAX + 1) << EVTLOG_TYPE_BITS |
		       (chance(10) ? sample_random(EVTLOG_EVENT_BYTES_MAX + 1) :
			sample_random(30)) << (EVTLOG_TYPE_BITS + EVTLOG_EVENT_ID_BITS);
	return sample_random(1u << EVTLOG_DATA_BITS) << EVTLOG_TYPE_BITS | type;
}

/* Makes a buffer with only the fields of the header that packing reads. */
static struct evtlog_buffer_header *new_buffer(size_t records_bytes)
{
	size_t bytes = sizeof(struct evtlog_buffer_header) + records_bytes;
	struct evtlog_buffer_header *buffer = malloc(bytes);

	assert_non_null(buffer);
	memset(buffer, 0x5a, sizeof(*buffer));
	buffer->header_bytes = sizeof(*buffer);
	buffer->used_bytes = bytes;
	return buffer;
}

static struct evtlog_buffer_header *make_buffer(size_t words, const struct habit *habit)
{
	struct evtlog_buffer_header *buffer = new_buffer(8 * words);
	uint64_t *to = (uint64_t *)(buffer + 1);
	uint32_t cycle[8], ticks = sample_random(UINT32_MAX);
	size_t at = 0, turn = 0;

	for (int k = 0; k < 8; k++)
		cycle[k] = random_tag(false);
	while (at < words) {
		uint32_t tag = chance(habit->surprise) ? random_tag(false) : cycle[turn++ % 8];
		uint32_t step;

		if (chance(habit->long_word)) {
			tag = random_tag(true);
			if (words_of(tag) > words - at)
				tag = cycle[0];
		}
		step = chance(habit->wild) ? sample_random(UINT32_MAX) >> sample_random(32) :
					     1000 + sample_random(500);
		ticks += step << habit->step;
		if (chance(habit->odd))
			ticks++;
		to[at++] = (uint64_t)tag << 32 | ticks;
		for (unsigned int k = 1; k < words_of(tag); k++)
			to[at++] = chance(50) ? random_word() : 17;
	}
	return buffer;
}

/* Copies @payload to memory that ends at the end of unpack_buffer()'s accesses. */
static uint8_t *copy_of(const void *payload, size_t bytes)
{
	uint8_t *copy = calloc(1, bytes + UNPACK_SLACK);

	assert_non_null(copy);
	memcpy(copy, payload, bytes);
	return copy;
}

/* Returns the packed length; 0 if it was refused. */
static size_t round_trip(const struct evtlog_buffer_header *buffer)
{
	size_t bytes;
	const void *packed = pack_buffer(pack, buffer, &bytes);
	uint8_t *payload;
	void *back;

	if (!packed)
		return 0;
	assert_true(bytes < buffer->used_bytes);
	payload = copy_of(packed, bytes);
	back = malloc(buffer->used_bytes);
	assert_non_null(back);
	assert_int_equal(unpack_buffer(unpack, payload, bytes, back, buffer->used_bytes), 0);
	assert_memory_equal(back, buffer, buffer->used_bytes);
	free(back);
	free(payload);
	return bytes;
}

static void what_is_like_a_log_comes_back_much_smaller(void **state)
{
	static const struct habit habit = { .surprise = 2, .long_word = 1, .step = 1 };

	for (int k = 0; k < 20; k++) {
		struct evtlog_buffer_header *buffer = make_buffer(20000, &habit);
		size_t bytes = round_trip(buffer);

		assert_in_range(bytes, 1, buffer->used_bytes / 3);
		free(buffer);
	}
}

static void whatever_is_packed_comes_back_bit_for_bit(void **state)
{
	unsigned int packed = 0;

	for (int k = 0; k < 600; k++) {
		struct habit habit = {
			.surprise = sample_random(101),
			.long_word = chance(50) ? 0 : sample_random(101),
			.odd = chance(50) ? 0 : sample_random(101),
			.wild = chance(50) ? 0 : sample_random(101),
			.step = sample_random(9),
		};
		struct evtlog_buffer_header *buffer = make_buffer(sample_random(6000), &habit);

		packed += round_trip(buffer) > 0;
		free(buffer);
	}
	/* Most buffers must be packed: refusing them all would also pass the checks above. */
	assert_in_range(packed, 300, 600);
}

static void a_buffer_of_several_segments_comes_back(void **state)
{
	static const struct habit habit = { .surprise = 5, .long_word = 2, .odd = 1 };
	size_t words[] = { EVTLOG_PACKED_RECORDS_MAX - 1, EVTLOG_PACKED_RECORDS_MAX,
			   EVTLOG_PACKED_RECORDS_MAX + 1, 2 * EVTLOG_PACKED_RECORDS_MAX + 77 };

	for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
		struct evtlog_buffer_header *buffer = make_buffer(words[k], &habit);

		assert_true(round_trip(buffer));
		free(buffer);
	}
}

/* With more pairs of types than contexts, the last context is shared. */
static void more_contexts_than_there_are_come_back(void **state)
{
	struct evtlog_buffer_header *buffer = new_buffer(8 * 30000);
	uint64_t *to = (uint64_t *)(buffer + 1);

	for (uint32_t k = 0; k < 30000; k++)
		to[k] = (uint64_t)(EVTLOG_SOFTIRQ_ENTRY + sample_random(16)) << 32 | k * 100;
	assert_true(round_trip(buffer));
	free(buffer);
}

static void what_cannot_be_packed_is_refused(void **state)
{
	static const struct habit habit = { .surprise = 2 };
	struct evtlog_buffer_header *buffer = make_buffer(5000, &habit);
	uint64_t *word = (uint64_t *)(buffer + 1);
	uint64_t kept = word[4000];
	size_t bytes;

	assert_non_null(pack_buffer(pack, buffer, &bytes));
	word[4000] = (uint64_t)EVTLOG_TYPE_MAX << 32;	/* an unknown type */
	assert_null(pack_buffer(pack, buffer, &bytes));
	word[4000] = kept;
	word[4999] = (uint64_t)EVTLOG_TASK << 32;	/* of its seven words, only one is left */
	assert_null(pack_buffer(pack, buffer, &bytes));
	word[4999] = word[4998];
	assert_non_null(pack_buffer(pack, buffer, &bytes));
	/* Zeroed memory is not a record, neither first nor after a new tag. */
	kept = word[0];
	word[0] = 0;
	assert_null(pack_buffer(pack, buffer, &bytes));
	word[0] = kept;
	word[2000] = (uint64_t)random_tag(false) << 32;
	word[2001] = 77;
	assert_null(pack_buffer(pack, buffer, &bytes));
	buffer->used_bytes = sizeof(*buffer);
	assert_null(pack_buffer(pack, buffer, &bytes));
	buffer->used_bytes = sizeof(*buffer) - 8;
	assert_null(pack_buffer(pack, buffer, &bytes));
	free(buffer);
}

/* Are EVENTs with payloads of @bytes zero bytes packed? */
static bool events_are_packed(unsigned int bytes)
{
	const unsigned int words = 1 + (bytes + 7) / 8, records = 20000 / words;
	struct evtlog_buffer_header *buffer = new_buffer(8 * words * records);
	uint64_t *to = (uint64_t *)(buffer + 1);
	size_t packed;

	memset(to, 0, 8 * words * records);
	for (uint64_t k = 0; k < records; k++)
		to[k * words] = (uint64_t)(EVTLOG_EVENT | 1 << EVTLOG_TYPE_BITS |
			bytes << (EVTLOG_TYPE_BITS + EVTLOG_EVENT_ID_BITS)) << 32 | k * 500;
	packed = round_trip(buffer);
	free(buffer);
	return packed;
}

/* As in a CPU's first buffer, names of tasks precede the payloads. */
static void names_do_not_hide_payloads(void **state)
{
	const unsigned int names = 600, events = 60, words = 501;
	struct evtlog_buffer_header *buffer = new_buffer(8 * (3 * names + words * events));
	uint64_t *to = (uint64_t *)(buffer + 1);
	size_t bytes;

	memset(to, 0, 8 * (3 * names + words * events));
	for (uint64_t k = 0; k < names; k++)
		to[3 * k] = (uint64_t)EVTLOG_TASK_RENAME << 32 | k * 500;
	to += 3 * names;
	for (uint64_t k = 0; k < events; k++)
		to[k * words] = (uint64_t)(EVTLOG_EVENT | 1 << EVTLOG_TYPE_BITS |
			4000u << (EVTLOG_TYPE_BITS + EVTLOG_EVENT_ID_BITS)) << 32 | k * 500;
	assert_null(pack_buffer(pack, buffer, &bytes));
	/* The names alone are packed. */
	buffer->used_bytes -= 8 * words * events;
	assert_true(round_trip(buffer));
	free(buffer);
}

static void payloads_of_events_are_not_worth_two_copies(void **state)
{
	assert_true(events_are_packed(8));
	assert_true(events_are_packed(48));
	assert_false(events_are_packed(72));
	assert_false(events_are_packed(4000));
}

static void tags_in_turn_and_recent_tags_cost_little(void **state)
{
	struct evtlog_buffer_header *buffer = new_buffer(8 * 20000);
	uint64_t *to = (uint64_t *)(buffer + 1);
	uint32_t tags[20];

	/* The first tag is followed by the second and the third in turn: one bit selects one. */
	for (int k = 0; k < 20; k++)
		tags[k] = random_tag(false);
	for (uint32_t k = 0; k < 20000; k++)
		to[k] = (uint64_t)tags[k % 2 ? 1 + k / 2 % 2 : 0] << 32 | k * 64;
	assert_in_range(round_trip(buffer), 1, 20000 / 2);

	/* Any of twenty tags: usually six bits, and one that it is a known tag */
	for (uint32_t k = 0; k < 20000; k++)
		to[k] = (uint64_t)tags[sample_random(20)] << 32 | k * 64;
	assert_in_range(round_trip(buffer), 1, 20000 * 3);
	free(buffer);
}

/* Changes lengths, tables or other bytes. */
static void spoil(uint8_t *payload, size_t bytes)
{
	const size_t segment = sizeof(struct evtlog_buffer_header);
	const size_t words = segment + sizeof(struct evtlog_packed_segment);
	const size_t codes = words + EVTLOG_TYPE_MAX + 1;
	uint32_t field, change;

	switch (sample_random(6)) {
	case 0:		/* a field of the segment's header */
		field = 4 * sample_random(5);
		memcpy(&change, payload + segment + field, 4);
		change += chance(50) ? sample_random(2000) - 1000 : 1u << sample_random(32);
		memcpy(payload + segment + field, &change, 4);
		break;
	case 1:		/* the number of words of a type */
		payload[words + sample_random(EVTLOG_TYPE_MAX + 1)] = sample_random(chance(50) ? 9 : 256);
		break;
	case 2:		/* the lengths of codes */
		if (codes < bytes)
			payload[codes + sample_random((bytes - codes) / 2 + 1)] = random_word();
		break;
	case 3:		/* the end: extras without an end */
		for (size_t at = bytes - sample_random(bytes - segment); at < bytes; at++)
			payload[at] |= 0x80;
		break;
	default:
		for (uint32_t flips = 1 + sample_random(3); flips; flips--)
			payload[sample_random(bytes)] ^= 1u << sample_random(8);
	}
}

/* An error is reported or harmless: this test ignores the block's checksum. */
static void a_spoilt_payload_stays_within_bounds(void **state)
{
	unsigned int refused = 0;

	for (int k = 0; k < 6000; k++) {
		struct habit habit = {
			.surprise = sample_random(50), .long_word = sample_random(50),
			.odd = sample_random(20), .wild = sample_random(100),
		};
		struct evtlog_buffer_header *buffer = make_buffer(1 + sample_random(900), &habit);
		size_t bytes, cut, wanted = buffer->used_bytes;
		const void *packed = pack_buffer(pack, buffer, &bytes);
		uint8_t *payload;
		void *back;

		if (packed) {
			cut = chance(20) ? sample_random(bytes) : bytes;
			payload = copy_of(packed, bytes);
			spoil(payload, bytes);
			if (chance(30)) {
				wanted = sizeof(*buffer) + 8 * sample_random(9000);
				memcpy(payload + offsetof(struct evtlog_buffer_header, used_bytes),
				       &(uint32_t) { wanted }, 4);
			}
			payload = realloc(payload, cut + UNPACK_SLACK);
			back = malloc(wanted);
			assert_true(payload && back);
			refused += unpack_buffer(unpack, payload, cut, back, wanted) == -EBADMSG;
			free(back);
			free(payload);
		}
		free(buffer);
	}
	assert_in_range(refused, 1000, 6000);
}

/* Returns unpack_buffer()'s result for one segment of these parts, with zero bits and no extras. */
static int unpack_parts(struct evtlog_packed_segment segment, unsigned int words_of_icmp,
			const uint8_t *codes, size_t buffer_words)
{
	const size_t header = sizeof(struct evtlog_buffer_header);
	size_t bytes = header + sizeof(segment) + EVTLOG_TYPE_MAX + 1 + segment.code_bytes +
		       segment.bit_bytes + segment.extra_bytes;
	struct evtlog_buffer_header *buffer = new_buffer(8 * buffer_words);
	uint8_t *payload = calloc(1, bytes + UNPACK_SLACK), *words;
	int result;

	assert_non_null(payload);
	memcpy(payload, buffer, header);
	memcpy(payload + header, &segment, sizeof(segment));
	words = payload + header + sizeof(segment);
	words[0] = 1;			/* uncorrected guesses are 0 */
	words[EVTLOG_ICMP_RX] = words_of_icmp;
	memcpy(words + EVTLOG_TYPE_MAX + 1, codes, segment.code_bytes);
	result = unpack_buffer(unpack, payload, bytes, buffer, buffer->used_bytes);
	free(payload);
	free(buffer);
	return result;
}

static void a_payload_that_lies_is_refused(void **state)
{
	/* One context, in which the symbol 0 has the one-bit code 0 */
	static const uint8_t one[] = { 0x01, 0 };
	/* Three codes of one bit; then 64 and 65 contexts */
	static const uint8_t three[] = { 0x01, 0x01, 0x01, 0 };
	static const uint8_t many[EVTLOG_PACKED_CONTEXTS + 2] = { 0x01 };
	const struct evtlog_packed_segment good = {
		.records = 800, .code_bytes = sizeof(one), .bit_bytes = 100,
	};
	struct evtlog_packed_segment lie = good;

	assert_int_equal(unpack_parts(good, 3, one, 800), 0);
	lie.records = 80000;	/* the bits for these are missing */
	assert_int_equal(unpack_parts(lie, 3, one, 80000), -EBADMSG);
	lie.records = 799;	/* but the buffer has more */
	assert_int_equal(unpack_parts(lie, 3, one, 800), -EBADMSG);
	lie.records = 0;
	assert_int_equal(unpack_parts(lie, 3, one, 800), -EBADMSG);
	lie = good;
	lie.shift = EVTLOG_PACKED_SHIFT_MAX + 1;
	assert_int_equal(unpack_parts(lie, 3, one, 800), -EBADMSG);
	assert_int_equal(unpack_parts(good, 9, one, 800), -EBADMSG);
	lie = good;
	lie.code_bytes = sizeof(three);
	assert_int_equal(unpack_parts(lie, 3, three, 800), -EBADMSG);
	lie.code_bytes = 1 + EVTLOG_PACKED_CONTEXTS;
	assert_int_equal(unpack_parts(lie, 3, many, 800), 0);
	lie.code_bytes = 2 + EVTLOG_PACKED_CONTEXTS;
	assert_int_equal(unpack_parts(lie, 3, many, 800), -EBADMSG);
	/* Extras that no record uses */
	lie = good;
	lie.extra_bytes = 1;
	assert_int_equal(unpack_parts(lie, 3, one, 800), -EBADMSG);
}

/* Returns the optimal size by the textbook: join the two smallest weights repeatedly. */
static uint64_t least_bits(const struct huffman_symbol *symbols, uint32_t count)
{
	uint64_t weights[HUFFMAN_SYMBOLS_MAX], bits = 0;

	for (uint32_t k = 0; k < count; k++)
		weights[k] = symbols[k].weight;
	for (; count > 1; count--) {
		for (uint32_t end = count; end > count - 2; end--)
			for (uint32_t k = 0; k + 1 < end; k++)
				if (weights[k] < weights[k + 1]) {
					uint64_t swap = weights[k];

					weights[k] = weights[k + 1];
					weights[k + 1] = swap;
				}
		weights[count - 2] += weights[count - 1];
		bits += weights[count - 2];
	}
	return bits;
}

static void codes_are_as_short_as_they_can_be(void **state)
{
	for (int k = 0; k < 200; k++) {
		struct huffman_symbol symbols[200];
		uint32_t count = 2 + sample_random(199), sum = 0;
		uint64_t bits = 0;

		for (uint32_t at = 0; at < count; at++)
			symbols[at] = (struct huffman_symbol) {
				.weight = 1 + (sample_random(UINT32_MAX) >> (12 + sample_random(20))),
				.symbol = at,
			};
		huffman_make(symbols, count, HUFFMAN_LIMIT_MAX);
		for (uint32_t at = 0; at < count; at++) {
			assert_in_range(symbols[at].length, 1, HUFFMAN_LIMIT_MAX);
			bits += (uint64_t)symbols[at].weight * symbols[at].length;
			sum += 1u << (HUFFMAN_LIMIT_MAX - symbols[at].length);
		}
		assert_int_equal(sum, 1u << HUFFMAN_LIMIT_MAX);
		/* The limit of code lengths costs some bits, if it applies. */
		assert_in_range(bits, least_bits(symbols, count),
				least_bits(symbols, count) * 101 / 100);
	}
}

static int start(void **state)
{
	sample_seed();
	pack = pack_new();
	unpack = unpack_new();
	return pack && unpack ? 0 : -1;
}

static int end(void **state)
{
	pack_free(pack);
	unpack_free(unpack);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_like_a_log_comes_back_much_smaller),
		cmocka_unit_test(whatever_is_packed_comes_back_bit_for_bit),
		cmocka_unit_test(names_do_not_hide_payloads),
		cmocka_unit_test(payloads_of_events_are_not_worth_two_copies),
		cmocka_unit_test(tags_in_turn_and_recent_tags_cost_little),
		cmocka_unit_test(a_buffer_of_several_segments_comes_back),
		cmocka_unit_test(more_contexts_than_there_are_come_back),
		cmocka_unit_test(what_cannot_be_packed_is_refused),
		cmocka_unit_test(a_spoilt_payload_stays_within_bounds),
		cmocka_unit_test(a_payload_that_lies_is_refused),
		cmocka_unit_test(codes_are_as_short_as_they_can_be),
	};

	return cmocka_run_group_tests(tests, start, end);
}
