/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bringing files from many hosts, by rsync.
 *
 * Stage: between the hosts' directories and ours; cmd-gather.c says which.
 */
#ifndef EVTLOG_REMOTE_RSYNC_H
#define EVTLOG_REMOTE_RSYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hostlist.h"

/*
 * @from:	directory on the hosts; %h in it is the host
 * @is_shared:	@from is reached from here
 * @rsh:	how to get to a host, as rsync's --rsh
 * @to:		absolute
 * @run:	name or number of the run; NULL = all
 * @host_in_name: only files that are named for the host that is asked
 */
struct transfer_plan {
	const char *from;
	bool is_shared;
	const char *rsh;
	const char *to;
	const char *run;
	bool host_in_name;
	unsigned int jobs;
	unsigned int timeout_s;
};

/*
 * What came of one host.
 * @why:	malloc()ed; NULL when rsync was content
 * @stage:	directory that the files are in, malloc()ed
 * @files:	all that are of interest there, those that were here before too
 * @fetched:	bytes that came; @reused: bytes that an earlier attempt had brought
 */
struct transfer {
	const char *host;
	char *why;
	char *stage;
	char **files;
	size_t file_count;
	size_t file_capacity;
	uint64_t fetched;
	uint64_t reused;
	int output;
	int errors;
	int pid;
};

/**
 * transfer_all() - bring all hosts' files, several at once
 * @transfers:	one for each of @hosts, zero; free with transfer_free()
 * @on_end:	called for each host when it is done, from this process
 *
 * A host that fails is no error.  Says what is wrong with us; returns 0 or -errno.
 */
int transfer_all(const struct transfer_plan *plan, const struct hostlist *hosts,
		 struct transfer *transfers,
		 void (*on_end)(struct transfer *transfer, void *context), void *context);

void transfer_free(struct transfer *transfer);

/** transfer_path() - @pattern with %h replaced; malloc()ed, NULL: no memory */
char *transfer_path(const char *pattern, const char *host);

#endif /* EVTLOG_REMOTE_RSYNC_H */
