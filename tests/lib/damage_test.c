// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libevtlog reads on in truncated and corrupted files, and reports exactly what is missing.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <evtlog/file.h>

#include "../fuzz/mutate.h"
#include "sample.h"

static uint64_t seed;

static struct evtlog_file *open_copy(const uint8_t *bytes, size_t length,
				     uint8_t **copy)
{
	*copy = malloc(length);
	memcpy(*copy, bytes, length);
	return open_bytes(*copy, length);
}

static void a_file_cut_anywhere_in_its_last_blocks_tells_what_is_gone(void **state)
{
	struct sample sample = sample_make(2, 300);
	size_t last = sample.blocks - 2;
	struct evtlog_block_header gone = sample_block(&sample, last);

	for (size_t cut = sample.offsets[last]; cut < sample.length; cut++) {
		struct evtlog_summary summary;
		const struct evtlog_damage *torn;
		struct evtlog_file *file;
		uint8_t *copy;

		file = open_copy(sample.bytes, cut, &copy);
		torn = find_damage(file, EVTLOG_DAMAGE_TORN);
		read_all(file);
		evtlog_summarize(file, &summary);
		if (cut >= sample.offsets[last] + sizeof(gone) +
			   gone.stored_bytes) {
			/* Only the index is truncated. */
			assert_int_equal(summary.buffers, last + 1);
			assert_true(summary.complete);
		} else {
			assert_int_equal(summary.buffers, last);
			assert_false(summary.complete);
			if (cut >= sample.offsets[last] + sizeof(gone)) {
				assert_non_null(torn);
				assert_int_equal(torn->offset,
						 sample.offsets[last]);
				assert_int_equal(torn->length,
						 cut - sample.offsets[last]);
				assert_int_equal(torn->cpu, gone.cpu);
				assert_int_equal(torn->sequence, gone.sequence);
				assert_int_equal(torn->buffers, 1);
			} else if (cut > sample.offsets[last]) {
				assert_non_null(find_damage(file,
						EVTLOG_DAMAGE_GARBAGE));
			}
		}
		assert_false(summary.closed);
		evtlog_close(file);
		free(copy);
	}
	sample_free(&sample);
}

/* Flips every seventh bit, one at a time: at least one bit of each byte. */
static void a_flipped_bit_is_always_found_and_costs_one_buffer_at_most(void **state)
{
	static const enum loggen_compress ways[] = {
		LOGGEN_STORE, LOGGEN_DEFLATE, LOGGEN_PACK,
	};

	for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++) {
		bool packs = ways[way] == LOGGEN_PACK;
		struct sample sample = sample_make(ways[way], packs ? 400 : 60);

		if (packs)
			assert_true(sample_block(&sample, 0).flags & EVTLOG_BLOCK_PACKED);

		for (size_t bit = seed % 7; bit < 8 * sample.length; bit += 7) {
			struct evtlog_summary summary;
			struct evtlog_file *file;
			struct reading reading;
			int error;

			sample.bytes[bit / 8] ^= 1 << bit % 8;
			error = evtlog_open_bytes(sample.bytes, sample.length,
						  &file, NULL);
			if (error) {
				assert_true(bit / 8 < sample.offsets[0]);
			} else {
				reading = read_all(file);
				evtlog_summarize(file, &summary);
				/* A flip in the trailer leaves the file unclosed. */
				if (!evtlog_damage_count(file))
					fail_msg("bit %zu of byte %zu", bit % 8,
						 bit / 8);
				assert_true(reading.lost_buffers <= 1);
				assert_true(summary.buffers + 1 >=
					    sample.blocks - 1);
				evtlog_close(file);
			}
			sample.bytes[bit / 8] ^= 1 << bit % 8;
		}
		sample_free(&sample);
	}
}

