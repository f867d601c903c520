/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The footer of a Parquet file, and what waits for it.
 *
 * Stage: between file.c, which keeps row groups as they come, and the end of the file.
 */
#ifndef EVTLOG_PARQUET_FOOTER_H
#define EVTLOG_PARQUET_FOOTER_H

#include "file.h"
#include "page-index.h"

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

#endif /* EVTLOG_PARQUET_FOOTER_H */
