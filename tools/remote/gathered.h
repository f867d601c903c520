/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks files that were fetched, and moves them to their place.
 *
 * libevtlog reads the files.
 */
#ifndef EVTLOG_REMOTE_GATHERED_H
#define EVTLOG_REMOTE_GATHERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rsync.h"

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

#endif /* EVTLOG_REMOTE_GATHERED_H */
