// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Sums a table of a log with its Arrow stream: prints the number of values and their sum for each
 * column of numbers.
 *
 *	cc arrow.c $(pkg-config --cflags --libs evtlog) -o arrow
 *	./arrow node1-1.evl sched_slice
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <evtlog/arrow.h>
#include <evtlog/evtlog.h>

#define COLUMNS_MAX	64

static int64_t counts[COLUMNS_MAX];
static long double sums[COLUMNS_MAX];

/* A long double represents 64-bit numbers exactly. */
static long double value(const struct ArrowArray *column, char format, int64_t row)
{
	if (format == 'l')
		return ((const int64_t *)column->buffers[1])[row];
	if (format == 'L')
		return ((const uint64_t *)column->buffers[1])[row];
	if (format == 'i')
		return ((const int32_t *)column->buffers[1])[row];
	if (format == 'b')
		return ((const uint8_t *)column->buffers[1])[row / 8] >> row % 8 & 1;
	return 0;
}

static void add(const struct ArrowSchema *schema, const struct ArrowArray *rows)
{
	for (int64_t i = 0; i < rows->n_children && i < COLUMNS_MAX; i++) {
		const struct ArrowArray *column = rows->children[i];
		const uint8_t *valid = column->buffers[0];

		for (int64_t row = 0; row < rows->length; row++) {
			if (!(valid[row / 8] >> row % 8 & 1))
				continue;
			counts[i]++;
			sums[i] += value(column, schema->children[i]->format[0], row);
		}
	}
}

static int sum(struct ArrowArrayStream *stream, struct ArrowSchema *schema)
{
	struct ArrowArray rows;
	int error;

	while (!(error = stream->get_next(stream, &rows)) && rows.release) {
		add(schema, &rows);
		rows.release(&rows);
	}
	for (int64_t i = 0; !error && i < schema->n_children && i < COLUMNS_MAX; i++)
		printf("%s %" PRId64 " %.0Lf\n", schema->children[i]->name, counts[i],
		       sums[i]);
	return error;
}

int main(int argc, char **argv)
{
	struct evtlog_error why = { 0 };
	struct ArrowArrayStream stream;
	struct ArrowSchema schema;
	struct evtlog_file *log;
	int error = argc == 3 ? evtlog_open(argv[1], &log, &why) : -EINVAL;

	if (error < 0) {
		fprintf(stderr, "arrow: %s\n", argc == 3 ? why.reason : "usage: arrow LOG TABLE");
		return 1;
	}
	error = -evtlog_arrow_stream(log, argv[2], NULL, &stream);
	if (!error) {
		error = stream.get_schema(&stream, &schema);
		if (!error) {
			error = sum(&stream, &schema);
			schema.release(&schema);
		}
		stream.release(&stream);
	}
	if (error)
		fprintf(stderr, "arrow: %s: %s: %s\n", argv[1], argv[2], strerror(error));
	evtlog_close(log);
	return error ? 1 : 0;
}
