// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A file of samples is read as it was written.  Damage, or wrong numbers with a correct checksum,
 * are refused with a reason.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <cmocka.h>

#include <evtlog/jitter.h>

#include "jitter/bench/run.h"

#define PATH	"samples"

static const struct evtlog_sample first[] = {
	{ 1000, 1100, 0 }, { 1100, 1250, 0 }, { 5000, 5000, 0 },
};
static const struct evtlog_sample second[] = { { 1200, 1900, 0 } };
static const struct evtlog_sample *const both[] = { first, second };

/* A header, a text of 24 bytes, two threads, four samples */
#define TEXT	"host=a\nkernel=b=c\nx=\n"
#define THREADS_AT	(sizeof(struct evtlog_samples_header) + 24)
#define SAMPLES_AT	(THREADS_AT + 2 * sizeof(struct evtlog_samples_thread))
#define LENGTH		(SAMPLES_AT + 4 * sizeof(struct evtlog_sample) + 4)

static struct evtlog_samples_thread threads[] = {
	{ .cpu = 1, .pid = 70, .begin_ticks = 1000, .end_ticks = 6000, .samples = 3,
	  .base_ticks = 40 },
	{ .cpu = 3, .pid = 71, .begin_ticks = 1200, .end_ticks = 1900, .samples = 1,
	  .base_ticks = 800 },
};

static void write_whole(enum evtlog_samples_method method)
{
	struct samples_file file = {
		.flags = EVTLOG_SAMPLES_LOGGED,
		.method = method,
		.ticks_hz = 1000000000,
		.text = TEXT,
		.threads = threads,
		.samples = both,
		.count = 2,
	};

	assert_int_equal(samples_save(PATH, &file), 0);
}

static uint8_t *read_whole(void)
{
	uint8_t *bytes = malloc(LENGTH);
	int fd = open(PATH, O_RDONLY);

	assert_int_equal(read(fd, bytes, LENGTH), LENGTH);
	close(fd);
	return bytes;
}

static int try_bytes(const uint8_t *bytes, size_t length, char *reason)
{
	struct evtlog_samples *samples = NULL;
	struct evtlog_error error = { 0 };
	int fd = memfd_create("samples", MFD_CLOEXEC), result;
	char path[32];

	assert_int_equal(write(fd, bytes, length), length);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	result = evtlog_samples_open(path, &samples, &error);
	close(fd);
	if (result)
		assert_int_not_equal(*error.reason, '\0');
	else
		evtlog_samples_close(samples);
	if (reason)
		strcpy(reason, error.reason);
	return result;
}

static void what_is_written_is_read_again(void **state)
{
	const struct evtlog_samples_header *header;
	struct evtlog_samples *samples;
	struct stat stat_of;

	write_whole(EVTLOG_SAMPLES_LOOP);
	assert_int_equal(stat(PATH, &stat_of), 0);
	assert_int_equal(stat_of.st_mode & 07777, 0600);
	assert_int_equal(stat_of.st_size, LENGTH);
	assert_int_equal(evtlog_samples_open(PATH, &samples, NULL), 0);
	header = evtlog_samples_header(samples);
	assert_int_equal(header->threads, 2);
	assert_int_equal(header->flags, EVTLOG_SAMPLES_LOGGED);
	assert_int_equal(header->ticks_hz, 1000000000);
	assert_string_equal(evtlog_samples_meta(samples, "host"), "a");
	assert_string_equal(evtlog_samples_meta(samples, "kernel"), "b=c");
	assert_string_equal(evtlog_samples_meta(samples, "x"), "");
	assert_null(evtlog_samples_meta(samples, "y"));
	for (size_t i = 0; i < 2; i++) {
		assert_memory_equal(evtlog_samples_thread(samples, i), &threads[i],
				    sizeof(threads[i]));
		assert_memory_equal(evtlog_samples_of(samples, i), both[i],
				    threads[i].samples * sizeof(*both[i]));
	}
	assert_null(evtlog_samples_thread(samples, 2));
	assert_null(evtlog_samples_of(samples, 2));
	/* 100 ticks less 40 of the loop itself.  A sample shorter than 40 ticks has no noise. */
	assert_int_equal(evtlog_sample_noise(samples, &threads[0], &first[0]), 60);
	assert_int_equal(evtlog_sample_noise(samples, &threads[0], &first[2]), 0);
	assert_int_equal(evtlog_sample_noise(samples, &threads[1], &second[0]), 0);
	evtlog_samples_close(samples);
}

