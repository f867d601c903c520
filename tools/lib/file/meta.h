/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lines "key=value" at the beginning of a text.
 *
 * Stage: between the bytes of headers and whoever looks for a key.  It does not
 * know what keys mean.
 */
#ifndef EVTLOG_LIB_FILE_META_H
#define EVTLOG_LIB_FILE_META_H

#include <stdbool.h>
#include <stddef.h>

struct meta_line {
	const char *key;
	const char *value;
};

/* @lines point into the text they were made of. */
struct meta {
	struct meta_line *lines;
	size_t count;
};

/*
 * Takes @text apart, up to an empty line.  Returns 0 and what is behind that in
 * *@rest, NULL if nothing; -ENOMEM.
 */
int meta_parse(struct meta *meta, char *text, char **rest);
void meta_free(struct meta *meta);

/* NULL if there is no such line; of several, the first. */
const char *meta_find(const struct meta *meta, const char *key);

/* By number from 0; false behind the last. */
bool meta_at(const struct meta *meta, size_t number, const char **key,
	     const char **value);

#endif /* EVTLOG_LIB_FILE_META_H */
