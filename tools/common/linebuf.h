/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line of text that is put together piece by piece, fast.
 *
 * Stage: between the commands and stdout.  What comes from a log goes through
 * line_escaped(): it may be hostile to a terminal.
 */
#ifndef EVTLOG_COMMON_LINEBUF_H
#define EVTLOG_COMMON_LINEBUF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* More is cut off.  The largest record has room, each of its characters escaped. */
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

/* Control characters, backslashes and bytes beyond ASCII become \xNN. */
void line_escaped(struct line *line, const void *bytes, size_t length);

/* With blanks or zeros in front, up to @width. */
void line_u64(struct line *line, uint64_t value, unsigned int width, char fill);
void line_s64(struct line *line, int64_t value);
void line_hex(struct line *line, uint64_t value);

/* Seconds with nine digits, right-aligned to @width. */
void line_seconds(struct line *line, uint64_t ns, unsigned int width);

/* Blanks up to column @column, at least one unless at its start. */
void line_column(struct line *line, size_t column);

/* Writes the line and empties it. */
void line_print(struct line *line, FILE *out);

#endif /* EVTLOG_COMMON_LINEBUF_H */
