/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parquet's index of pages: where each page of a column chunk is, and its least and most value.
 *
 * Stage: behind a column that is full; file.c puts it before the footer.  By it readers leave out
 * pages of a row group that they read.
 */
#ifndef EVTLOG_PARQUET_PAGE_INDEX_H
#define EVTLOG_PARQUET_PAGE_INDEX_H

#include "column.h"

/* Bytes of each of the two parts */
struct page_index {
	size_t ranges;
	size_t places;
};

/*
 * page_index_put() - its ranges, if the column has any, and its places
 * @offset: of the first page in the file
 */
struct page_index page_index_put(struct bytes *to, const struct column *column,
				 const struct dictionary *dictionary, uint64_t offset);

/* How statistics have a number of the column: its bytes. */
unsigned int column_number(const struct column *column, int64_t value, unsigned char bytes[8]);

/* Which of two strings is first, as Parquet orders them: like strcmp() */
int column_compare_texts(struct dictionary_text one, struct dictionary_text other);

#endif /* EVTLOG_PARQUET_PAGE_INDEX_H */
