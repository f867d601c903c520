/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Strings by number.
 *
 * Stage: part of the tables of a log. It keeps the names of states, events, fields and hosts, which
 * are few. Strings whose number has no limit (names of tasks, text in events) are kept for one row
 * only.
 */
#ifndef EVTLOG_LIB_TABLES_DICTIONARY_H
#define EVTLOG_LIB_TABLES_DICTIONARY_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/key-table.h"

/* Ids from here on are valid until the sink returns, smaller ids as long as the dictionary. */
#define TABLES_TEXT_ONCE	(INT64_C(1) << 32)

#define TABLES_TEXTS_ONCE	4
#define TABLES_TEXT_MAX		(4 * 4096)

/* @bytes: not terminated, always valid UTF-8 */
struct dictionary_text {
	const char *bytes;
	size_t length;
};

/*
 * All zero: an empty dictionary.
 * @cut:	number of texts that were too long
 * @replaced:	number of bytes that were not UTF-8
 */
struct dictionary {
	struct dictionary_text *texts;
	size_t count;
	size_t capacity;
	struct key_table keys;
	uint64_t cut;
	uint64_t replaced;
	unsigned int once;
	size_t once_length[TABLES_TEXTS_ONCE];
	char once_bytes[TABLES_TEXTS_ONCE][TABLES_TEXT_MAX];
};

void dictionary_free(struct dictionary *dictionary);

/**
 * dictionary_add() - get the id of a string that the dictionary keeps
 *
 * Bytes that are not UTF-8 are replaced by U+FFFD.
 *
 * Return: an id, from 0 on; -ENOMEM.
 */
int64_t dictionary_add(struct dictionary *dictionary, const char *bytes, size_t length);
int64_t dictionary_add_text(struct dictionary *dictionary, const char *text);

/* The same for a string of one row, of at most TABLES_TEXTS_ONCE such strings; cut if too long */
int64_t dictionary_once(struct dictionary *dictionary, const char *bytes, size_t length);

/* The string with this id */
static inline struct dictionary_text dictionary_text(const struct dictionary *dictionary,
		int64_t id)
{
	if (id < TABLES_TEXT_ONCE)
		return dictionary->texts[id];
	id -= TABLES_TEXT_ONCE;
	return (struct dictionary_text) { dictionary->once_bytes[id], dictionary->once_length[id] };
}

#endif /* EVTLOG_LIB_TABLES_DICTIONARY_H */
