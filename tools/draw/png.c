// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Puts texts into the PNG that cairo writes.
 *
 * It does not encode pixels.
 */
#include <endian.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "png.h"

/* Signature and IHDR: texts follow them. */
#define HEAD_BYTES	(8 + 12 + 13)

struct writer {
	FILE *out;
	const struct png_text *texts;
	size_t written;
};

static void put_u32(struct writer *writer, uint32_t value)
{
	value = htobe32(value);
	fwrite(&value, 1, sizeof(value), writer->out);
}

static void put_summed(struct writer *writer, uint32_t *sum, const void *bytes, size_t length)
{
	*sum = crc32(*sum, bytes, length);
	fwrite(bytes, 1, length, writer->out);
}

static void put_text(struct writer *writer, const struct png_text *text)
{
	/* Not compressed, no language, no translated key */
	static const char plain[5];
	size_t key = strlen(text->key), value = strlen(text->value);
	uint32_t sum = crc32(0, NULL, 0);

	put_u32(writer, key + sizeof(plain) + value);
	put_summed(writer, &sum, "iTXt", 4);
	put_summed(writer, &sum, text->key, key);
	put_summed(writer, &sum, plain, sizeof(plain));
	put_summed(writer, &sum, text->value, value);
	put_u32(writer, sum);
}

static cairo_status_t write_part(void *closure, const unsigned char *bytes,
				 unsigned int length)
{
	struct writer *writer = closure;
	size_t head = writer->written < HEAD_BYTES ? HEAD_BYTES - writer->written : 0;

	if (head > length)
		head = length;
	fwrite(bytes, 1, head, writer->out);
	writer->written += head;
	if (head && writer->written == HEAD_BYTES)
		for (const struct png_text *text = writer->texts; text->key; text++)
			put_text(writer, text);
	fwrite(bytes + head, 1, length - head, writer->out);
	writer->written += length - head;
	return ferror(writer->out) ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

int png_write(cairo_surface_t *surface, const struct png_text *texts,
		      FILE *out)
{
	struct writer writer = { .out = out, .texts = texts };
	cairo_status_t status;

	errno = 0;
	status = cairo_surface_write_to_png_stream(surface, write_part, &writer);
	if (status == CAIRO_STATUS_SUCCESS)
		return 0;
	if (status == CAIRO_STATUS_NO_MEMORY)
		return -ENOMEM;
	return errno ? -errno : -EIO;
}
