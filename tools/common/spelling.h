/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of several words was meant by one that is none of them.
 */
#ifndef EVTLOG_COMMON_SPELLING_H
#define EVTLOG_COMMON_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

/*
 * @nearest:	the candidate that fits best so far; NULL: none is near
 * @distance:	between the two: letters to change, add, drop or swap
 * @prefix:	letters at their begin that are the same
 */
struct spelling {
	const char *word;
	const char *nearest;
	size_t distance;
	size_t prefix;
};

/**
 * spelling_start() - begin to compare candidates with @word
 *
 * A candidate is near if it begins with the word (of at least two letters), or if at most
 * a third of the word's letters are wrong, rounded up where the first letters agree and
 * down where they do not.  Of two as near the one that agrees longer is nearer, then one
 * as long as the word, then the shorter, then the earlier.  Upper and lower case are the same.
 */
void spelling_start(struct spelling *spelling, const char *word);

/** spelling_try() - compare one more; @candidate must live as long as @spelling */
void spelling_try(struct spelling *spelling, const char *candidate);

/* Is @wanted the name of a type, or its beginning: "softirq" of softirq_entry, "soft" is not. */
bool is_of_type_group(const char *name, const char *wanted);

/* ---- What there is instead of a name that there is not, for messages about misuse ---- */

/* @names: each once, in the order they came */
struct offer {
	const char *wanted;
	char **names;
	size_t count;
	size_t capacity;
};

void offer_start(struct offer *offer, const char *wanted);

/** offer_add() - one of the choices; 0 or -ENOMEM */
int offer_add(struct offer *offer, const char *name);

/**
 * offer_misuse() - refuse the name that was wanted, and name the choices
 * @option:	that it is of: "--run"
 * @why:	"no file is of that run"
 *
 * Of many choices a few are named: one that is near, and the first.  Frees @offer.
 * Returns EXIT_MISUSE.
 */
int offer_misuse(struct offer *offer, const char *command, const char *option,
		 const char *why);

void offer_free(struct offer *offer);

#endif /* EVTLOG_COMMON_SPELLING_H */
