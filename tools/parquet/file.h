/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A Parquet file: row groups, and the footer that makes it one.
 *
 * Stage: last before the disk.  A file without its footer is none: what is left of a command that
 * was killed is never taken for whole.
 */
#ifndef EVTLOG_PARQUET_FILE_H
#define EVTLOG_PARQUET_FILE_H

#include "column.h"
#include "overflow.h"

#define FILE_COLUMNS	TABLE_COLUMNS_MAX

/*
 * @groups:	their part of the footer, as footer.h has it
 * @index:	of their pages
 * @offset:	bytes written
 */
struct parquet_file {
	int fd;
	const struct table *table;
	struct overflow groups;
	struct overflow index;
	size_t group_count;
	uint64_t rows;
	uint64_t offset;
};

/* A line of the footer */
struct parquet_note {
	const char *key;
	const char *value;
};

/* Writes behind what is there.  0 or -errno. */
int parquet_file_write(struct parquet_file *file, const void *bytes, size_t count);

/* Makes @path, new.  0 or -errno. */
int parquet_file_open(struct parquet_file *file, const struct table *table, const char *path);

/* Writes the columns as a row group of @rows rows.  0 or -errno. */
int parquet_file_group(struct parquet_file *file, struct page_maker *maker,
		       struct column *columns, uint64_t rows);

/* Writes the footer and closes.  0 or -errno. */
int parquet_file_finish(struct parquet_file *file, const struct parquet_note *notes, size_t count);

/* Closes it as it is, if it is open. */
void parquet_file_discard(struct parquet_file *file);

#endif /* EVTLOG_PARQUET_FILE_H */
