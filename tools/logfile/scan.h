/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds existing files and their content, so that a logger can continue them.
 */
#ifndef EVTLOG_LOGFILE_SCAN_H
#define EVTLOG_LOGFILE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include <evtlog/file.h>

#include "run-id.h"

/* The index of a file, which grows with the file. */
struct block_index {
	struct evtlog_index_entry *entries;
	size_t count;
	size_t capacity;
};

/** block_index_add() - returns 0 or -ENOMEM */
int block_index_add(struct block_index *index, const struct evtlog_index_entry *entry);
void block_index_free(struct block_index *index);

/**
 * scan_run_id() - find the run or the named buffer of a file
 * @header:	set to the file's header
 *
 * Returns 0, -EBADMSG if the header is not complete and valid, -ENOMEM, or an error of reading.
 */
int scan_run_id(int fd, struct evtlog_file_header *header, struct run_id *run);

/*
 * @on_buffer is called for each complete buffer, in the order of the file.  The header is valid
 * only during the call.
 */
struct scan_visitor {
	void (*on_buffer)(void *context, const struct evtlog_buffer_header *buffer);
	void *context;
};

/**
 * scan_content() - find all complete blocks of a file
 * @start:	offset of the first block
 * @index:	gets an entry for each block that contains a buffer
 * @tail:	set to the end of the last block, where the next block goes.  If only padding is
 *		missing, the file may be up to 7 bytes shorter
 * @closed:	set to whether the file ends with a valid trailer
 *
 * Damage before a later valid block is not changed: the reader reports it.  Only the last
 * buffer's payload is checked by its CRC: if this block is damaged, the kernel may still have
 * the buffer.
 *
 * Returns 0, -ENOMEM, or an error of reading.
 */
int scan_content(int fd, uint64_t start, const struct scan_visitor *visitor,
		struct block_index *index, uint64_t *tail, bool *closed);

/* ---- Files that a killed logger left open ---- */

/**
 * recover_each() - find files of runs of this boot that were not closed properly
 * @path:	path of @directory
 * @host:	HOST in file names
 * @one:	called for each; its file has a name of this run
 */
void recover_each(int directory, const char *path, const char *host, const uint8_t *boot_id,
		  void (*one)(void *context, const struct run_id *run), void *context);

#endif /* EVTLOG_LOGFILE_SCAN_H */
