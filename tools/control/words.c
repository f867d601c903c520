// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of control files, "NAME VALUE NAME VALUE ...", word by word.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "words.h"

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
