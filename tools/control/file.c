// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads and writes open files of /proc/evtlog.
 *
 * It does not open them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "lib/base/array.h"
#include "lib/base/io.h"

/* Most files are shorter. */
#define TEXT_BYTES	16383

int control_file_read(int fd, char **text, size_t *bytes)
{
	size_t capacity = 0, used = 0;
	char *to = NULL;
	ssize_t got;

	do {
		got = array_reserve_more(&to, &capacity, used, TEXT_BYTES + 1, 1);
		if (!got)
			got = io_read_at(fd, to + used, TEXT_BYTES, used);
		used += got > 0 ? got : 0;
	} while (got > 0);
	if (got < 0) {
		free(to);
		return got;
	}
	to[used] = '\0';
	*text = to;
	*bytes = used;
	return 0;
}

int control_file_write(int fd, const char *text)
{
	return io_write(fd, text, strlen(text));
}

/*
 * ---- The kernel's lockdown mode, from securityfs ----
 *
 * In mode "integrity" evtlog works as usual: it reads the kernel and does not modify it.
 */

#define LOCKDOWN_FILE	"/sys/kernel/security/lockdown"

bool control_is_locked_down(void)
{
	char levels[64] = "";
	FILE *file = fopen(LOCKDOWN_FILE, "re");

	if (!file)
		return false;
	if (!fgets(levels, sizeof(levels), file))
		levels[0] = '\0';
	fclose(file);
	return strstr(levels, "[confidentiality]");
}

/* ---- Parsing of lines ---- */

char *words_take(char **line, const char *name)
{
	size_t length = strlen(name);
	char *value = *line, *end;

	if (strncmp(value, name, length) || value[length] != ' ')
		return NULL;
	value += length + 1;
	end = strchr(value, ' ');
	if (end)
		*end++ = '\0';
	*line = end ? end : value + strlen(value);
	return value;
}

int words_take_count(char **line, const char *name, uint64_t *count)
{
	const char *value = words_take(line, name);

	if (!value)
		return -EINVAL;
	*count = strtoull(value, NULL, 10);
	return 0;
}

bool words_is_one(const char *text)
{
	return *text && !text[strcspn(text, " \t\n\v\f\r")];
}