static void a_damaged_payload_names_its_buffer(void **state)
{
	struct sample sample = sample_make(2, 300);

	for (size_t n = 0; n < sample.blocks - 1; n++) {
		struct evtlog_block_header header = sample_block(&sample, n);
		size_t at = sample.offsets[n] + sizeof(header) +
			    header.stored_bytes / 2;
		const struct evtlog_damage *damage;
		struct evtlog_file *file;

		sample.bytes[at] ^= 0x10;
		file = open_bytes(sample.bytes, sample.length);
		read_all(file);
		read_all(file);
		assert_int_equal(evtlog_damage_count(file), 1);
		damage = evtlog_damage(file, 0);
		assert_int_equal(damage->kind, EVTLOG_DAMAGE_PAYLOAD);
		assert_int_equal(damage->offset, sample.offsets[n]);
		assert_int_equal(damage->length,
				 sizeof(header) + header.stored_bytes);
		assert_int_equal(damage->cpu, header.cpu);
		assert_int_equal(damage->sequence, header.sequence);
		assert_int_equal(damage->buffers, 1);
		evtlog_close(file);
		sample.bytes[at] ^= 0x10;
	}
	sample_free(&sample);
}

static void a_damaged_header_leaves_a_hole_that_is_named(void **state)
{
	struct sample sample = sample_make(0, 300);

	/* Not the last two: without a next buffer, a gap at the end is invisible. */
	for (size_t n = 0; n + 3 < sample.blocks; n++) {
		struct evtlog_block_header header = sample_block(&sample, n);
		const struct evtlog_damage *damage;
		struct evtlog_file *file;

		sample.bytes[sample.offsets[n] + 20] ^= 1;
		file = open_bytes(sample.bytes, sample.length);
		read_all(file);
		damage = find_damage(file, EVTLOG_DAMAGE_GARBAGE);
		assert_int_equal(damage->offset, sample.offsets[n]);
		assert_int_equal(damage->offset + damage->length,
				 sample.offsets[n + 1]);
		damage = find_damage(file, EVTLOG_DAMAGE_MISSING);
		assert_int_equal(damage->cpu, header.cpu);
		assert_int_equal(damage->sequence, header.sequence);
		assert_int_equal(damage->buffers, 1);
		/* The index lists the block, and contradicts. */
		assert_non_null(find_damage(file, EVTLOG_DAMAGE_INDEX));
		assert_int_equal(evtlog_damage_count(file), 3);
		evtlog_close(file);
		sample.bytes[sample.offsets[n] + 20] ^= 1;
	}
	sample_free(&sample);
}

static void bytes_missing_from_one_block_cost_only_that_block(void **state)
{
	uint64_t random = seed;

	for (int round = 0; round < 200; round++) {
		struct sample sample = sample_make(round % 3, 300);
		size_t n = xorshift(&random) % (sample.blocks - 2);
		struct evtlog_block_header header = sample_block(&sample, n);
		size_t at = sample.offsets[n] + sizeof(header) +
			    xorshift(&random) % header.stored_bytes;
		size_t capacity = sample.offsets[n + 1] - at;
		size_t cut = 1 + xorshift(&random) % capacity;
		const struct evtlog_damage *damage;
		struct evtlog_summary summary;
		struct evtlog_file *file;

		/*
		 * Otherwise the block after the next would be where the next is expected. The next
		 * block would be skipped and reported as missing.
		 */
		if (cut == sample.offsets[n + 2] - sample.offsets[n + 1])
			cut--;
		memmove(sample.bytes + at, sample.bytes + at + cut,
			sample.length - at - cut);
		file = open_bytes(sample.bytes, sample.length - cut);
		read_all(file);
		evtlog_summarize(file, &summary);
		damage = find_damage(file, EVTLOG_DAMAGE_PAYLOAD);
		/* Possibly only padding is cut. */
		if (at >= sample.offsets[n] + sizeof(header) +
			  header.stored_bytes) {
			assert_int_equal(summary.buffers, sample.blocks - 1);
		} else {
			assert_non_null(damage);
			assert_int_equal(damage->cpu, header.cpu);
			assert_int_equal(damage->sequence, header.sequence);
			assert_true(summary.buffers >= sample.blocks - 2);
			assert_null(find_damage(file, EVTLOG_DAMAGE_MISSING));
		}
		evtlog_close(file);
		sample_free(&sample);
	}
}

