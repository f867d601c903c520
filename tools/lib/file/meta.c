// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Takes lines "key=value" apart.
 *
 * Stage: between the bytes of headers and whoever looks for a key.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "meta.h"

int meta_parse(struct meta *meta, char *text, char **rest)
{
	char *line, *value;
	size_t lines = 1;

	*rest = text;
	for (const char *at = text; *at && *at != '\n'; at++) {
		at = strchr(at, '\n');
		if (!at)
			break;
		lines++;
	}
	meta->count = 0;
	meta->lines = calloc(lines, sizeof(*meta->lines));
	if (!meta->lines)
		return -ENOMEM;
	while ((line = strsep(rest, "\n")) && *line) {
		value = strchr(line, '=');
		if (!value)
			continue;
		*value++ = '\0';
		meta->lines[meta->count++] = (struct meta_line) {
			.key = line,
			.value = value,
		};
	}
	return 0;
}

void meta_free(struct meta *meta)
{
	free(meta->lines);
	meta->lines = NULL;
	meta->count = 0;
}

const char *meta_find(const struct meta *meta, const char *key)
{
	for (size_t i = 0; i < meta->count; i++)
		if (!strcmp(meta->lines[i].key, key))
			return meta->lines[i].value;
	return NULL;
}

bool meta_at(const struct meta *meta, size_t number, const char **key,
	     const char **value)
{
	if (number >= meta->count)
		return false;
	*key = meta->lines[number].key;
	*value = meta->lines[number].value;
	return true;
}
