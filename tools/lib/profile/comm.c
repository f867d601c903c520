// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Decodes task names: the reverse of seq_escape() in profile/show.c of the kernel.
 */
#include <stdbool.h>

#include "lib/profile/comm.h"

static bool is_octal(const char *at)
{
	return at[0] >= '0' && at[0] <= '3' && at[1] >= '0' && at[1] <= '7' && at[2] >= '0' &&
	       at[2] <= '7';
}

size_t profile_comm_decode(const char *text, size_t length, char *comm, size_t room)
{
	const char *end = text + length;
	size_t bytes = 0;

	while (text < end && bytes < room) {
		if (*text == '\\' && end - text > 3 && is_octal(text + 1)) {
			comm[bytes++] = (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
			text += 4;
		} else {
			comm[bytes++] = *text++;
		}
	}
	return bytes;
}
