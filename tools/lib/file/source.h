/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where a file's bytes come from: a descriptor or memory.
 *
 * It does not interpret bytes, and reads rather than maps, so that a file cut
 * meanwhile is short, not SIGBUS.
 */
#ifndef EVTLOG_LIB_FILE_SOURCE_H
#define EVTLOG_LIB_FILE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct source {
	const uint8_t *bytes;	/* NULL: use fd */
	int fd;
	bool owns_fd;
	uint64_t size_bytes;
};

int source_open(struct source *source, const char *path);
int source_use_fd(struct source *source, int fd);
void source_use_bytes(struct source *source, const void *bytes, size_t length);
void source_close(struct source *source);

/* Bytes read: @length unless the file ends before; -errno. */
ssize_t source_read(const struct source *source, void *to, size_t length,
		    uint64_t offset);

#endif /* EVTLOG_LIB_FILE_SOURCE_H */
