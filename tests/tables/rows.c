// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the rows of a log's tables as lines of JSON, for tests: {"table":..., COLUMN: VALUE, ...}.
 *
 *	rows --page			the tables in the form of evtlog-tables(7)
 *	rows LOG [--from NS] [--to NS] [--cpu N] [TABLE...]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tables/tables.h"

static struct dictionary dictionary;

static void print_text(struct dictionary_text text)
{
	putchar('"');
	for (size_t i = 0; i < text.length; i++) {
		unsigned char c = text.bytes[i];

		if (c < 0x20 || c == '"' || c == '\\')
			printf("\\u%04x", c);
		else
			putchar(c);
	}
	putchar('"');
}

static void print_value(const struct table_column *column, int64_t value)
{
	switch (column->type) {
	case TABLE_STRING:
		print_text(dictionary_text(&dictionary, value));
		return;
	case TABLE_DOUBLE:
		printf("%.17g", tables_double(value));
		return;
	case TABLE_BOOL:
		printf(value ? "true" : "false");
		return;
	case TABLE_UINT64:
		printf("%" PRIu64, (uint64_t)value);
		return;
	default:
		printf("%" PRId64, value);
	}
}

static int print_row(void *context, enum table_number number, const int64_t *values, uint32_t nulls)
{
	const struct table *table = &tables_list[number];

	(void)context;
	printf("{\"table\":\"%s\"", table->name);
	for (unsigned int i = 0; i < table->column_count; i++) {
		printf(",\"%s\":", table->columns[i].name);
		if (nulls >> i & 1) {
			if (!table->columns[i].nullable)
				abort();
			printf("null");
		} else {
			print_value(&table->columns[i], values[i]);
		}
	}
	printf("}\n");
	return 0;
}

static void print_columns(const struct table_column *columns, unsigned int count)
{
	static const char *const types[] = {
		[TABLE_INT64] = "int64", [TABLE_UINT64] = "uint64", [TABLE_INT32] = "int32",
		[TABLE_BOOL] = "bool", [TABLE_DOUBLE] = "double", [TABLE_STRING] = "string",
	};

	printf(".Bl -column \"blocked_function\" \"string?\" -compact\n");
	for (unsigned int i = 0; i < count; i++)
		printf(".It Va %s Ta %s%s Ta %s\n", columns[i].name, types[columns[i].type],
		       columns[i].nullable ? "?" : "", columns[i].help);
	printf(".El\n");
}

/* The columns host, run and err_ns, with which most tables end, are printed once. */
static void print_page(void)
{
	enum { OF_SOURCE = 3 };

	print_columns(tables_list[0].columns + tables_list[0].column_count - OF_SOURCE, OF_SOURCE);
	for (unsigned int i = 0; i < TABLES; i++) {
		const struct table *table = &tables_list[i];
		unsigned int count = table->column_count;

		if (!strcmp(table->columns[count - 1].name, "err_ns"))
			count -= OF_SOURCE;
		printf(".Ss %s\n%c%s.\n", table->name, table->help[0] - 'a' + 'A', table->help + 1);
		print_columns(table->columns, count);
	}
}

int main(int argc, char **argv)
{
	static bool cpus[EVTLOG_CPU_LIMIT];
	struct tables_numbers numbers = { 0 };
	struct tables_options options = {
		.to_ns = UINT64_MAX,
		.dictionary = &dictionary,
		.numbers = &numbers,
		.row = print_row,
	};
	struct tables *tables;
	uint64_t begin_ns;
	int result;

	if (argc == 2 && !strcmp(argv[1], "--page")) {
		print_page();
		return 0;
	}
	if (argc < 2 || evtlog_open(argv[1], &options.file, NULL))
		return 2;
	begin_ns = evtlog_begin_ns(options.file);
	for (int i = 2; i < argc; i++) {
		enum table_number number = tables_find(argv[i]);

		if (!strcmp(argv[i], "--from") && i + 1 < argc) {
			options.from_ns = begin_ns + strtoull(argv[++i], NULL, 0);
		} else if (!strcmp(argv[i], "--to") && i + 1 < argc) {
			options.to_ns = begin_ns + strtoull(argv[++i], NULL, 0);
		} else if (!strcmp(argv[i], "--cpu") && i + 1 < argc) {
			cpus[strtoul(argv[++i], NULL, 0) % EVTLOG_CPU_LIMIT] = true;
			options.cpus = cpus;
		} else if (number < TABLES) {
			options.wanted |= UINT32_C(1) << number;
		} else {
			return 2;
		}
	}
	if (!options.wanted)
		options.wanted = TABLES_ALL;
	options.host = evtlog_meta(options.file, "host");
	result = tables_new(&options, &tables);
	if (result)
		return 1;
	while ((result = tables_next(tables, 1000)) > 0)
		;
	tables_free(tables);
	dictionary_free(&dictionary);
	evtlog_close(options.file);
	return result ? 1 : 0;
}