static void noise_of_a_quantum_is_the_time_that_its_work_did_not_take(void **state)
{
	static const struct evtlog_sample quanta[] = {
		{ 0, 1000000, 10000 }, { 1000000, 2000003, 9000 },
		{ 2000003, UINT64_MAX, 1ULL << 63 },
	};
	static const struct evtlog_sample *const of[] = { quanta };
	struct evtlog_samples_thread thread = {
		.end_ticks = UINT64_MAX, .samples = 3,
		.base_ticks = 1000000, .base_work = 10000,
	};
	struct samples_file file = {
		.method = EVTLOG_SAMPLES_QUANTUM, .ticks_hz = 1000000000, .text = "",
		.threads = &thread, .samples = of, .count = 1,
	};
	struct evtlog_samples *samples;

	assert_int_equal(samples_save(PATH, &file), 0);
	assert_int_equal(evtlog_samples_open(PATH, &samples, NULL), 0);
	assert_int_equal(evtlog_sample_noise(samples, &thread, &quanta[0]), 0);
	assert_int_equal(evtlog_sample_noise(samples, &thread, &quanta[1]), 100003);
	assert_int_equal(evtlog_sample_noise(samples, &thread, &quanta[2]), 0);
	evtlog_samples_close(samples);
	thread.base_work = 0;
	assert_int_equal(samples_save(PATH, &file), 0);
	assert_int_equal(evtlog_samples_open(PATH, &samples, NULL), -EBADMSG);
}

static void a_file_cut_anywhere_or_longer_is_refused(void **state)
{
	uint8_t *bytes, *longer = calloc(1, LENGTH + 8);

	write_whole(EVTLOG_SAMPLES_LOOP);
	bytes = read_whole();
	for (size_t cut = 0; cut < LENGTH; cut++)
		assert_int_equal(try_bytes(bytes, cut, NULL),
				 cut < 8 ? -EMEDIUMTYPE : -EBADMSG);
	memcpy(longer, bytes, LENGTH);
	for (size_t more = 1; more <= 8; more++)
		assert_int_equal(try_bytes(longer, LENGTH + more, NULL), -EBADMSG);
	assert_int_equal(try_bytes(bytes, LENGTH, NULL), 0);
	free(longer);
	free(bytes);
}

static void a_flipped_bit_is_always_found(void **state)
{
	uint8_t *bytes;

	write_whole(EVTLOG_SAMPLES_LOOP);
	bytes = read_whole();
	for (size_t bit = 0; bit < 8 * LENGTH; bit++) {
		int result;

		bytes[bit / 8] ^= 1 << bit % 8;
		result = try_bytes(bytes, LENGTH, NULL);
		if (bit < 64)
			assert_int_equal(result, -EMEDIUMTYPE);
		else if (bit < 80)
			assert_int_equal(result, -EPROTONOSUPPORT);
		else
			assert_int_equal(result, -EBADMSG);
		bytes[bit / 8] ^= 1 << bit % 8;
	}
	free(bytes);
}

/* The checksum is corrected: only @value is wrong. */
static void refused(size_t offset, const void *value, size_t length, const char *reason)
{
	char said[sizeof(((struct evtlog_error *)0)->reason)];
	uint8_t *bytes = read_whole();
	uint32_t crc;

	memcpy(bytes + offset, value, length);
	crc = crc32(0, bytes, LENGTH - 4);
	memcpy(bytes + LENGTH - 4, &crc, 4);
	assert_int_equal(try_bytes(bytes, LENGTH, said), -EBADMSG);
	if (!strstr(said, reason))
		fail_msg("'%s' is not in '%s'", reason, said);
	write_whole(EVTLOG_SAMPLES_LOOP);
	free(bytes);
}

static void refused_u32(size_t offset, uint32_t value, const char *reason)
{
	refused(offset, &value, sizeof(value), reason);
}

static void refused_u64(size_t offset, uint64_t value, const char *reason)
{
	refused(offset, &value, sizeof(value), reason);
}

