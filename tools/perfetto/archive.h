/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The archive of several hosts' traces: TAR (POSIX ustar), and its manifest.
 *
 * The size of a member is unknown until the member is complete; its header is then written again.
 */
#ifndef EVTLOG_PERFETTO_ARCHIVE_H
#define EVTLOG_PERFETTO_ARCHIVE_H

#include <stdint.h>
#include <stdio.h>

#include "export/sources.h"

#define TAR_NAME_BYTES	100

/*
 * @out:	a seekable file
 * @header_at:	offset of the current member's header in @out
 */
struct tar {
	FILE *out;
	char name[TAR_NAME_BYTES];
	off_t header_at;
};

/* The caller checks @out for write errors; only tar_member_end() returns an error. */
void tar_member_begin(struct tar *tar, FILE *out, const char *name);

/* Returns 0, or -errno if @out can't be positioned. */
int tar_member_end(struct tar *tar);

void tar_end(FILE *out);

/* ---- The manifest relates the traces: perfetto_manifest, version 1 ---- */

/*
 * @names:	by log: name of the archive's member; "" if the log is not exported
 * @clocks:	by log: clock of the host
 */
void manifest_write(FILE *out, const struct sources *sources, char (*names)[TAR_NAME_BYTES],
		    const struct host_clock *clocks);

#endif /* EVTLOG_PERFETTO_ARCHIVE_H */
