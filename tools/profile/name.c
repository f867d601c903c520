// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of tasks: any bytes at all, which the kernel escapes, and which terminals must not get.
 */
#include <string.h>

#include "common/utf8.h"
#include "profile/profile.h"

static bool is_octal(const char *at)
{
	return at[0] >= '0' && at[0] <= '3' && at[1] >= '0' && at[1] <= '7' && at[2] >= '0' &&
	       at[2] <= '7';
}

/* As string_escape_mem() of the kernel has them. */
void profile_unescape(char *text)
{
	static const char letters[] = "nrtvfae\\\"", bytes[] = "\n\r\t\v\f\a\033\\\"";
	char *to = text;

	while (*text) {
		const char *letter = *text == '\\' && text[1] ? strchr(letters, text[1]) : NULL;

		if (letter) {
			*to++ = bytes[letter - letters];
			text += 2;
		} else if (*text == '\\' && is_octal(text + 1)) {
			*to++ = (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

const char *profile_plain(const char *name, const char *bad, char *to, size_t room)
{
	size_t left = strlen(name), used = 0;

	while (left) {
		char seen[4];
		uint32_t code;
		size_t length = utf8_visible(name, left, &code);
		bool is_plain = utf8_put(seen, code) == seen + length &&
				!memcmp(seen, name, length) && !strchr(bad, *name);

		if (used + (is_plain ? length : 1) >= room)
			break;
		if (is_plain)
			memcpy(to + used, name, length);
		else
			to[used] = '_';
		used += is_plain ? length : 1;
		name += length;
		left -= length;
	}
	to[used] = '\0';
	return to;
}
