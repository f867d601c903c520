// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The columns of a table as an Arrow schema.
 *
 * Called by stream.c.
 */
#include <errno.h>
#include <stdlib.h>

#include "schema.h"

/* Names and formats are static; only the structs are to be freed. */
static void release(struct ArrowSchema *schema)
{
	for (int64_t i = 0; i < schema->n_children; i++) {
		if (schema->children[i] && schema->children[i]->release)
			schema->children[i]->release(schema->children[i]);
		free(schema->children[i]);
	}
	free(schema->children);
	schema->release = NULL;
}

int arrow_schema(struct ArrowSchema *schema, const struct table *table)
{
	static const char *const formats[] = {
		[TABLE_INT64] = "l",
		[TABLE_UINT64] = "L",
		[TABLE_INT32] = "i",
		[TABLE_BOOL] = "b",
		[TABLE_DOUBLE] = "g",
		[TABLE_STRING] = "u",
	};

	*schema = (struct ArrowSchema) { .format = "+s", .name = "", .release = release };
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
			.release = release,
		};
	}
	return 0;

no_memory:
	release(schema);
	return ENOMEM;
}
