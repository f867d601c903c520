// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The colours of tasks and ticks.
 *
 * Stage: the outermost layer of the viewer; page/colours.js is its twin.
 */
#include <stdio.h>
#include <string.h>

#include "colours.h"
#include "utf8.h"

static const uint32_t palette[] = { VIEW_PALETTE };

const struct view_tick view_ticks[EVTLOG_KINDS] = { VIEW_TICKS };

/* FNV-1a over units of UTF-16, which is what text is made of in the page. */
static uint32_t take_unit(uint32_t hash, uint32_t unit)
{
	return (hash ^ unit) * 0x01000193;
}

static uint32_t take(uint32_t hash, uint32_t code)
{
	if (code < 0x10000)
		return take_unit(hash, code);
	code -= 0x10000;
	return take_unit(take_unit(hash, 0xd800 | code >> 10), 0xdc00 | (code & 0x3ff));
}

uint32_t view_task_colour(uint32_t pid, const char *comm, size_t size)
{
	char text[16], *digits = text;
	uint32_t hash = 0x811c9dc5;

	snprintf(text, sizeof(text), "%u ", pid);
	while (*digits)
		hash = take_unit(hash, *digits++);
	size = strnlen(comm, size);
	for (size_t i = 0; i < size;) {
		uint32_t code;

		i += utf8_visible(comm + i, size - i, &code);
		hash = take(hash, code);
	}
	hash ^= hash >> 15;
	hash *= 0x2c1b3c6d;
	hash ^= hash >> 13;
	return palette[hash % (sizeof(palette) / sizeof(*palette))];
}
