// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes samples: header, text, threads, samples, checksum.
 *
 * Stage: called after the benchmark; samples.c reads the file.
 */
#include <errno.h>
#include <string.h>
#include <zlib.h>

#include <evtlog/file.h>

#include "samples-write.h"

/*
 * Output and its checksum.
 * @error:	of the first write that failed; errno may change later
 */
struct writing {
	FILE *out;
	uint32_t crc;
	int error;
};

static void put_raw(struct writing *writing, const void *bytes, size_t length)
{
	if (!writing->error && fwrite(bytes, 1, length, writing->out) != length)
		writing->error = errno ? -errno : -EIO;
}

static void put(struct writing *writing, const void *bytes, size_t length)
{
	/* With a null pointer, zlib would return its initial value and lose the sum so far. */
	if (!length)
		return;
	writing->crc = crc32_z(writing->crc, bytes, length);
	put_raw(writing, bytes, length);
}

int samples_write(FILE *out, const struct samples_file *file)
{
	static const char zero[8];
	size_t text_bytes = strlen(file->text), padding = -text_bytes % 8;
	struct evtlog_samples_header header = {
		.magic = EVTLOG_SAMPLES_MAGIC,
		.version = EVTLOG_SAMPLES_VERSION,
		.header_bytes = sizeof(header),
		.flags = file->flags,
		.method = file->method,
		.threads = file->count,
		.text_bytes = text_bytes + padding,
		.ticks_hz = file->ticks_hz,
	};
	struct writing writing = { .out = out };

	if (text_bytes + padding > EVTLOG_FILE_TEXT_MAX_BYTES)
		return -EFBIG;
	put(&writing, &header, sizeof(header));
	put(&writing, file->text, text_bytes);
	put(&writing, zero, padding);
	put(&writing, file->threads, file->count * sizeof(*file->threads));
	for (uint32_t i = 0; i < file->count; i++)
		put(&writing, file->samples[i],
		    file->threads[i].samples * sizeof(struct evtlog_sample));
	put_raw(&writing, &writing.crc, sizeof(writing.crc));
	return writing.error;
}
