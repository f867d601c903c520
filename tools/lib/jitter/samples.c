// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads the file of samples that `evtlog jitter run` writes.
 *
 * Stage: between a file of samples and its join with a log.  All values are checked here, so
 * callers can rely on them.  It does not use the log.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <evtlog/file.h>
#include <evtlog/jitter.h>

#include "lib/file/header.h"

#define CRC_BYTES	sizeof(uint32_t)
/* More than any machine has, and few enough to avoid overflows. */
#define THREADS_MAX	65536

/* A newer version with longer structs cannot be read. */
_Static_assert(sizeof(struct evtlog_samples_header) == 56, "header");
_Static_assert(sizeof(struct evtlog_samples_thread) == 168, "thread");
_Static_assert(sizeof(struct evtlog_sample) == 24, "sample");

/*
 * @bytes:	the whole file
 * @text:	its lines, parsed by meta_parse()
 * @of:		samples of each thread
 */
struct evtlog_samples {
	uint8_t *bytes;
	uint64_t length;
	const struct evtlog_samples_header *header;
	char *text;
	struct meta meta;
	const struct evtlog_samples_thread *threads;
	const struct evtlog_sample **of;
};

/* Checks the counts against the length of the file, which also limits all sums. */
static int check_lengths(struct evtlog_samples *samples, struct evtlog_error *error)
{
	const struct evtlog_samples_header *header = samples->header;
	uint64_t left = samples->length - sizeof(*header) - CRC_BYTES;
	uint64_t at = sizeof(*header);
	uint32_t text_bytes = header->text_bytes;

	if (text_bytes > EVTLOG_FILE_TEXT_MAX_BYTES || text_bytes % 8 || text_bytes > left)
		return head_fail(error, -EBADMSG, 24, "its text of %u bytes is truncated or invalid",
				 text_bytes);
	at += text_bytes;
	left -= text_bytes;
	if (header->threads > THREADS_MAX ||
	    header->threads > left / sizeof(struct evtlog_samples_thread))
		return head_fail(error, -EBADMSG, 20, "it is truncated within its %u threads",
				 header->threads);
	samples->threads = (const void *)(samples->bytes + at);
	at += header->threads * sizeof(struct evtlog_samples_thread);
	left -= header->threads * sizeof(struct evtlog_samples_thread);
	samples->of = calloc(header->threads + 1, sizeof(*samples->of));
	if (!samples->of)
		return head_fail(error, -ENOMEM, 0, "out of memory");
	for (uint32_t i = 0; i < header->threads; i++) {
		uint64_t count = samples->threads[i].samples;

		if (count > left / sizeof(struct evtlog_sample))
			return head_fail(error, -EBADMSG, at,
					 "it is truncated within the %llu samples of thread %u",
					 (unsigned long long)count, i);
		samples->of[i] = (const void *)(samples->bytes + at);
		at += count * sizeof(struct evtlog_sample);
		left -= count * sizeof(struct evtlog_sample);
	}
	if (left)
		return head_fail(error, -EBADMSG, at, "%llu bytes follow its end",
				 (unsigned long long)left);
	return 0;
}

static int check_crc(const struct evtlog_samples *samples, struct evtlog_error *error)
{
	uint64_t length = samples->length - CRC_BYTES;
	uint32_t stored;

	memcpy(&stored, samples->bytes + length, sizeof(stored));
	/* crc32() takes 32-bit lengths only. */
	if (crc32_z(0, samples->bytes, length) != stored)
		return head_fail(error, -EBADMSG, length, "its checksum is wrong");
	return 0;
}

static int parse_text(struct evtlog_samples *samples, struct evtlog_error *error)
{
	uint32_t bytes = samples->header->text_bytes;
	char *rest;

	samples->text = malloc(bytes + 1);
	if (!samples->text)
		return head_fail(error, -ENOMEM, 0, "out of memory");
	memcpy(samples->text, samples->header + 1, bytes);
	samples->text[bytes] = '\0';
	if (meta_parse(&samples->meta, samples->text, &rest))
		return head_fail(error, -ENOMEM, 0, "out of memory");
	return 0;
}

