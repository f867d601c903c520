// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints what an export leaves out of the logs, or changes.
 */
#include <string.h>

#include "common/error.h"
#include "notes.h"

void notes_say(const char *lines, const char *path)
{
	while (*lines) {
		int length = strcspn(lines, "\n");

		pr_info("%s: %.*s", path, length, lines);
		lines += length + (lines[length] != '\0');
	}
}

void notes_say_some(const char *const *texts, uint32_t notes, const char *path)
{
	for (; notes; notes &= notes - 1)
		notes_say(texts[__builtin_ctz(notes)], path);
}