static void bytes_inserted_between_blocks_cost_nothing(void **state)
{
	uint64_t random = seed;

	for (int round = 0; round < 100; round++) {
		struct sample sample = sample_make(round % 3, 300);
		size_t n = xorshift(&random) % sample.blocks;
		size_t at = sample.offsets[n];
		size_t extra = 1 + xorshift(&random) % 700000;
		uint8_t *bytes = malloc(sample.length + extra);
		const struct evtlog_damage *damage;
		struct evtlog_file *file;
		struct reading reading;

		memcpy(bytes, sample.bytes, at);
		for (size_t i = 0; i < extra; i++)
			bytes[at + i] = xorshift(&random);
		memcpy(bytes + at + extra, sample.bytes + at,
		       sample.length - at);
		file = open_bytes(bytes, sample.length + extra);
		reading = read_all(file);
		assert_int_equal(reading.records, sample.records);
		damage = find_damage(file, EVTLOG_DAMAGE_GARBAGE);
		assert_int_equal(damage->offset, at);
		assert_int_equal(damage->length, extra);
		evtlog_close(file);
		free(bytes);
		sample_free(&sample);
	}
}

static void an_index_that_lies_is_found_out_and_not_followed(void **state)
{
	struct sample sample = sample_make(0, 300);
	struct evtlog_index_entry *entry;
	struct evtlog_file *file;
	struct reading reading;

	/* The checksums are correct. */
	entry = (void *)(sample.bytes + sample.offsets[sample.blocks - 1] +
			 sizeof(struct evtlog_block_header));
	entry->offset = UINT64_MAX - 100;
	entry->cpu = 60000;
	mutate_seal(sample.bytes, sample.length);
	file = open_bytes(sample.bytes, sample.length);
	reading = read_all(file);
	assert_int_equal(reading.records, sample.records);
	assert_int_equal(evtlog_damage_count(file), 1);
	assert_non_null(find_damage(file, EVTLOG_DAMAGE_INDEX));
	evtlog_close(file);
	sample_free(&sample);
}

static void a_damaged_index_leaves_a_file_closed(void **state)
{
	struct sample sample = sample_make(0, 300);
	struct evtlog_summary summary;
	struct evtlog_file *file;
	struct reading reading;

	sample.bytes[sample.offsets[sample.blocks - 1] + 9] ^= 1;
	file = open_bytes(sample.bytes, sample.length);
	reading = read_all(file);
	evtlog_summarize(file, &summary);
	assert_true(summary.closed);
	assert_true(summary.complete);
	assert_int_equal(reading.records, sample.records);
	assert_non_null(find_damage(file, EVTLOG_DAMAGE_GARBAGE));
	assert_non_null(find_damage(file, EVTLOG_DAMAGE_INDEX));
	evtlog_close(file);
	sample_free(&sample);
}

