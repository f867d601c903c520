/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A log's tables as Arrow C streams, which pyarrow, DuckDB, Polars and others take in their own
 * process, without a library of Arrow's.
 *
 * Stage: from an open log (log.h) to rows, which evtlog-tables(7) lists.  The structs are those of
 * Arrow's C data interface, which are free to be copied.
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
 * struct evtlog_arrow_options - what of a log to stream; all zero: all of it
 * @hosts: times are of the common timeline, and the log is number @file of it; NULL: those of the
 *	log.  It must outlive the stream
 * @file: see there
 * @host: name of the host in rows; NULL: as the log has it.  It must outlive the stream
 * @from_ns, @to_ns: which part, by the log's own time; @to_ns is not included, 0: up to the end
 * @first_id: threads, processes and events are numbered from there on: those of hosts that are
 *	streamed one by one are to be different.  0: 1
 * @batch_rows: about so many rows come at a time; 0: 65,536
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
 * evtlog_arrow_table() - name of a table
 * @number: from 0
 *
 * Return: static; NULL behind the last one.
 */
const char *evtlog_arrow_table(size_t number);

/**
 * evtlog_arrow_stream() - a table of a log as a stream
 * @file: the log, which must outlive the stream, and of which nothing else is read meanwhile
 * @table: its name
 * @options: NULL: all zero
 * @stream: filled in: whoever takes it calls its release()
 *
 * The log is read from its start, once for each stream. Memory is a batch, and grows with the
 * threads that live at a time.
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