static int check_header(const struct evtlog_samples_header *header, struct evtlog_error *error)
{
	if (header->header_bytes != sizeof(*header))
		return head_fail(error, -EBADMSG, 10, "its header has %u bytes, not %zu",
				 header->header_bytes, sizeof(*header));
	if (header->method > EVTLOG_SAMPLES_QUANTUM)
		return head_fail(error, -EBADMSG, 16, "method %u is unknown", header->method);
	/* 1 kHz to 1 THz: later computations do not overflow. */
	if (header->ticks_hz < 1000 || header->ticks_hz > 1000000000000ULL)
		return head_fail(error, -EBADMSG, 32, "a counter of %llu Hz is invalid",
				 (unsigned long long)header->ticks_hz);
	return 0;
}

static int check_samples(const struct evtlog_samples *samples, uint32_t number,
			 struct evtlog_error *error)
{
	const struct evtlog_samples_thread *thread = &samples->threads[number];
	const struct evtlog_sample *sample = samples->of[number];
	uint64_t at = thread->begin_ticks;

	for (uint64_t i = 0; i < thread->samples; i++, sample++) {
		uint64_t offset = (const uint8_t *)sample - samples->bytes;

		if (sample->begin_ticks < at || sample->end_ticks < sample->begin_ticks ||
		    sample->end_ticks > thread->end_ticks)
			return head_fail(error, -EBADMSG, offset,
					 "sample %llu of thread %u is out of order",
					 (unsigned long long)i, number);
		if (sample->work && samples->header->method != EVTLOG_SAMPLES_QUANTUM)
			return head_fail(error, -EBADMSG, offset,
					 "sample %llu of thread %u has work, but the method counts none",
					 (unsigned long long)i, number);
		at = sample->end_ticks;
	}
	return 0;
}

static int check_thread(const struct evtlog_samples *samples, uint32_t number,
			struct evtlog_error *error)
{
	const struct evtlog_samples_thread *thread = &samples->threads[number];
	uint64_t offset = (const uint8_t *)thread - samples->bytes;
	bool has_work = samples->header->method == EVTLOG_SAMPLES_QUANTUM;

	if (thread->end_ticks < thread->begin_ticks)
		return head_fail(error, -EBADMSG, offset, "thread %u ends before it begins",
				 number);
	if (thread->samples && has_work && (!thread->base_work || !thread->base_ticks))
		return head_fail(error, -EBADMSG, offset, "thread %u has a quantum without work",
				 number);
	if (number && samples->threads[number - 1].cpu >= thread->cpu)
		return head_fail(error, -EBADMSG, offset, "the CPU of thread %u is not above that of the thread before it",
				 number);
	return check_samples(samples, number, error);
}

static int check(struct evtlog_samples *samples, struct evtlog_error *error)
{
	int result = check_lengths(samples, error);

	if (!result)
		result = check_crc(samples, error);
	if (!result)
		result = check_header(samples->header, error);
	if (!result)
		result = parse_text(samples, error);
	for (uint32_t i = 0; i < samples->header->threads && !result; i++)
		result = check_thread(samples, i, error);
	return result;
}

/* The checksum covers the whole file; it and the header's length are checked separately. */
static const struct head_format head_of_samples = {
	.magic = EVTLOG_SAMPLES_MAGIC,
	.bytes = sizeof(struct evtlog_samples_header),
	.version = EVTLOG_SAMPLES_VERSION,
	.version_at = offsetof(struct evtlog_samples_header, version),
	.version_bytes = 2,
};

static int read_all(struct evtlog_samples *samples, const struct source *source,
		    struct evtlog_error *error)
{
	struct evtlog_samples_header header = { 0 };
	enum head_fault fault;
	ssize_t got = source_read(source, &header, sizeof(header), 0);

