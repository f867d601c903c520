// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Strings by number, in valid UTF-8, as readers of tables require.
 *
 * The files of the tables call it. It does not interpret the strings.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "dictionary.h"
#include "lib/base/array.h"

#define REPLACEMENT		"\xef\xbf\xbd"
#define REPLACEMENT_LENGTH	3

void dictionary_free(struct dictionary *dictionary)
{
	for (size_t i = 0; i < dictionary->count; i++)
		free((char *)dictionary->texts[i].bytes);
	free(dictionary->texts);
	key_table_free(&dictionary->keys);
	memset(dictionary, 0, sizeof(*dictionary));
}

/* Length in bytes of the character at @at; 0: not a valid character (RFC 3629) */
static size_t character(const unsigned char *at, size_t left)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = *at < 0x80 ? 1 : *at < 0xc0 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 :
			*at < 0xf8 ? 4 : 0;
	uint32_t code;

	if (length < 2)
		return length;
	if (length > left)
		return 0;
	code = *at & (0xff >> (length + 1));
	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ?
	       0 : length;
}

/* Copies as much of @from as fits into @to, as valid UTF-8. Returns the length written. */
static size_t clean(struct dictionary *dictionary, char *to, size_t room, const char *from,
		    size_t length)
{
	size_t at = 0, written = 0;

	while (at < length) {
		size_t step = character((const unsigned char *)from + at, length - at);

		if (written + (step ? step : REPLACEMENT_LENGTH) > room) {
			dictionary->cut++;
			break;
		}
		dictionary->replaced += !step;
		memcpy(to + written, step ? from + at : REPLACEMENT,
		       step ? step : REPLACEMENT_LENGTH);
		written += step ? step : REPLACEMENT_LENGTH;
		at += step ? step : 1;
	}
	return written;
}

int64_t dictionary_once(struct dictionary *dictionary, const char *bytes, size_t length)
{
	unsigned int at = dictionary->once++ % TABLES_TEXTS_ONCE;

	dictionary->once_length[at] = clean(dictionary, dictionary->once_bytes[at],
					    TABLES_TEXT_MAX, bytes, length);
	return TABLES_TEXT_ONCE + at;
}

static bool same(const void *texts, uint32_t number, const void *wanted)
{
	const struct dictionary_text *text = (const struct dictionary_text *)texts + number;
	const struct dictionary_text *other = wanted;

	return text->length == other->length && !memcmp(text->bytes, other->bytes, other->length);
}

int64_t dictionary_add(struct dictionary *dictionary, const char *bytes, size_t length)
{
	int64_t once = dictionary_once(dictionary, bytes, length);
	struct dictionary_text text = dictionary_text(dictionary, once);
	uint64_t key = key_table_hash(text.bytes, text.length);
	uint32_t found = key_table_find_same(&dictionary->keys, key, same, dictionary->texts,
					     &text);
	char *copy;

	/* The slot is free again: a row that uses other slots still needs them. */
	dictionary->once--;
	if (found != KEY_NONE)
		return found;
	if (array_reserve(&dictionary->texts, &dictionary->capacity, dictionary->count,
			  sizeof(*dictionary->texts)))
		return -ENOMEM;
	copy = malloc(text.length + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, text.bytes, text.length);
	copy[text.length] = '\0';
	if (key_table_add(&dictionary->keys, key, dictionary->count)) {
		free(copy);
		return -ENOMEM;
	}
	dictionary->texts[dictionary->count] = (struct dictionary_text) { copy, text.length };
	return dictionary->count++;
}

int64_t dictionary_add_text(struct dictionary *dictionary, const char *text)
{
	return dictionary_add(dictionary, text, strlen(text));
}
