/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of hosts, as used on clusters: node[001-128,140],login1.
 *
 * Names are not resolved here.
 */
#ifndef EVTLOG_COMMON_HOSTLIST_H
#define EVTLOG_COMMON_HOSTLIST_H

#include <stddef.h>
#include <stdio.h>

/* A longer list is taken for a typing error. */
#define HOSTLIST_MAX	65536
#define HOSTLIST_WHY_BYTES 256

/* @hosts: without duplicates, in the order of their first appearance */
struct hostlist {
	char **hosts;
	size_t count;
	size_t capacity;
};

/**
 * hostlist_add() - add the hosts of a list
 * @text:	words separated by commas or blanks.  Brackets in a word contain numbers, ranges,
 *		and ranges with a step: [1-3,7,10-20/5].  A range's numbers have as many digits
 *		as its first number.
 * @why:	error message, HOSTLIST_WHY_BYTES
 *
 * Returns 0; -EINVAL if a word is not a host; -E2BIG if there are too many; -ENOMEM.
 */
int hostlist_add(struct hostlist *list, const char *text, char *why);

/**
 * hostlist_add_file() - add the hosts of a file; '#' begins a comment
 *
 * Returns as hostlist_add(), or -errno of opening and reading the file.
 */
int hostlist_add_file(struct hostlist *list, const char *path, char *why);

/** hostlist_remove() - remove the hosts that are in @others; returns 0 or -ENOMEM */
int hostlist_remove(struct hostlist *list, const struct hostlist *others);

void hostlist_free(struct hostlist *list);

/* ---- hostlist-fold.c: prints the results of many hosts in few lines ---- */

/* The result of one host. */
struct fold_line {
	const char *host;
	const char *text;
};

/**
 * fold_hosts() - write hosts as a list that is as short as their numbers allow
 *
 * hostlist_add() of the result gives the same hosts.  Returns a malloc()ed string, or NULL if
 * out of memory.
 */
char *fold_hosts(const char *const *hosts, size_t count);

/**
 * fold_print() - print one line for all hosts with the same text, in the order of the texts
 *
 * Returns 0 or -ENOMEM.
 */
int fold_print(FILE *to, const struct fold_line *lines, size_t count);

#endif /* EVTLOG_COMMON_HOSTLIST_H */
