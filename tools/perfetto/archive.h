/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The archive of the traces of several hosts: a TAR archive (POSIX ustar) of files whose sizes are
 * known when they are written, and its manifest.
 */
#ifndef EVTLOG_PERFETTO_ARCHIVE_H
#define EVTLOG_PERFETTO_ARCHIVE_H

#include <stdint.h>
#include <stdio.h>

#include "export/sources.h"

#define TAR_NAME_BYTES	100

/*
 * @out:	must be a file that can be gone back in
 * @header_at:	where that of the member is which is written
 */
struct tar {
	FILE *out;
	char name[TAR_NAME_BYTES];
	off_t header_at;
};

/* Errors are @out's, but those that tar_member_end() returns. */
void tar_member_begin(struct tar *tar, FILE *out, const char *name);

/* 0 or -errno. */
int tar_member_end(struct tar *tar);

void tar_end(FILE *out);

/* ---- How the traces of several hosts belong together: perfetto_manifest, version 1 ---- */

/*
 * @names:	of the members of each file, "" of those that are not wanted
 * @clocks:	of each
 */
void manifest_write(FILE *out, const struct sources *sources, char (*names)[TAR_NAME_BYTES],
		    const struct host_clock *clocks);

#endif /* EVTLOG_PERFETTO_ARCHIVE_H */
