/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that were brought: whether they are whole, and where they go.
 *
 * Libevtlog reads the files.
 */
#ifndef EVTLOG_REMOTE_GATHERED_H
#define EVTLOG_REMOTE_GATHERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rsync.h"

/*
 * One file.
 * @error:	why it can't be used, or NULL; a static text
 * @complete:	the end of the run is in it
 * @lost:	events that its kernel lost; @damages: places of it
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

/* Of one host. */
struct gathered {
	const struct transfer *transfer;
	struct gathered_file *files;
	size_t count;
};

/**
 * gathered_take() - check a host's files and move them to their place
 * @run:	take these only; NULL = all
 *
 * A file of another host or run is never overwritten, nor a copy by a worse one.
 * Returns 0 or -ENOMEM.
 */
int gathered_take(struct gathered *gathered, const struct transfer *transfer, const char *to,
		  const char *run);
void gathered_free(struct gathered *gathered);

/** gathered_is_good() - all came, and is whole */
bool gathered_is_good(const struct gathered *gathered);

/** gathered_has_losses() - all came, but events were lost or places are damaged */
bool gathered_has_losses(const struct gathered *gathered);

/** gathered_text() - a line on the host, malloc()ed; NULL: no memory */
char *gathered_text(const struct gathered *gathered);

#endif /* EVTLOG_REMOTE_GATHERED_H */
