/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line of text that is composed of pieces, fast.
 *
 * Stage: between the commands and stdout.  Text from a log goes through line_escaped(): it may
 * contain escape sequences for a terminal.
 */
#ifndef EVTLOG_COMMON_LINEBUF_H
#define EVTLOG_COMMON_LINEBUF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Longer lines are cut.  The largest record fits, even if all its characters are escaped. */
#define LINE_BYTES_MAX	20480

struct line {
	size_t length;
	char text[LINE_BYTES_MAX];
};

static inline void line_char(struct line *line, char c)
{
	if (line->length < LINE_BYTES_MAX - 1)
		line->text[line->length++] = c;
}

void line_text(struct line *line, const char *text);

/* At most 255 bytes. */
__attribute__((format(printf, 2, 3)))
void line_printf(struct line *line, const char *format, ...);

/* Control characters, backslashes and bytes beyond ASCII become \xNN. */
void line_escaped(struct line *line, const void *bytes, size_t length);

/* Writes @fill, a blank or zero, in front up to @width. */
void line_u64(struct line *line, uint64_t value, unsigned int width, char fill);
void line_s64(struct line *line, int64_t value);
void line_hex(struct line *line, uint64_t value);

/* Seconds with nine digits after the point, right-aligned to @width. */
void line_seconds(struct line *line, uint64_t ns, unsigned int width);

/* Blanks up to @column, at least one, except at the start of the line. */
void line_column(struct line *line, size_t column);

/* Writes the line and empties it. */
void line_print(struct line *line, FILE *out);

#endif /* EVTLOG_COMMON_LINEBUF_H */
