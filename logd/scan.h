/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run file that already exists holds, so that logd can go on with it.
 */
#ifndef EVTLOG_LOGD_SCAN_H
#define EVTLOG_LOGD_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include <evtlog/file.h>

/* The index of a run file, as it grows. */
struct block_index {
	struct evtlog_index_entry *entries;
	size_t count;
	size_t capacity;
};

/** block_index_add() - 0 or -ENOMEM */
int block_index_add(struct block_index *index, const struct evtlog_index_entry *entry);
void block_index_free(struct block_index *index);

/**
 * scan_file_header() - whether the file has a whole and sound header
 *
 * Returns 0, -EBADMSG when it has not, or an error of reading.
 */
int scan_file_header(int fd, struct evtlog_file_header *header);

/*
 * @on_buffer is told of each whole buffer, in file order; the header is only
 * good during the call.
 */
struct scan_visitor {
	void (*on_buffer)(void *context, const struct evtlog_buffer_header *buffer);
	void *context;
};

/**
 * scan_blocks() - find all whole blocks of a file
 * @start:	offset of the first block
 * @index:	gets an entry for each block that holds a buffer
 * @tail:	gets the end of the last of them, where the next block goes; the
 *		file may be up to 7 bytes shorter, if only padding is missing
 * @closed:	gets whether an index and a good trailer follow
 *
 * Damage before a later good block is left as it is: it is evidence, and the
 * reader tells of it.  Only the last buffer's payload is checked by its CRC:
 * the kernel may still hold a buffer whose block is not sound.
 *
 * Returns 0, -ENOMEM, or an error of reading.
 */
int scan_blocks(int fd, uint64_t start, const struct scan_visitor *visitor,
		struct block_index *index, uint64_t *tail, bool *closed);

/** scan_trailer() - whether the file ends with a good trailer; 0, 1 or -errno */
int scan_trailer(int fd, uint64_t size, struct evtlog_file_trailer *trailer);

#endif /* EVTLOG_LOGD_SCAN_H */
