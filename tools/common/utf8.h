/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks UTF-8: names in logs can be any bytes.
 *
 * Stage: between logs and all output of their names.
 */
#ifndef EVTLOG_COMMON_UTF8_H
#define EVTLOG_COMMON_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the length of the valid UTF-8 sequence at @s (RFC 3629: no surrogates, nothing
 * overlong, nothing above U+10FFFF); 0 if there is none.
 */
size_t utf8_length(const unsigned char *s, size_t left);

/*
 * Reads a character from @text (@left bytes, at least one) and makes it visible: @code is a
 * picture for a control character, and U+FFFD for bytes that are not UTF-8, and for characters
 * that are invisible or change the direction of text.  Returns the character's length.
 */
size_t utf8_visible(const char *text, size_t left, uint32_t *code);

/* Writes @code, at most 4 bytes.  Returns the end. */
char *utf8_put(char *to, uint32_t code);

/* Returns valid UTF-8 without control characters, malloc()ed; NULL if out of memory. */
char *utf8_clean(const char *text, size_t size);

#endif /* EVTLOG_COMMON_UTF8_H */
