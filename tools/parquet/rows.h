/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the rows of a table in pages and row groups of a Parquet file.
 *
 *	rows ──▶ staged, PAGE_ROWS ──sorted by time──▶ pages of columns ──▶ row group ──▶ file
 *
 * Slices come in the order of their ends.  A slice that began in an earlier row group would extend
 * the time of its own row group, and readers could skip fewer row groups.  Such late rows go to a
 * separate row group.  They are few: in a row group, at most one for each CPU or thread.
 *
 * Hosts follow one another.  A row group ends after a part of the time, and at the end of its host,
 * if it has enough rows.  So a query of a time window on all hosts reads only a part of each host.
 */
#ifndef EVTLOG_PARQUET_ROWS_H
#define EVTLOG_PARQUET_ROWS_H

#include "file.h"

/* Most rows of a row group; fewest rows with which it may end after a part, or with its host */
#define GROUP_ROWS	(1u << 20)
#define GROUP_ROWS_MIN	(1u << 15)

/*
 * @staged:	values of the next page's rows, PAGE_ROWS for each column; @nulls: for each row
 * @count:	number of staged rows
 * @rows:	number of rows in the pages of @columns
 * @bytes:	memory of these pages
 */
struct row_group {
	int64_t *staged;
	uint32_t *nulls;
	unsigned int count;
	uint64_t rows;
	size_t bytes;
	struct column columns[FILE_COLUMNS];
};

/*
 * @in_time, @late: current row groups
 * @floor:	rows with an earlier time are late
 * @latest:	latest time of rows so far
 * @part_ns:	length of a part, after which a row group may end; INT64_MAX: no parts
 * @begin:	earliest time in @in_time
 * @has_once:	the table has columns of strings that the dictionary does not hold
 */
struct rows {
	const struct table *table;
	struct parquet_file file;
	struct row_group in_time;
	struct row_group late;
	int64_t floor;
	int64_t latest;
	int64_t part_ns;
	int64_t begin;
	bool has_once;
};

/* Makes the file.  Returns 0 or -errno.  Call rows_discard() in both cases. */
int rows_open(struct rows *rows, const struct table *table, const char *path, int64_t part_ns);

/* Adds a row.  Returns 0 or -errno. */
int rows_put(struct rows *rows, struct page_maker *maker, const int64_t *values, uint32_t nulls);

/* Call it before the rows of another host, whose times start again.  Returns 0 or -errno. */
int rows_next_host(struct rows *rows, struct page_maker *maker);

/* Memory of pages in bytes */
static inline size_t rows_bytes(const struct rows *rows)
{
	return rows->in_time.bytes + rows->late.bytes;
}

/* Writes the larger of the two current row groups.  Returns 0 or -errno. */
int rows_flush(struct rows *rows, struct page_maker *maker);

/* Writes the remaining rows and the footer.  Returns 0 or -errno. */
int rows_finish(struct rows *rows, struct page_maker *maker, const struct parquet_note *notes,
		size_t count);
void rows_discard(struct rows *rows);

#endif /* EVTLOG_PARQUET_ROWS_H */
