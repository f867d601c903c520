// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tells valid UTF-8 from other bytes.
 *
 * Stage: between what a log holds and whatever shows it; it changes nothing.
 */
#include "utf8.h"

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
