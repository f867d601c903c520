/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of several words was meant by one that is none of them.
 *
 * Stage: between argv and messages about misuse.
 */
#ifndef EVTLOG_COMMON_SPELLING_H
#define EVTLOG_COMMON_SPELLING_H

#include <stddef.h>

/*
 * @nearest:	the candidate that fits best so far; NULL: none is near
 */
struct spelling {
	const char *word;
	const char *nearest;
	size_t distance;
};

/**
 * spelling_start() - begin to compare candidates with @word
 *
 * A candidate is near if at most a third of the word's letters are wrong. Upper and
 * lower case are the same.
 */
void spelling_start(struct spelling *spelling, const char *word);

/** spelling_try() - compare one more; @candidate must live as long as @spelling */
void spelling_try(struct spelling *spelling, const char *candidate);

#endif /* EVTLOG_COMMON_SPELLING_H */
