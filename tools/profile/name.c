// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of tasks: any bytes at all, which terminals must not get.
 */
#include <string.h>

#include "common/utf8.h"
#include "profile/profile.h"

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
