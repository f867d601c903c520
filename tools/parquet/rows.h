/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a table on their way into a Parquet file.
 *
 *	rows ──▶ staged, PAGE_ROWS ──sorted by time──▶ pages of columns ──▶ row group ──▶ file
 *
 * Slices come when they end.  One that began before the last row group would make that of its
 * row group a long time, so that readers could leave out none: such go into a row group of their
 * own.  They are few, as there is at most one for each CPU or thread in a row group.
 *
 * Hosts come behind each other.  So that a query of a time of all of them reads a part of each, a
 * row group ends when it has a part of the time, and when its host does, but it has some rows.
 */
#ifndef EVTLOG_PARQUET_ROWS_H
#define EVTLOG_PARQUET_ROWS_H

#include "file.h"

/* A row group has at most so many; with fewer it takes what comes. */
#define GROUP_ROWS	(1u << 20)
#define GROUP_ROWS_MIN	(1u << 15)

/*
 * @staged:	values of rows, PAGE_ROWS of each column; @nulls of each row
 * @count:	of these
 * @rows:	in the pages of @columns
 * @bytes:	of these pages
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
 * @in_time, @late: row groups that are filled
 * @floor:	rows before it are late
 * @latest:	time of the rows in time so far
 * @part_ns:	a row group that has as much time may end; INT64_MAX: it need not
 * @begin:	of the one that is filled, in time
 * @has_once:	it has columns of strings that the dictionary does not hold
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

/* Makes the file; @part_ns as in struct rows.  0 or -errno; rows_discard() in both cases. */
int rows_open(struct rows *rows, const struct table *table, const char *path, int64_t part_ns);

/* Adds a row.  0 or -errno. */
int rows_put(struct rows *rows, struct page_maker *maker, const int64_t *values, uint32_t nulls);

/* The rows of another host come, whose times begin anew.  0 or -errno. */
int rows_next_host(struct rows *rows, struct page_maker *maker);

/* Bytes in memory of pages */
static inline size_t rows_bytes(const struct rows *rows)
{
	return rows->in_time.bytes + rows->late.bytes;
}

/* Writes the larger of its row groups, as it is.  0 or -errno. */
int rows_flush(struct rows *rows, struct page_maker *maker);

/* Writes what is left, and the footer.  0 or -errno. */
int rows_finish(struct rows *rows, struct page_maker *maker, const struct parquet_note *notes,
		size_t count);
void rows_discard(struct rows *rows);

#endif /* EVTLOG_PARQUET_ROWS_H */
