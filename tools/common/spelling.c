// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the word that was meant.
 *
 * Stage: between argv and messages about misuse.
 */
#include <ctype.h>
#include <string.h>

#include "spelling.h"

/* Words of options, commands and events; longer ones are not near anyway. */
#define LETTERS_MAX	40

/* 0: the same letter, whatever its case. */
static size_t differ(char a, char b)
{
	return tolower((unsigned char)a) != tolower((unsigned char)b);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * How many letters to change, add, drop or swap with the next (optimal string
 * alignment).
 */
static size_t distance(const char *a, const char *b)
{
	size_t a_len = strlen(a), b_len = strlen(b);
	size_t d[LETTERS_MAX + 1][LETTERS_MAX + 1];

	if (a_len > LETTERS_MAX || b_len > LETTERS_MAX)
		return LETTERS_MAX;
	for (size_t i = 0; i <= a_len; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= b_len; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= a_len; i++)
		for (size_t j = 1; j <= b_len; j++) {
			size_t best = d[i - 1][j - 1] + differ(a[i - 1], b[j - 1]);

			best = least(best, d[i - 1][j] + 1);
			best = least(best, d[i][j - 1] + 1);
			if (i > 1 && j > 1 && !differ(a[i - 1], b[j - 2]) &&
			    !differ(a[i - 2], b[j - 1]))
				best = least(best, d[i - 2][j - 2] + 1);
			d[i][j] = best;
		}
	return d[a_len][b_len];
}

void spelling_start(struct spelling *spelling, const char *word)
{
	spelling->word = word;
	spelling->nearest = NULL;
	spelling->distance = (strlen(word) + 2) / 3 + 1;
}

void spelling_try(struct spelling *spelling, const char *candidate)
{
	size_t d = distance(spelling->word, candidate);

	if (d >= spelling->distance || d >= strlen(candidate))
		return;
	spelling->distance = d;
	spelling->nearest = candidate;
}
