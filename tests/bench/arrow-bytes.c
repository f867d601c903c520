// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arrow-bytes - prints the number of bytes in the buffers of a log's Arrow streams, all tables
 * except the view. An Arrow IPC file contains these bytes, headers and padding.
 *
 *	arrow-bytes LOG
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <evtlog/arrow.h>
#include <evtlog/evtlog.h>

/* A view of sched_slice and thread_wait, also in `evtlog export --parquet` */
#define VIEW	"thread_state"

static uint64_t bytes_of(const struct ArrowArray *column, char format)
{
	uint64_t rows = column->length, valid = (rows + 7) / 8;

	switch (format) {
	case 'l':
	case 'g':
		return valid + 8 * rows;
	case 'i':
		return valid + 4 * rows;
	case 'b':
		return 2 * valid;
	case 'u':
		return valid + 4 * (rows + 1) + ((const int32_t *)column->buffers[1])[rows];
	default:
		fprintf(stderr, "arrow-bytes: format %c is unknown\n", format);
		return 0;
	}
}

static int sum(struct ArrowArrayStream *stream, uint64_t *bytes)
{
	struct ArrowSchema schema;
	struct ArrowArray rows;
	int error = stream->get_schema(stream, &schema);

	if (error)
		return error;
	while (!(error = stream->get_next(stream, &rows)) && rows.release) {
		for (int64_t i = 0; i < rows.n_children; i++)
			*bytes += bytes_of(rows.children[i], schema.children[i]->format[0]);
		rows.release(&rows);
	}
	schema.release(&schema);
	return error;
}

int main(int argc, char **argv)
{
	struct evtlog_error why = { 0 };
	struct evtlog_file *log;
	uint64_t bytes = 0;
	const char *table;
	int error = 0;

	if (argc != 2 || evtlog_open(argv[1], &log, &why)) {
		fprintf(stderr, "arrow-bytes: %s\n", argc == 2 ? why.reason : "usage: arrow-bytes LOG");
		return 1;
	}
	for (size_t i = 0; !error && (table = evtlog_arrow_table(i)); i++) {
		struct ArrowArrayStream stream;

		if (!strcmp(table, VIEW))
			continue;
		error = -evtlog_arrow_stream(log, table, NULL, &stream);
		if (error)
			break;
		error = sum(&stream, &bytes);
		stream.release(&stream);
	}
	if (error)
		fprintf(stderr, "arrow-bytes: %s: %s\n", argv[1], strerror(error));
	else
		printf("%" PRIu64 "\n", bytes);
	evtlog_close(log);
	return error ? 1 : 0;
}
