/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetches files from many hosts with rsync.
 *
 * Stage: between the hosts' directories and ours.  cmd-gather.c selects the files.
 */
#ifndef EVTLOG_REMOTE_RSYNC_H
#define EVTLOG_REMOTE_RSYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hostlist.h"

/*
 * @from:	directory on the hosts; %h in it is replaced by the host
 * @is_shared:	True: @from is reachable from here
 * @rsh:	remote shell, as for rsync --rsh
 * @to:		absolute
 * @run:	name or number of the run, NULL for all
 * @host_in_name: True: only files whose names begin with the host asked
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
 * Result of one host.
 * @why:	error message, malloc()ed; NULL if rsync succeeded
 * @stage:	directory of the copied files, malloc()ed
 * @files:	all files of interest, including those that were here before
 * @fetched:	bytes copied
 * @reused:	bytes from an earlier attempt
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
 * transfer_all() - fetch the files of all hosts, several hosts at a time
 * @transfers:	one for each of @hosts, zeroed; free with transfer_free()
 * @on_end:	called in this process for each host that is done
 *
 * A failure of a host is not an error.  Prints local errors.  Returns 0 or -errno.
 */
int transfer_all(const struct transfer_plan *plan, const struct hostlist *hosts,
		 struct transfer *transfers,
		 void (*on_end)(struct transfer *transfer, void *context), void *context);

void transfer_free(struct transfer *transfer);

#endif /* EVTLOG_REMOTE_RSYNC_H */
