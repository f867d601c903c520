/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A Parquet file: row groups, page index and footer.
 *
 * Stage: between rows (rows.c) and the disk.  A file without its footer is invalid, so readers
 * reject the incomplete file of a killed command.
 */
#ifndef EVTLOG_PARQUET_FILE_H
#define EVTLOG_PARQUET_FILE_H

#include "column.h"
#include "encode.h"

/* ---- Bytes for the end of a file; memory holds only the last ones ---- */

/*
 * @held:	the last bytes
 * @fd:		file with the first @spilled bytes; valid if @spilled is not 0
 * @taken:	number of bytes that were read again
 */
struct overflow {
	struct bytes held;
	uint64_t spilled;
	uint64_t taken;
	int fd;
};

/* Adds @count bytes.  Returns 0 or -errno. */
int overflow_put(struct overflow *overflow, const void *bytes, size_t count);

/* Reads the next @count bytes, which must exist.  Returns 0 or -errno. */
int overflow_take(struct overflow *overflow, void *bytes, size_t count);

static inline uint64_t overflow_count(const struct overflow *overflow)
{
	return overflow->spilled + overflow->held.count;
}

void overflow_free(struct overflow *overflow);

/* ---- A file ---- */

#define FILE_COLUMNS	TABLE_COLUMNS_MAX

/*
 * @groups:	for each row group, struct group and metadata for the footer
 * @index:	page index
 * @offset:	bytes written so far
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

/* Key and value in the footer */
struct parquet_note {
	const char *key;
	const char *value;
};

/* Appends bytes.  Returns 0 or -errno. */
int parquet_file_write(struct parquet_file *file, const void *bytes, size_t count);

/* Makes a new file @path.  Returns 0 or -errno. */
int parquet_file_open(struct parquet_file *file, const struct table *table, const char *path);

/* Writes the columns as a row group of @rows rows.  Returns 0 or -errno. */
int parquet_file_group(struct parquet_file *file, struct page_maker *maker,
		       struct column *columns, uint64_t rows);

/* Writes page index and footer, and closes the file.  Returns 0 or -errno. */
int parquet_file_finish(struct parquet_file *file, const struct parquet_note *notes, size_t count);

/* Closes an unfinished file, if it is open. */
void parquet_file_discard(struct parquet_file *file);

/* ---- The footer, and the data that is kept for it ---- */

/* Id of meta_data in ColumnChunk; the fields of the page index follow it. */
#define CHUNK_META_DATA	3

/* Bytes of the ColumnIndex (ranges of values) and the OffsetIndex (places) of a column chunk */
struct page_index {
	size_t ranges;
	size_t places;
};

/* @meta: bytes of ColumnChunk in the footer, up to and with meta_data */
struct chunk {
	uint64_t offset;
	uint64_t data_offset;
	uint64_t bytes;
	uint64_t uncompressed_bytes;
	size_t meta;
	struct page_index index;
};

/* @meta: sum over all chunks */
struct group {
	uint64_t rows;
	uint64_t offset;
	uint64_t bytes;
	uint64_t uncompressed_bytes;
	size_t meta;
	struct chunk chunks[FILE_COLUMNS];
};

/* Writes the footer; @index: offset of the page index.  Returns 0 or -errno. */
int footer_write(struct parquet_file *file, uint64_t index, const struct parquet_note *notes,
		 size_t count);

#endif /* EVTLOG_PARQUET_FILE_H */
