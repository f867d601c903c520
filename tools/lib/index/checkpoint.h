/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checkpoints of tables in an index file, for readers of tables that start in the middle of a log.
 *
 * Stage: reads only the checkpoints.  The commands and the library each have a copy of this code.
 */
#ifndef EVTLOG_LIB_INDEX_CHECKPOINT_H
#define EVTLOG_LIB_INDEX_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct evtlog_file;

/* A checkpoint in the file.  @time_ns, @event: as in struct tables_checkpoint */
struct index_checkpoint {
	uint64_t offset;
	uint64_t length;
	uint64_t time_ns;
	uint64_t event;
	uint32_t crc32;
	uint32_t reserved;
};

/*
 * Selects the last checkpoint at or before @time_ns whose event is less than @event.  If @directory
 * is not NULL, it is searched first, as by evtlog_index_open().
 */
struct index_checkpoint_wanted {
	const char *directory;
	uint64_t time_ns;
	uint64_t event;
};

/*
 * index_checkpoint_read() - read a checkpoint from a log's index
 * @log: path of @file
 * @bytesp: where the bytes are stored; free() them
 *
 * A missing or damaged index, and an index of another log, count as having no checkpoint.
 *
 * Return: 1 if a checkpoint was stored; 0 if there is none, or no memory for it; -ENOMEM.
 */
int index_checkpoint_read(const char *log, const struct evtlog_file *file,
			  const struct index_checkpoint_wanted *wanted, void **bytesp,
			  size_t *lengthp);

/* Returns true if a file exists at a place for the log's index, even if it is of another log. */
bool index_checkpoint_may_be(const char *log, const char *directory);

#endif /* EVTLOG_LIB_INDEX_CHECKPOINT_H */
