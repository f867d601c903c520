// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the most similar word.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "lib/base/array.h"
#include "spelling.h"

/* Longer than words of options, commands and events. */
#define LETTERS_MAX	40
#define SPELLING_FAR	1000

static unsigned char lower(char c)
{
	return tolower((unsigned char)c);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Damerau-Levenshtein distance: number of letters to change, add, drop or swap with a neighbour.
 * Row and column 0 of @d are a border: too far from any word.
 */
static size_t distance(const char *a, const char *b)
{
	size_t a_len = strlen(a), b_len = strlen(b);
	size_t d[LETTERS_MAX + 2][LETTERS_MAX + 2];
	size_t row_of[UCHAR_MAX + 1] = { 0 };

	if (a_len > LETTERS_MAX || b_len > LETTERS_MAX)
		return SPELLING_FAR;
	for (size_t i = 0; i <= a_len; i++) {
		d[i + 1][0] = SPELLING_FAR;
		d[i + 1][1] = i;
	}
	for (size_t j = 0; j <= b_len; j++) {
		d[0][j + 1] = SPELLING_FAR;
		d[1][j + 1] = j;
	}
	for (size_t i = 1; i <= a_len; i++) {
		/* Last column of this row with the same letter. */
		size_t last = 0;

		for (size_t j = 1; j <= b_len; j++) {
			size_t row = row_of[lower(b[j - 1])], column = last;
			bool differ = lower(a[i - 1]) != lower(b[j - 1]);
			size_t best = d[i][j] + differ;

			if (!differ)
				last = j;
			best = least(best, d[i][j + 1] + 1);
			best = least(best, d[i + 1][j] + 1);
			if (row && column)
				best = least(best, d[row][column] + (i - row - 1) + 1 +
						   (j - column - 1));
			d[i + 1][j + 1] = best;
		}
		row_of[lower(a[i - 1])] = i;
	}
	return d[a_len + 1][b_len + 1];
}

static size_t common_prefix(const char *a, const char *b)
{
	size_t length = 0;

	while (a[length] && lower(a[length]) == lower(b[length]))
		length++;
	return length;
}

void spelling_start(struct spelling *spelling, const char *word)
{
	spelling->word = word;
	spelling->nearest = NULL;
	spelling->distance = SPELLING_FAR;
	spelling->prefix = 0;
}

/* The beginning of a word is near to the word, however many letters are missing. */
static bool is_near(const char *word, size_t prefix, size_t d)
{
	size_t length = strlen(word);

	if (prefix == length && length > 1)
		return true;
	return d <= (prefix ? (length + 2) / 3 : length / 3);
}

static bool is_nearer(const struct spelling *spelling, const char *candidate, size_t prefix,
		      size_t d)
{
	if (d != spelling->distance)
		return d < spelling->distance;
	if (prefix != spelling->prefix)
		return prefix > spelling->prefix;
	if (strlen(spelling->nearest) == strlen(spelling->word))
		return false;
	return strlen(candidate) == strlen(spelling->word) ||
	       strlen(candidate) < strlen(spelling->nearest);
}

void spelling_try(struct spelling *spelling, const char *candidate)
{
	size_t prefix = common_prefix(spelling->word, candidate);
	size_t d = distance(spelling->word, candidate);

	if (d >= SPELLING_FAR || d >= strlen(candidate) || !is_near(spelling->word, prefix, d))
		return;
	if (!is_nearer(spelling, candidate, prefix, d))
		return;
	spelling->distance = d;
	spelling->prefix = prefix;
	spelling->nearest = candidate;
}

bool is_of_type_group(const char *name, const char *wanted)
{
	size_t length = strlen(wanted);

	return !strncmp(name, wanted, length) &&
	       (!name[length] || name[length] == '_');
}

/* ---- Prints the choices, as many as fit in a message ---- */

#define NAMED_MAX	8

void offer_start(struct offer *offer, const char *wanted)
{
	*offer = (struct offer) { .wanted = wanted };
}

int offer_add(struct offer *offer, const char *name)
{
	char *copy;

	for (size_t i = 0; i < offer->count; i++)
		if (!strcmp(offer->names[i], name))
			return 0;
	if (array_reserve(&offer->names, &offer->capacity, offer->count, sizeof(*offer->names)))
		return -ENOMEM;
	copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	offer->names[offer->count++] = copy;
	return 0;
}

static void put_choices(FILE *to, const struct offer *offer, const char *begin)
{
	size_t named = offer->count <= NAMED_MAX ? offer->count : NAMED_MAX;

	if (!offer->count) {
		fprintf(to, "%chere is none", *begin);
		return;
	}
	fprintf(to, "%s", begin);
	for (size_t i = 0; i < named; i++)
		fprintf(to, "%s%s", i ? ", " : "", offer->names[i]);
	if (named < offer->count)
		fprintf(to, " and %zu more", offer->count - named);
}

static char *text_of(const struct offer *offer)
{
	struct spelling spelling;
	size_t bytes;
	char *text;
	FILE *to = open_memstream(&text, &bytes);

	if (!to)
		return NULL;
	spelling_start(&spelling, offer->wanted);
	for (size_t i = 0; i < offer->count; i++)
		spelling_try(&spelling, offer->names[i]);
	if (spelling.nearest)
		fprintf(to, "did you mean '%s'? ", spelling.nearest);
	put_choices(to, offer, spelling.nearest ? "There are " : "there are ");
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

void offer_free(struct offer *offer)
{
	for (size_t i = 0; i < offer->count; i++)
		free(offer->names[i]);
	free(offer->names);
	offer_start(offer, NULL);
}

int offer_misuse(struct offer *offer, const char *command, const char *option,
		 const char *why)
{
	char *text = text_of(offer);
	int status = misuse(command, "%s: %s: %s; %s", option, offer->wanted, why,
			    text ? text : strerror(ENOMEM));

	free(text);
	offer_free(offer);
	return status;
}
