// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Selects hosts by names, ranges and patterns.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "host-filter.h"
#include "lib/base/array.h"

static int add_pattern(struct choice *choice, const char *word)
{
	char *pattern;

	if (array_reserve(&choice->patterns, &choice->pattern_capacity, choice->pattern_count,
			  sizeof(*choice->patterns)))
		return -ENOMEM;
	pattern = strdup(word);
	if (!pattern)
		return -ENOMEM;
	choice->patterns[choice->pattern_count++] = pattern;
	return 0;
}

/* Length up to the next comma outside of brackets. */
static size_t word_length(const char *text)
{
	unsigned int depth = 0;
	size_t length = 0;

	for (; text[length] && (depth || text[length] != ','); length++)
		depth += (text[length] == '[') - (depth && text[length] == ']');
	return length;
}

/* Returns 0 or -errno as hostlist_add(), with the error message in @why. */
static int parse(struct choice *choice, const char *text, char *why)
{
	int error = 0;

	*choice = (struct choice) { .text = text };
	strcpy(why, "out of memory");
	while (!error && *text) {
		size_t length = word_length(text);
		char *word = strndup(text, length);

		if (!word)
			return -ENOMEM;
		error = strpbrk(word, "*?") ? add_pattern(choice, word) :
			hostlist_add(&choice->names, word, why);
		free(word);
		text += length + (text[length] == ',');
	}
	return error;
}

void host_filter_free(struct choice *choice)
{
	hostlist_free(&choice->names);
	for (size_t i = 0; i < choice->pattern_count; i++)
		free(choice->patterns[i]);
	free(choice->patterns);
	*choice = (struct choice) { 0 };
}

int host_filter_option(struct choice *choice, const char *command, const char *text)
{
	char why[HOSTLIST_WHY_BYTES];

	host_filter_free(choice);
	if (!parse(choice, text, why))
		return 0;
	return misuse(command, "--host: %s", why);
}

bool host_filter_fits(const struct choice *choice, const char *name)
{
	if (!choice->text)
		return true;
	for (size_t i = 0; i < choice->names.count; i++)
		if (!strcmp(choice->names.hosts[i], name))
			return true;
	for (size_t i = 0; i < choice->pattern_count; i++)
		if (!fnmatch(choice->patterns[i], name, 0))
			return true;
	return false;
}
