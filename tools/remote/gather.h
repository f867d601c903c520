/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of many hosts: fetched with rsync, checked, and moved to their place.
 *
 * cmd-gather.c selects the files.
 */
#ifndef EVTLOG_REMOTE_GATHER_H
#define EVTLOG_REMOTE_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/hostlist.h"

/* ---- rsync.c: fetches the files ---- */

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

/* ---- gathered.c: checks the files with libevtlog, and moves them ---- */

/*
 * One file.
 * @error:	why it cannot be used, a static string; NULL if it can
 * @complete:	True: it has the end of the run
 * @lost:	events lost by its kernel
 * @damages:	damaged places of the file
 */
struct gathered_file {
	char *name;
	const char *error;
	bool complete;
	uint64_t lost;
	uint64_t damages;
	uint64_t bytes;
	uint64_t run;
};

/* The files of one host. */
struct gathered {
	const struct transfer *transfer;
	struct gathered_file *files;
	size_t count;
};

/**
 * gathered_take() - check a host's files and move them to their place
 * @run:	take only files of this run; NULL for all
 *
 * A file of another host or run is never overwritten, and a better copy never replaced by a
 * worse one.  Returns 0 or -errno.
 */
int gathered_take(struct gathered *gathered, const struct transfer *transfer, const char *to,
		  const char *run);
void gathered_free(struct gathered *gathered);

/** gathered_is_good() - returns true if all files were fetched and are complete */
bool gathered_is_good(const struct gathered *gathered);

/** gathered_has_losses() - returns true if events were lost or places are damaged */
bool gathered_has_losses(const struct gathered *gathered);

/** gathered_text() - return a line about the host, malloc()ed; NULL if out of memory */
char *gathered_text(const struct gathered *gathered);

#endif /* EVTLOG_REMOTE_GATHER_H */
