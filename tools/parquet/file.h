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
#include "encode.h"

/* ---- Bytes that wait for the end of a file, of which memory holds only the last ---- */

/*
 * @held:	the last ones
 * @fd:		where the first @spilled are; valid if there are such
 * @taken:	so many were given back
 */
struct overflow {
	struct bytes held;
	uint64_t spilled;
	uint64_t taken;
	int fd;
};

/* Adds @count bytes.  0 or -errno. */
int overflow_put(struct overflow *overflow, const void *bytes, size_t count);

/* Gives the next @count bytes, which must be there.  0 or -errno. */
int overflow_take(struct overflow *overflow, void *bytes, size_t count);

static inline uint64_t overflow_count(const struct overflow *overflow)
{
	return overflow->spilled + overflow->held.count;
}

void overflow_free(struct overflow *overflow);

/* ---- A file ---- */

#define FILE_COLUMNS	TABLE_COLUMNS_MAX

/*
 * @groups:	their part of the footer, as struct group has it
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

/* ---- The footer of a Parquet file, and what waits for it ---- */

/* Field of the struct of a column chunk behind which its index is named */
#define CHUNK_META_DATA	3

/* @meta: bytes of the footer, up to there */
struct chunk {
	uint64_t offset;
	uint64_t data_offset;
	uint64_t bytes;
	uint64_t uncompressed_bytes;
	size_t meta;
	struct page_index index;
};

/* @meta: of all chunks */
struct group {
	uint64_t rows;
	uint64_t offset;
	uint64_t bytes;
	uint64_t uncompressed_bytes;
	size_t meta;
	struct chunk chunks[FILE_COLUMNS];
};

/* Writes it; @index: where the index of the pages begins.  0 or -errno. */
int footer_write(struct parquet_file *file, uint64_t index, const struct parquet_note *notes,
		 size_t count);

#endif /* EVTLOG_PARQUET_FILE_H */
