/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of hosts as people of clusters write them: node[001-128,140],login1.
 *
 * Names are not looked up here.
 */
#ifndef EVTLOG_COMMON_HOSTLIST_H
#define EVTLOG_COMMON_HOSTLIST_H

#include <stddef.h>
#include <stdio.h>

/* More is taken for a slip of the finger. */
#define HOSTLIST_MAX	65536
#define HOSTLIST_WHY_BYTES 256

/* @hosts: each once, in the order they were named first */
struct hostlist {
	char **hosts;
	size_t count;
	size_t capacity;
};

/**
 * hostlist_add() - add the hosts that a text names
 * @text:	words divided by commas or blanks; in a word, brackets hold numbers,
 *		ranges and ranges with a step: [1-3,7,10-20/5].  A range has as many
 *		digits as its first number.
 * @why:	filled on failure, HOSTLIST_WHY_BYTES
 *
 * Returns 0, -EINVAL a word is no host, -E2BIG, or -ENOMEM.
 */
int hostlist_add(struct hostlist *list, const char *text, char *why);

/**
 * hostlist_add_file() - the same for a file's lines; '#' begins a comment
 *
 * Returns also -errno of fopen() and reading.
 */
int hostlist_add_file(struct hostlist *list, const char *path, char *why);

/** hostlist_remove() - take away all that are in @others; 0 or -ENOMEM */
int hostlist_remove(struct hostlist *list, const struct hostlist *others);

void hostlist_free(struct hostlist *list);

/* ---- hostlist-fold.c: many hosts' results in few lines ---- */

/* What one host is to be said of. */
struct fold_line {
	const char *host;
	const char *text;
};

/**
 * fold_hosts() - hosts in as few words as their numbers allow
 *
 * hostlist_add() of the result gives the same hosts.  Returns a malloc()ed text, or
 * NULL for want of memory.
 */
char *fold_hosts(const char *const *hosts, size_t count);

/**
 * fold_print() - one line for all hosts of the same text, in the order of the texts
 *
 * Returns 0 or -ENOMEM.
 */
int fold_print(FILE *to, const struct fold_line *lines, size_t count);

#endif /* EVTLOG_COMMON_HOSTLIST_H */
