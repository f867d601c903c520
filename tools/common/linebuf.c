// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Composes lines of text.
 *
 * Stage: between the commands and stdout.  printf() would take most of the time of a dump.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "linebuf.h"
#include "number.h"

/* Appends @length bytes, or as many as fit. */
static void put(struct line *line, const char *bytes, size_t length)
{
	size_t room = LINE_BYTES_MAX - 1 - line->length;

	if (length > room)
		length = room;
	memcpy(line->text + line->length, bytes, length);
	line->length += length;
}

void line_text(struct line *line, const char *text)
{
	put(line, text, strlen(text));
}

void line_printf(struct line *line, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	line_text(line, text);
}

static bool is_plain(unsigned char byte)
{
	return byte >= ' ' && byte < 0x7f && byte != '\\';
}

void line_escaped(struct line *line, const void *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *at = bytes, *end = at + length;

	while (at < end) {
		const unsigned char *from = at;
		char escape[] = "\\x00";

		while (at < end && is_plain(*at))
			at++;
		put(line, (const char *)from, at - from);
		if (at == end)
			break;
		escape[2] = digits[*at >> 4];
		escape[3] = digits[*at++ & 15];
		put(line, escape, 4);
	}
}

void line_u64(struct line *line, uint64_t value, unsigned int width, char fill)
{
	char digits[DIGITS_MAX], *end = digits + DIGITS_MAX, *at = digits_before(end, value);

	for (; width > end - at; width--)
		line_char(line, fill);
	put(line, at, end - at);
}

void line_s64(struct line *line, int64_t value)
{
	if (value < 0)
		line_char(line, '-');
	line_u64(line, value < 0 ? -(uint64_t)value : (uint64_t)value, 0, ' ');
}

void line_hex(struct line *line, uint64_t value)
{
	static const char digits[] = "0123456789abcdef";
	int shift = 60;

	while (shift && !(value >> shift))
		shift -= 4;
	line_text(line, "0x");
	for (; shift >= 0; shift -= 4)
		line_char(line, digits[value >> shift & 15]);
}

void line_seconds(struct line *line, uint64_t ns, unsigned int width)
{
	line_u64(line, ns / 1000000000, width > 10 ? width - 10 : 0, ' ');
	line_char(line, '.');
	line_u64(line, ns % 1000000000, 9, '0');
}

void line_column(struct line *line, size_t column)
{
	size_t blanks = column > line->length ? column - line->length : !!line->length;

	if (blanks > LINE_BYTES_MAX - 1 - line->length)
		blanks = LINE_BYTES_MAX - 1 - line->length;
	memset(line->text + line->length, ' ', blanks);
	line->length += blanks;
}

void line_print(struct line *line, FILE *out)
{
	line_char(line, '\n');
	fwrite_unlocked(line->text, 1, line->length, out);
	line->length = 0;
}
