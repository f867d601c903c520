/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many hosts' results in few lines: node[1-3]: recording run job1 (3 hosts).
 */
#ifndef EVTLOG_COMMON_HOSTLIST_FOLD_H
#define EVTLOG_COMMON_HOSTLIST_FOLD_H

#include <stddef.h>
#include <stdio.h>

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

#endif /* EVTLOG_COMMON_HOSTLIST_FOLD_H */
