/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A text in memory that is written anew again and again, and grows as it must.
 */
#ifndef EVTLOG_SENSOR_TEXT_H
#define EVTLOG_SENSOR_TEXT_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * @at, @bytes: the text, good until the next text_start()
 * @out:	to write to; NULL: text_start() makes it
 */
struct text {
	char *at;
	size_t bytes;
	FILE *out;
};

/* Empties it.  0 or -ENOMEM. */
static inline int text_start(struct text *text)
{
	if (!text->out)
		text->out = open_memstream(&text->at, &text->bytes);
	else
		rewind(text->out);
	return text->out ? 0 : -ENOMEM;
}

/* From here on @at and @bytes hold.  0 or -ENOMEM. */
static inline int text_end(struct text *text)
{
	return fflush(text->out) || ferror(text->out) ? -ENOMEM : 0;
}

static inline void text_free(struct text *text)
{
	if (text->out)
		fclose(text->out);
	free(text->at);
}

#endif /* EVTLOG_SENSOR_TEXT_H */
