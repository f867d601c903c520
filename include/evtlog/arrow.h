/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tables of a log as Arrow C streams.  pyarrow, DuckDB, Polars and other programs read such a
 * stream in their own process, without an Arrow library.
 *
 * Stage: converts an open log (log.h) to the rows that evtlog-tables(7) lists.  The structs are
 * those of Arrow's C data interface, which may be copied freely.
 */
#ifndef EVTLOG_ARROW_H
#define EVTLOG_ARROW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED	1
#define ARROW_FLAG_NULLABLE		2
#define ARROW_FLAG_MAP_KEYS_SORTED	4

struct ArrowSchema {
	const char *format;
	const char *name;
	const char *metadata;
	int64_t flags;
	int64_t n_children;
	struct ArrowSchema **children;
	struct ArrowSchema *dictionary;
	void (*release)(struct ArrowSchema *schema);
	void *private_data;
};

struct ArrowArray {
	int64_t length;
	int64_t null_count;
	int64_t offset;
	int64_t n_buffers;
	int64_t n_children;
	const void **buffers;
	struct ArrowArray **children;
	struct ArrowArray *dictionary;
	void (*release)(struct ArrowArray *array);
	void *private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
	int (*get_schema)(struct ArrowArrayStream *stream, struct ArrowSchema *schema);
	int (*get_next)(struct ArrowArrayStream *stream, struct ArrowArray *array);
	const char *(*get_last_error)(struct ArrowArrayStream *stream);
	void (*release)(struct ArrowArrayStream *stream);
	void *private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

struct evtlog_clocksync;
struct evtlog_file;

/**
 * struct evtlog_arrow_options - options; all zero: the whole log
 * @hosts: times are on the common timeline, and the log is number @file of @hosts; NULL: times of
 *	the log.  Must outlive the stream
 * @file: number of the log in @hosts
 * @host: name of the host in rows; NULL: name in the log.  Must outlive the stream
 * @from_ns, @to_ns: part of the log, in the log's own time, without @to_ns; @to_ns 0: up to the end
 * @first_id: first number for threads, processes and events; 0: 1.  Use different numbers for hosts
 *	that are streamed separately
 * @batch_rows: approximate number of rows per batch; 0: 65,536
 */
struct evtlog_arrow_options {
	const struct evtlog_clocksync *hosts;
	size_t file;
	const char *host;
	uint64_t from_ns;
	uint64_t to_ns;
	int64_t first_id;
	uint32_t batch_rows;
};

/**
 * evtlog_arrow_table() - get the name of a table
 * @number: from 0
 *
 * Return: a static string; NULL after the last table.
 */
const char *evtlog_arrow_table(size_t number);

/**
 * evtlog_arrow_stream() - open a table of a log as a stream
 * @file: the log; must outlive the stream, and may only be read by it until its release
 * @table: name of the table
 * @options: NULL: all zero
 * @stream: filled in; the caller calls its release()
 *
 * Each stream reads the log once, from its start.  Memory is one batch, and grows with the number
 * of threads that live at the same time.
 *
 * get_next() of the stream returns 0, ENOMEM, or an errno of read().
 *
 * Return: 0; -ENOENT no such table; -EINVAL the log is of a global buffer; -ENOMEM; -errno of
 * read().
 */
int evtlog_arrow_stream(struct evtlog_file *file, const char *table,
			const struct evtlog_arrow_options *options,
			struct ArrowArrayStream *stream);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_ARROW_H */
