// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints rows as text, CSV or JSON.
 *
 * Texts come from logs and are untrusted, as any user can name a task.  In the form text, bytes
 * that a terminal could interpret are escaped.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "session.h"

/* Number of first rows that define the widths of columns */
#define ROWS_KEPT	256

const char *const print_form_names[] = {
	[PRINT_TEXT] = "text",
	[PRINT_CSV] = "csv",
	[PRINT_JSON] = "json",
	NULL
};

/* ---- Aligned columns ---- */

static bool is_number(const struct print *print, int column)
{
	int type = sqlite3_column_type(print->statement, column);

	return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

/* Returns the bytes in escaped form, which the caller frees; NULL without memory. */
static char *escaped(const unsigned char *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	char *text = malloc(strlen("\\xNN") * length + 1), *to = text;

	for (; text && length; length--, bytes++) {
		if (*bytes >= ' ' && *bytes < 0x7f && *bytes != '\\') {
			*to++ = *bytes;
			continue;
		}
		*to++ = '\\';
		*to++ = 'x';
		*to++ = digits[*bytes >> 4];
		*to++ = digits[*bytes & 15];
	}
	if (text)
		*to = '\0';
	return text;
}

/* Returns the text of a value, "-" for NULL, which the caller frees; NULL without memory. */
static char *cell_of(const struct print *print, int column)
{
	const void *text = is_number(print, column) ?
			   (const void *)sqlite3_column_text(print->statement, column) :
			   sqlite3_column_blob(print->statement, column);

	if (sqlite3_column_type(print->statement, column) == SQLITE_NULL)
		return strdup("-");
	return escaped(text, text ? sqlite3_column_bytes(print->statement, column) : 0);
}

static void show_cell(const struct print *print, int column, const char *text)
{
	bool last = column + 1 == print->columns;
	int width = print->widths[column];

	if (print->numbers[column])
		fprintf(print->out, "%*s", width, text);
	else
		fprintf(print->out, "%-*s", last ? 0 : width, text);
	fputs(last ? "\n" : "  ", print->out);
}

static void show_kept(struct print *print)
{
	for (int i = 0; i < print->columns; i++)
		show_cell(print, i, print->names[i]);
	for (size_t i = 0; i < print->rows * print->columns; i++) {
		show_cell(print, i % print->columns, print->cells[i]);
		free(print->cells[i]);
	}
	print->rows = 0;
	print->aligned = true;
}

static int keep_row(struct print *print)
{
	for (int i = 0; i < print->columns; i++) {
		char *kept = cell_of(print, i);
		size_t length;

		if (!kept) {
			/* Drop the incomplete row. */
			while (i--)
				free(print->cells[print->rows * print->columns + i]);
			return -ENOMEM;
		}
		length = strlen(kept);
		print->cells[print->rows * print->columns + i] = kept;
		if (length > print->widths[i])
			print->widths[i] = length;
		print->numbers[i] &= is_number(print, i) ||
				     sqlite3_column_type(print->statement, i) == SQLITE_NULL;
	}
	if (++print->rows == ROWS_KEPT)
		show_kept(print);
	return 0;
}

static int show_row(const struct print *print)
{
	for (int i = 0; i < print->columns; i++) {
		char *text = cell_of(print, i);

		if (!text)
			return -ENOMEM;
		show_cell(print, i, text);
		free(text);
	}
	return 0;
}

/* ---- CSV and JSON ---- */

static void csv_row(struct print *print)
{
	for (int i = 0; i < print->columns; i++) {
		sqlite3_stmt *statement = print->statement;

		switch (sqlite3_column_type(statement, i)) {
		case SQLITE_NULL:
			csv_empty(&print->csv);
			break;
		case SQLITE_INTEGER:
			csv_s64(&print->csv, sqlite3_column_int64(statement, i));
			break;
		case SQLITE_FLOAT:
			csv_number(&print->csv, (const char *)sqlite3_column_text(statement, i));
			break;
		default:
			/* Not as text: it may contain a NUL, and a blob need not be text. */
			csv_bytes(&print->csv, sqlite3_column_blob(statement, i),
				  sqlite3_column_bytes(statement, i));
		}
	}
	csv_end(&print->csv);
}

static void json_value(struct json *json, sqlite3_stmt *statement, int column, const char *key)
{
	int type = sqlite3_column_type(statement, column);
	const char *text;

	switch (type) {
	case SQLITE_INTEGER:
		json_exact_s64(json, key, sqlite3_column_int64(statement, column));
		break;
	case SQLITE_FLOAT:
		if (isfinite(sqlite3_column_double(statement, column))) {
			text = (const char *)sqlite3_column_text(statement, column);
			json_raw(json, key, text, strlen(text));
			break;
		}
		/* Fallthrough */
	case SQLITE_NULL:
		json_null(json, key);
		break;
	default:
		text = sqlite3_column_blob(statement, column);
		json_bytes(json, key, text ? text : "", sqlite3_column_bytes(statement, column));
	}
}

static void json_row(const struct print *print)
{
	struct json json;

	json_start(&json, print->out, true);
	json_object(&json, NULL);
	for (int i = 0; i < print->columns; i++)
		json_value(&json, print->statement, i, sqlite3_column_name(print->statement, i));
	json_end(&json);
}

static void csv_names(struct print *print)
{
	struct csv *csv = &print->csv;

	csv_start(csv, print->out);
	for (int i = 0; i < print->columns; i++)
		csv_text(csv, sqlite3_column_name(print->statement, i));
	csv_end(csv);
}

/* ---- Begin and end ---- */

static int name_columns(struct print *print)
{
	for (int i = 0; i < print->columns; i++) {
		const char *name = sqlite3_column_name(print->statement, i);

		print->names[i] = escaped((const unsigned char *)(name ? name : "?"),
					  name ? strlen(name) : 1);
		if (!print->names[i])
			return -ENOMEM;
		print->widths[i] = strlen(print->names[i]);
		print->numbers[i] = true;
	}
	return 0;
}

int print_begin(struct print *print, FILE *out, enum print_form form, sqlite3_stmt *statement)
{
	*print = (struct print) {
		.out = out,
		.form = form,
		.statement = statement,
		.columns = sqlite3_column_count(statement),
	};
	if (form == PRINT_CSV)
		csv_names(print);
	if (form != PRINT_TEXT)
		return 0;
	print->cells = calloc(ROWS_KEPT * (size_t)print->columns, sizeof(*print->cells));
	print->widths = calloc(print->columns, sizeof(*print->widths));
	print->numbers = calloc(print->columns, sizeof(*print->numbers));
	print->names = calloc(print->columns, sizeof(*print->names));
	if (!print->cells || !print->widths || !print->numbers || !print->names)
		return -ENOMEM;
	print->ready = !name_columns(print);
	return print->ready ? 0 : -ENOMEM;
}

int print_row(struct print *print)
{
	switch (print->form) {
	case PRINT_CSV:
		csv_row(print);
		return 0;
	case PRINT_JSON:
		json_row(print);
		return 0;
	default:
		if (!print->aligned)
			return keep_row(print);
		return show_row(print);
	}
}

void print_end(struct print *print)
{
	if (print->ready && !print->aligned)
		show_kept(print);
	for (int i = 0; print->names && i < print->columns; i++)
		free(print->names[i]);
	free(print->names);
	free(print->cells);
	free(print->widths);
	free(print->numbers);
}
