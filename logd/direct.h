/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes large payloads from where they lie to the disk, past the page cache.
 */
#ifndef EVTLOG_LOGD_DIRECT_H
#define EVTLOG_LOGD_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** direct_bytes() - how much of a payload is whole pages, which alone can be written so */
size_t direct_bytes(size_t bytes);

/** direct_is_worth() - begins @payload at a page of memory, and is it large? */
bool direct_is_worth(const void *payload, size_t bytes);

/**
 * direct_offset() - where a block's header goes
 * @tail:	end of the block before
 * @header_bytes: of every block
 *
 * Return: the offset of a header whose payload begins at a page of the file: @tail, or where there
 * is room for a filler before it.
 */
uint64_t direct_offset(uint64_t tail, size_t header_bytes);

/**
 * direct_write_at() - writes whole pages to a page of the file
 * @is_direct:	false from then on where the file system takes none so; they are written in any case
 *
 * Return: 0 or -errno.
 */
int direct_write_at(int fd, const void *payload, size_t bytes, uint64_t offset, bool *is_direct);

#endif /* EVTLOG_LOGD_DIRECT_H */
