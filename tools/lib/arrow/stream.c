// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A table of a log as an Arrow C stream.
 *
 * Stage: between the tables of a log and the consumer of Arrow's structs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/arrow.h>
#include <evtlog/evtlog.h>

#include "batch.h"
#include "lib/tables/tables.h"

#define BATCH_ROWS	65536
/* Number of events that are read before the rows are counted again */
#define STEP		1024

struct arrow_stream {
	const struct table *table;
	struct tables *tables;
	struct dictionary dictionary;
	struct tables_numbers numbers;
	struct batch batch;
	size_t batch_rows;
	bool ended;
	int error;
};

const char *evtlog_arrow_table(size_t number)
{
	return number < TABLES ? tables_list[number].name : NULL;
}

static int take_row(void *context, enum table_number table, const int64_t *values, uint32_t nulls)
{
	struct arrow_stream *own = context;

	(void)table;
	return batch_put(&own->batch, &own->dictionary, values, nulls);
}

/* ---- Callbacks for the consumer ---- */

/* Names and formats are static; only the structs are freed. */
static void release_schema(struct ArrowSchema *schema)
{
	for (int64_t i = 0; i < schema->n_children; i++) {
		if (schema->children[i] && schema->children[i]->release)
			schema->children[i]->release(schema->children[i]);
		free(schema->children[i]);
	}
	free(schema->children);
	schema->release = NULL;
}

/* Describes the table's columns.  Returns 0 or ENOMEM, as Arrow's functions do. */
static int arrow_schema(struct ArrowSchema *schema, const struct table *table)
{
	static const char *const formats[] = {
		[TABLE_INT64] = "l",
		[TABLE_UINT64] = "L",
		[TABLE_INT32] = "i",
		[TABLE_BOOL] = "b",
		[TABLE_DOUBLE] = "g",
		[TABLE_STRING] = "u",
	};

	*schema = (struct ArrowSchema) { .format = "+s", .name = "", .release = release_schema };
	schema->children = calloc(table->column_count, sizeof(*schema->children));
	if (!schema->children)
		goto no_memory;
	schema->n_children = table->column_count;
	for (unsigned int i = 0; i < table->column_count; i++) {
		const struct table_column *column = &table->columns[i];

		schema->children[i] = malloc(sizeof(**schema->children));
		if (!schema->children[i])
			goto no_memory;
		*schema->children[i] = (struct ArrowSchema) {
			.format = formats[column->type],
			.name = column->name,
			.flags = column->nullable ? ARROW_FLAG_NULLABLE : 0,
			.release = release_schema,
		};
	}
	return 0;

no_memory:
	release_schema(schema);
	return ENOMEM;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema)
{
	struct arrow_stream *own = stream->private_data;

	own->error = -arrow_schema(schema, own->table);
	return -own->error;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *array)
{
	struct arrow_stream *own = stream->private_data;

	memset(array, 0, sizeof(*array));
	while (!own->error && !own->ended && own->batch.count < own->batch_rows) {
		int result = tables_next(own->tables, STEP);

		own->error = result < 0 ? result : 0;
		own->ended = !result;
	}
	/* The remaining rows; an array without release() is the end. */
	if (!own->error && own->batch.count)
		own->error = batch_take(&own->batch, array);
	if (own->error)
		memset(array, 0, sizeof(*array));
	return -own->error;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
	struct arrow_stream *own = stream->private_data;

	return own->error ? strerror(-own->error) : NULL;
}

static void free_stream(struct arrow_stream *own)
{
	tables_free(own->tables);
	batch_free(&own->batch);
	dictionary_free(&own->dictionary);
	free(own);
}

static void release(struct ArrowArrayStream *stream)
{
	free_stream(stream->private_data);
	stream->release = NULL;
}

/* ---- Creation ---- */

static bool is_global(const struct evtlog_file *file)
{
	const char *named = evtlog_meta(file, "named_buffer");

	return named && !strcmp(named, "global");
}

int evtlog_arrow_stream(struct evtlog_file *file, const char *table,
			const struct evtlog_arrow_options *options,
			struct ArrowArrayStream *stream)
{
	static const struct evtlog_arrow_options all = { 0 };
	enum table_number number = tables_find(table);
	struct arrow_stream *own;
	int error;

	options = options ? options : &all;
	if (number == TABLES)
		return -ENOENT;
	if (is_global(file))
		return -EINVAL;
	own = calloc(1, sizeof(*own));
	if (!own)
		return -ENOMEM;
	own->table = own->batch.table = &tables_list[number];
	own->batch_rows = options->batch_rows ? options->batch_rows : BATCH_ROWS;
	own->numbers = (struct tables_numbers) {
		options->first_id, options->first_id, options->first_id
	};
	error = tables_new(&(struct tables_options) {
		.file = file,
		.hosts = options->hosts,
		.number = options->file,
		.host = options->host ? options->host : evtlog_meta(file, "host"),
		.from_ns = options->from_ns,
		.to_ns = options->to_ns ? options->to_ns : UINT64_MAX,
		.wanted = UINT32_C(1) << number,
		.dictionary = &own->dictionary,
		.numbers = &own->numbers,
		.row = take_row,
		.context = own,
	}, &own->tables);
	if (error) {
		free_stream(own);
		return error;
	}
	*stream = (struct ArrowArrayStream) {
		.get_schema = get_schema,
		.get_next = get_next,
		.get_last_error = get_last_error,
		.release = release,
		.private_data = own,
	};
	return 0;
}
