/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A TAR archive (POSIX ustar) of files whose sizes are known when they are written.
 */
#ifndef EVTLOG_PERFETTO_TAR_H
#define EVTLOG_PERFETTO_TAR_H

#include <stdint.h>
#include <stdio.h>

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

#endif /* EVTLOG_PERFETTO_TAR_H */
