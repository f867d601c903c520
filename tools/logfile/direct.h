/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes large payloads directly from memory to the disk, without the page cache.
 */
#ifndef EVTLOG_LOGFILE_DIRECT_H
#define EVTLOG_LOGFILE_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** direct_bytes() - return the length of the whole pages, which can be written directly */
size_t direct_bytes(size_t bytes);

/** direct_is_worth() - returns true if @payload is large and begins at a page of memory */
bool direct_is_worth(const void *payload, size_t bytes);

/**
 * direct_offset() - find the place of a block's header
 * @tail:	end of the previous block
 * @header_bytes: length of each block's header
 *
 * Return: the offset of a header whose payload begins at a page of the file.  It is @tail, or
 * leaves room for a filler after @tail.
 */
uint64_t direct_offset(uint64_t tail, size_t header_bytes);

/**
 * direct_write_at() - write whole pages to a page of the file
 * @is_direct:	set to false if the file system does not support it; the pages are written anyway
 *
 * Return: 0 or -errno.
 */
int direct_write_at(int fd, const void *payload, size_t bytes, uint64_t offset, bool *is_direct);

#endif /* EVTLOG_LOGFILE_DIRECT_H */