	if (got < 0)
		return head_fail(error, got, 0, "%s", strerror(-got));
	fault = head_check(&head_of_samples, &header, got);
	if (!fault && source->size_bytes < sizeof(header) + CRC_BYTES)
		fault = HEAD_SHORT;
	if (fault == HEAD_ALIEN)
		return head_fail(error, -EMEDIUMTYPE, 0, "it is not a file of samples");
	if (fault)
		return head_refuse(error, &head_of_samples, "", &header, got, fault);
	samples->length = source->size_bytes;
	samples->bytes = malloc(samples->length);
	if (!samples->bytes)
		return head_fail(error, -ENOMEM, 0, "out of memory");
	got = source_read(source, samples->bytes, samples->length, 0);
	if (got < 0)
		return head_fail(error, got, 0, "%s", strerror(-got));
	/* Also detects a change between the two reads. */
	if ((uint64_t)got != samples->length || memcmp(samples->bytes, &header, sizeof(header)))
		return head_fail(error, -EBADMSG, got, "it changes while it is read");
	samples->header = (const void *)samples->bytes;
	return check(samples, error);
}

int evtlog_samples_open(const char *path, struct evtlog_samples **samplesp,
			struct evtlog_error *error)
{
	struct evtlog_samples *samples;
	struct source source;
	int result;

	*samplesp = NULL;
	result = source_open(&source, path);
	if (result)
		return head_fail(error, result, 0, "%s", strerror(-result));
	samples = calloc(1, sizeof(*samples));
	if (samples)
		result = read_all(samples, &source, error);
	else
		result = head_fail(error, -ENOMEM, 0, "out of memory");
	source_close(&source);
	if (result) {
		evtlog_samples_close(samples);
		return result;
	}
	*samplesp = samples;
	return 0;
}

void evtlog_samples_close(struct evtlog_samples *samples)
{
	if (!samples)
		return;
	meta_free(&samples->meta);
	free(samples->text);
	free(samples->of);
	free(samples->bytes);
	free(samples);
}

void evtlog_samples_drop(struct evtlog_samples *samples)
{
	uint32_t threads = samples->header->threads;
	size_t at = (const uint8_t *)samples->threads - samples->bytes;
	size_t kept = at + threads * sizeof(*samples->threads);
	uint8_t *bytes = realloc(samples->bytes, kept);

	memset(samples->of, 0, threads * sizeof(*samples->of));
	if (!bytes)
		return;
	samples->bytes = bytes;
	samples->header = (const void *)bytes;
	samples->threads = (const void *)(bytes + at);
}

const struct evtlog_samples_header *
evtlog_samples_header(const struct evtlog_samples *samples)
{
	return samples->header;
}

const char *evtlog_samples_meta(const struct evtlog_samples *samples, const char *key)
{
	return meta_find(&samples->meta, key);
}

const struct evtlog_samples_thread *
evtlog_samples_thread(const struct evtlog_samples *samples, size_t thread)
{
	return thread < samples->header->threads ? &samples->threads[thread] : NULL;
}

const struct evtlog_sample *
evtlog_samples_of(const struct evtlog_samples *samples, size_t thread)
{
	return thread < samples->header->threads ? samples->of[thread] : NULL;
}

uint64_t evtlog_sample_noise(const struct evtlog_samples *samples,
			     const struct evtlog_samples_thread *thread,
			     const struct evtlog_sample *sample)
{
	uint64_t delta = sample->end_ticks - sample->begin_ticks;
	unsigned __int128 undisturbed = thread->base_ticks;

	if (samples->header->method == EVTLOG_SAMPLES_QUANTUM && thread->base_work)
		undisturbed = undisturbed * sample->work / thread->base_work;
	return delta > undisturbed ? delta - (uint64_t)undisturbed : 0;
}
