// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Puts lines of text together.
 *
 * Stage: between the commands and stdout; printf() would be most of the time
 * that a dump takes.
 */
#include <string.h>

#include "linebuf.h"

void line_text(struct line *line, const char *text)
{
	while (*text)
		line_char(line, *text++);
}

void line_escaped(struct line *line, const void *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *at = bytes;

	for (; length; length--, at++) {
		if (*at >= ' ' && *at < 0x7f && *at != '\\') {
			line_char(line, *at);
			continue;
		}
		line_text(line, "\\x");
		line_char(line, digits[*at >> 4]);
		line_char(line, digits[*at & 15]);
	}
}

void line_u64(struct line *line, uint64_t value, unsigned int width, char fill)
{
	char digits[20];
	unsigned int count = 0;

	do {
		digits[count++] = '0' + value % 10;
		value /= 10;
	} while (value);
	for (; width > count; width--)
		line_char(line, fill);
	while (count)
		line_char(line, digits[--count]);
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
	if (line->length)
		line_char(line, ' ');
	while (line->length < column)
		line_char(line, ' ');
}

void line_print(struct line *line, FILE *out)
{
	line_char(line, '\n');
	fwrite_unlocked(line->text, 1, line->length, out);
	line->length = 0;
}
