// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a file of samples, whole or not at all.
 *
 * Stage: behind the benchmark.
 */
#include <errno.h>
#include <string.h>
#include <zlib.h>

#include <evtlog/file.h>

#include "output.h"
#include "samples-write.h"

/* To @output, and into the checksum; what can't be written is seen at the end. */
static void put(struct output *output, uint32_t *crc, const void *bytes, size_t length)
{
	/* Of a null pointer zlib gives its initial value, whatever was before. */
	if (!length)
		return;
	*crc = crc32_z(*crc, bytes, length);
	fwrite(bytes, 1, length, output->out);
}

int samples_write(const char *path, const struct samples_file *file)
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
	struct output output;
	uint32_t crc = 0;
	int error;

	if (text_bytes + padding > EVTLOG_FILE_TEXT_MAX_BYTES)
		return -EFBIG;
	error = output_new(&output, path, 0600);
	if (error)
		return error;
	put(&output, &crc, &header, sizeof(header));
	put(&output, &crc, file->text, text_bytes);
	put(&output, &crc, zero, padding);
	put(&output, &crc, file->threads, file->count * sizeof(*file->threads));
	for (uint32_t i = 0; i < file->count; i++)
		put(&output, &crc, file->samples[i],
		    file->threads[i].samples * sizeof(struct evtlog_sample));
	fwrite(&crc, sizeof(crc), 1, output.out);
	return output_finish(&output);
}