/* A buffer with correct checksums contains a word that is no record, or half a record. */
static void an_unknown_record_ends_only_its_buffer(void **state)
{
	static const struct {
		uint64_t word;
		bool last;
	} cases[] = {
		{ 0, false },
		/* No such type in the format */
		{ UINT64_C(63) << EVTLOG_TYPE_SHIFT, false },
		/* Only one word of four */
		{ (uint64_t)EVTLOG_LOST << EVTLOG_TYPE_SHIFT, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sample sample = sample_make(0, 300);
		struct evtlog_block_header header = sample_block(&sample, 2);
		size_t begin = sample.offsets[2] + sizeof(header);
		uint8_t *payload = sample.bytes + begin;
		size_t at = sizeof(struct evtlog_buffer_header);
		const struct evtlog_damage *damage;
		struct evtlog_file *file;
		struct reading reading;
		uint64_t put = (uint64_t)EVTLOG_SOFTIRQ_EXIT <<
			       EVTLOG_TYPE_SHIFT;

		/* Make every word a separate record, up to the last. */
		for (size_t w = at; cases[i].last && w < header.stored_bytes;
		     w += 8)
			memcpy(payload + w, &put, 8);
		if (cases[i].last)
			at = header.stored_bytes - 8;
		memcpy(payload + at, &cases[i].word, 8);
		mutate_seal(sample.bytes, sample.length);
		file = open_bytes(sample.bytes, sample.length);
		read_all(file);
		reading = read_all(file);
		assert_int_equal(evtlog_damage_count(file), 1);
		damage = find_damage(file, EVTLOG_DAMAGE_RECORD);
		assert_int_equal(damage->cpu, header.cpu);
		assert_int_equal(damage->sequence, header.sequence);
		assert_int_equal(damage->offset, begin + at);
		assert_int_equal(damage->length, header.stored_bytes - at);
		assert_true(reading.records > sample.records / 2);
		evtlog_close(file);
		sample_free(&sample);
	}
}

static void a_good_copy_replaces_a_damaged_one(void **state)
{
	struct loggen_options options = loggen_defaults();
	struct loggen *gen = loggen_new(&options);
	const struct evtlog_damage *damage;
	uint64_t random = seed, damages;
	const uint64_t *offsets;
	struct evtlog_file *file;
	struct reading whole, reading;
	const uint8_t *bytes;
	uint8_t *copy;
	size_t length, last;

	random_log(gen, 2, 300, &random);
	bytes = loggen_bytes(gen, &length);
	assert_int_equal(try_bytes(bytes, length, &whole, &damages), 0);
	last = loggen_blocks(gen, &offsets) - 1;
	loggen_repeat_last_block(gen);
	bytes = loggen_bytes(gen, &length);
	loggen_blocks(gen, &offsets);
	copy = malloc(length);
	memcpy(copy, bytes, length);
	copy[offsets[last] + 100] ^= 1;
	file = open_bytes(copy, length);
	reading = read_all(file);
	assert_int_equal(reading.checksum, whole.checksum);
	damage = find_damage(file, EVTLOG_DAMAGE_PAYLOAD);
	assert_int_equal(damage->buffers, 0);
	evtlog_close(file);
	free(copy);
	loggen_free(gen);
}

/* Two different buffers of a CPU have the same number: the second is not read, and is damage. */
static void a_second_buffer_with_the_same_number_is_found(void **state)
{
	struct sample sample = sample_make(0, 300);
	struct evtlog_block_header header = sample_block(&sample, 2), other;
	const struct evtlog_damage *damage;
	struct evtlog_file *file;
	size_t number = 3;

	while (sample_block(&sample, number).cpu != header.cpu)
		number++;
	other = sample_block(&sample, number);
	assert_int_equal(other.sequence, header.sequence + 1);
	other.sequence = header.sequence;
	memcpy(sample.bytes + sample.offsets[number], &other, sizeof(other));
	mutate_seal(sample.bytes, sample.length);
	file = open_bytes(sample.bytes, sample.length);
	damage = find_damage(file, EVTLOG_DAMAGE_BUFFER);
	assert_non_null(damage);
	assert_int_equal(damage->offset, sample.offsets[number]);
	assert_int_equal(damage->cpu, header.cpu);
	assert_int_equal(damage->sequence, header.sequence);
	assert_int_equal(damage->buffers, 1);
	evtlog_close(file);
	sample_free(&sample);
}

static void a_file_cut_while_it_is_read_gives_what_is_left(void **state)
{
	struct sample sample = sample_make(0, 2000);
	char path[] = "/tmp/evtlog-cut-XXXXXX";
	int fd = mkstemp(path);
	struct evtlog_file *file;
	struct reading reading;

	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(write(fd, sample.bytes, sample.length), sample.length);
	assert_int_equal(evtlog_open_fd(fd, &file, NULL), 0);
	assert_int_equal(ftruncate(fd, sample.length / 2), 0);
	reading = read_all(file);
	assert_true(reading.records && reading.records < sample.records);
	assert_non_null(find_damage(file, EVTLOG_DAMAGE_TORN));
	evtlog_close(file);
	close(fd);
	sample_free(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_cut_anywhere_in_its_last_blocks_tells_what_is_gone),
		cmocka_unit_test(a_flipped_bit_is_always_found_and_costs_one_buffer_at_most),
		cmocka_unit_test(a_damaged_payload_names_its_buffer),
		cmocka_unit_test(a_damaged_header_leaves_a_hole_that_is_named),
		cmocka_unit_test(bytes_missing_from_one_block_cost_only_that_block),
		cmocka_unit_test(bytes_inserted_between_blocks_cost_nothing),
		cmocka_unit_test(an_index_that_lies_is_found_out_and_not_followed),
		cmocka_unit_test(a_damaged_index_leaves_a_file_closed),
		cmocka_unit_test(an_unknown_record_ends_only_its_buffer),
		cmocka_unit_test(a_good_copy_replaces_a_damaged_one),
		cmocka_unit_test(a_second_buffer_with_the_same_number_is_found),
		cmocka_unit_test(a_file_cut_while_it_is_read_gives_what_is_left),
	};

	seed = sample_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