static void a_lie_with_a_right_checksum_is_refused(void **state)
{
	struct evtlog_samples *samples;
	size_t of_header[] = {
		offsetof(struct evtlog_samples_header, header_bytes),
		offsetof(struct evtlog_samples_header, method),
		offsetof(struct evtlog_samples_header, threads),
		offsetof(struct evtlog_samples_header, text_bytes),
		offsetof(struct evtlog_samples_header, ticks_hz),
	};
	size_t cpu = THREADS_AT + offsetof(struct evtlog_samples_thread, cpu);
	size_t begin = THREADS_AT + offsetof(struct evtlog_samples_thread, begin_ticks);
	size_t end = THREADS_AT + offsetof(struct evtlog_samples_thread, end_ticks);
	size_t count = THREADS_AT + offsetof(struct evtlog_samples_thread, samples);
	size_t one = SAMPLES_AT + sizeof(struct evtlog_sample);
	static const uint16_t header_bytes = 64;

	write_whole(EVTLOG_SAMPLES_LOOP);
	refused(of_header[0], &header_bytes, 2, "header has 64 bytes");
	refused_u32(of_header[1], 3, "method 3");
	refused_u32(of_header[2], UINT32_MAX, "4294967295 threads");
	refused_u32(of_header[2], 1, "follow its end");
	refused_u32(of_header[2], 3, "truncated");
	refused_u32(of_header[3], UINT32_MAX - 7, "text");
	refused_u32(of_header[3], 1u << 20, "text");
	refused_u32(of_header[3], 23, "text");
	refused_u64(of_header[4], 0, "0 Hz");
	refused_u64(of_header[4], UINT64_MAX, "Hz");
	refused_u32(cpu, 3, "the CPU of thread 1");
	refused_u32(cpu, 4, "the CPU of thread 1");
	refused_u64(begin, 6001, "ends before it begins");
	refused_u64(begin, 1001, "sample 0 of thread 0 is out of order");
	refused_u64(end, 4999, "sample 2 of thread 0 is out of order");
	/* As many bytes as 2^64 and one sample */
	refused_u64(count, (UINT64_MAX / sizeof(struct evtlog_sample)) + 2, "truncated");
	refused_u64(count, UINT64_MAX, "truncated");
	refused_u64(count, 2, "follow its end");
	refused_u64(one, 1099, "sample 1 of thread 0 is out of order");
	refused_u64(one, 1251, "sample 1 of thread 0 is out of order");
	refused_u64(one + 16, 1, "has work");
	assert_int_equal(evtlog_samples_open("nothing", &samples, NULL), -ENOENT);
	assert_int_equal(evtlog_samples_open(".", &samples, NULL), -EISDIR);
}

static void damage_anywhere_with_a_right_checksum_harms_nothing(void **state)
{
	uint64_t seed = 88172645463325252ULL;
	uint8_t *bytes;

	write_whole(EVTLOG_SAMPLES_LOOP);
	bytes = read_whole();
	for (int round = 0; round < 20000; round++) {
		uint8_t *copy = malloc(LENGTH);
		size_t length = LENGTH;
		uint32_t crc;

		memcpy(copy, bytes, LENGTH);
		for (int i = 0; i < 1 + round % 4; i++) {
			seed ^= seed << 13;
			seed ^= seed >> 7;
			seed ^= seed << 17;
			copy[8 + seed % (LENGTH - 12)] = seed >> 32;
			if (seed >> 40 & 1)
				copy[8 + seed % (LENGTH - 12)] = seed >> 41 & 1 ? 0xff : 0;
		}
		if (round % 16 == 0)
			length = 12 + seed % (LENGTH - 12);
		crc = crc32(0, copy, length - 4);
		memcpy(copy + length - 4, &crc, 4);
		try_bytes(copy, length, NULL);
		free(copy);
	}
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_again),
		cmocka_unit_test(noise_of_a_quantum_is_the_time_that_its_work_did_not_take),
		cmocka_unit_test(a_file_cut_anywhere_or_longer_is_refused),
		cmocka_unit_test(a_flipped_bit_is_always_found),
		cmocka_unit_test(a_lie_with_a_right_checksum_is_refused),
		cmocka_unit_test(damage_anywhere_with_a_right_checksum_harms_nothing),
	};
	char directory[] = "/tmp/samples_test.XXXXXX";
	int failed;

	if (!mkdtemp(directory) || chdir(directory))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(PATH);
	rmdir(directory);
	return failed;
}
