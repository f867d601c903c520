/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checkpoints of tables in an index's file, for who reads a log as tables from the middle.
 *
 * Stage: beside the index: nothing else of it is read.  Commands and the library each have a copy.
 */
#ifndef EVTLOG_LIB_INDEX_CHECKPOINT_H
#define EVTLOG_LIB_INDEX_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct evtlog_file;

/* As it is in the file; @time_ns, @event: as of struct tables_checkpoint */
struct index_checkpoint {
	uint64_t offset;
	uint64_t length;
	uint64_t time_ns;
	uint64_t event;
	uint32_t crc32;
	uint32_t reserved;
};

/*
 * Which is wanted: the last at or before @time_ns, and whose event is below @event.  The index is
 * looked for in @directory first, if it is one, as evtlog_index_open() does.
 */
struct index_checkpoint_wanted {
	const char *directory;
	uint64_t time_ns;
	uint64_t event;
};

/*
 * index_checkpoint_read() - a checkpoint of a log's index, if it has one
 * @log: path of @file
 * @bytesp: to be freed
 *
 * No index, one of another log, or a damaged one has none.
 *
 * Return: 1 and its bytes; 0: there is none, or no memory for it; -ENOMEM.
 */
int index_checkpoint_read(const char *log, const struct evtlog_file *file,
			  const struct index_checkpoint_wanted *wanted, void **bytesp,
			  size_t *lengthp);

/* Whether there is a file where a log's index would be, of whatever log. */
bool index_checkpoint_may_be(const char *log, const char *directory);

#endif /* EVTLOG_LIB_INDEX_CHECKPOINT_H */
