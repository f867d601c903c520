// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks UTF-8 and makes characters visible.
 *
 * Stage: between logs and all output of their names.
 */
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

/* Shown instead of characters that cannot be shown. */
#define REPLACEMENT	0xfffdu

size_t utf8_length(const unsigned char *s, size_t left)
{
	size_t length;
	unsigned char low = 0x80, high = 0xbf;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf) {
		length = 2;
	} else if ((s[0] & 0xf0) == 0xe0) {
		length = 3;
		if (s[0] == 0xe0)
			low = 0xa0;
		else if (s[0] == 0xed)
			high = 0x9f;
	} else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
		length = 4;
		if (s[0] == 0xf0)
			low = 0x90;
		else if (s[0] == 0xf4)
			high = 0x8f;
	} else {
		return 0;
	}
	if (length > left || s[1] < low || s[1] > high)
		return 0;
	for (size_t i = 2; i < length; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return length;
}

static uint32_t decode(const unsigned char *s, size_t length)
{
	uint32_t code = length == 1 ? s[0] : s[0] & (0xff >> (length + 1));

	for (size_t i = 1; i < length; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

static uint32_t visible(uint32_t code)
{
	if (code < 0x20)
		return 0x2400 + code;
	if ((code >= 0x7f && code <= 0x9f) || (code >= 0x200b && code <= 0x200f) ||
	    (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
	    code == 0xfeff)
		return REPLACEMENT;
	return code;
}

size_t utf8_visible(const char *text, size_t left, uint32_t *code)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t length = utf8_length(s, left);

	*code = length ? visible(decode(s, length)) : REPLACEMENT;
	return length ? length : 1;
}

char *utf8_put(char *to, uint32_t code)
{
	unsigned int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;

	if (!more) {
		*to++ = code;
		return to;
	}
	*to++ = (0xff00 >> (more + 1) & 0xff) | code >> 6 * more;
	while (more--)
		*to++ = 0x80 | (code >> 6 * more & 0x3f);
	return to;
}

char *utf8_clean(const char *text, size_t size)
{
	size_t length = strnlen(text, size);
	char *clean = malloc(4 * length + 1), *to = clean;

	if (!clean)
		return NULL;
	for (size_t i = 0; i < length;) {
		uint32_t code;

		i += utf8_visible(text + i, length - i, &code);
		to = utf8_put(to, code);
	}
	*to = '\0';
	return clean;
}
