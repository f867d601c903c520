/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells valid UTF-8 from other bytes: names in logs may be anything.
 *
 * Stage: between what a log holds and whatever shows it.
 */
#ifndef EVTLOG_COMMON_UTF8_H
#define EVTLOG_COMMON_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * Length of the valid UTF-8 sequence at @s (RFC 3629: no surrogates, nothing
 * overlong, nothing above U+10FFFF); 0 if there is none.
 */
size_t utf8_length(const unsigned char *s, size_t left);

/*
 * The character at @text, at least one byte of which is left, as people can see it:
 * control characters by their pictures, U+FFFD for what is not UTF-8 and for what
 * changes the direction of text or can't be seen.  Returns its length.
 */
size_t utf8_visible(const char *text, size_t left, uint32_t *code);

/* Writes @code, 4 bytes at most, and returns the end. */
char *utf8_put(char *to, uint32_t code);

/* Valid UTF-8 without control characters out of anything; NULL: no memory. */
char *utf8_clean(const char *text, size_t size);

#endif /* EVTLOG_COMMON_UTF8_H */
