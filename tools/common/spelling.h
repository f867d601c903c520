/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the known word that is most similar to an unknown one.
 */
#ifndef EVTLOG_COMMON_SPELLING_H
#define EVTLOG_COMMON_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

/*
 * @nearest:	best candidate so far, NULL if none is near
 * @distance:	of @nearest from @word: letters to change, add, drop or swap
 * @prefix:	number of equal letters at the beginning
 */
struct spelling {
	const char *word;
	const char *nearest;
	size_t distance;
	size_t prefix;
};

/**
 * spelling_start() - start to compare candidates with @word
 *
 * A candidate is near if it begins with @word (of at least two letters), or if at most a third
 * of the letters of @word are wrong, rounded up if the first letters are equal, else rounded
 * down.  If two candidates are equally near, these are preferred in this order: a longer common
 * beginning, the length of @word, a shorter one, an earlier one.  Case is ignored.
 */
void spelling_start(struct spelling *spelling, const char *word);

/** spelling_try() - compare a candidate; it must live as long as @spelling */
void spelling_try(struct spelling *spelling, const char *candidate);

/* Returns true if @wanted is a type or its group: "softirq" of softirq_entry, but not "soft". */
bool is_of_type_group(const char *name, const char *wanted);

/* ---- Lists existing names, for messages about an unknown name ---- */

/* @names: without duplicates, in the order in which they were added */
struct offer {
	const char *wanted;
	char **names;
	size_t count;
	size_t capacity;
};

void offer_start(struct offer *offer, const char *wanted);

/** offer_add() - add an existing name; returns 0 or -ENOMEM */
int offer_add(struct offer *offer, const char *name);

/**
 * offer_misuse() - refuse an unknown name and print the existing names
 * @option:	the option with the unknown name: "--run"
 * @why:	such as "no file is of that run"
 *
 * Prints a similar name and the first names, if there are many.  Frees @offer.  Returns
 * EXIT_MISUSE.
 */
int offer_misuse(struct offer *offer, const char *command, const char *option,
		 const char *why);

void offer_free(struct offer *offer);

#endif /* EVTLOG_COMMON_SPELLING_H */
