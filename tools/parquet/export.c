// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes logs as Parquet files: one host after the other, each table to its file.
 *
 * Memory does not grow with events: if unfinished row groups need more than PAGES_BYTES, the
 * largest is written.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "export.h"
#include "export/directory.h"
#include "export/run.h"
#include "lib/tables/tables.h"
#include "print/left-out.h"
#include "print/names.h"
#include "rows.h"

/* ---- Notes on data of the logs that is not in the tables ---- */

/*
 * @left_out, @snapshots, @fields: sums over all hosts
 * @cut, @replaced: as in struct dictionary
 * @slices, @calls: there are slices of CPUs, or system calls
 */
struct notes {
	struct left_out left_out;
	uint64_t snapshots;
	uint64_t fields;
	uint64_t cut;
	uint64_t replaced;
	bool slices;
	bool calls;
};

static void notes_add(struct notes *notes, const struct tables_left_out *more)
{
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++)
		notes->left_out.records[i] += more->records[i];
	notes->fields += more->fields;
	notes->snapshots += more->snapshots;
}

static void put_count(FILE *out, uint64_t count, const char *text)
{
	if (count)
		fprintf(out, "%" PRIu64 " %s\n", count, text);
}

/* Returns a line for each note, which the caller frees; NULL without memory. */
static char *notes_text(const struct notes *notes)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	left_out_put(&notes->left_out, out);
	put_count(out, notes->snapshots, "records of type task are threads: their state, "
		  "CPU, flags and run time are left out");
	put_count(out, notes->fields, "fields of events are left out: they are numbers of more than 64 bits, or addresses of a length other than 4 bytes");
	put_count(out, notes->cut, "texts are cut");
	put_count(out, notes->replaced, "bytes of texts are not UTF-8: U+FFFD replaces them");
	if (notes->slices)
		fputs("priority, io_wait and blocked_function are NULL: logs do not contain them\n",
		      out);
	if (notes->calls)
		fputs("system calls have neither arguments nor a return value: logs do not contain them\n",
		      out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* ---- The files ---- */

#define PAGES_BYTES	(20u << 20)
/* Parts of the exported time; after one part, a row group may end. */
#define PARTS		32
/* Events between two checks of the used memory */
#define STEP		16384

#define TABLES_FORMAT	"1"

struct exporting {
	const struct parquet_options *opts;
	struct sources sources;
	struct directory directory;
	struct dictionary dictionary;
	struct tables_numbers numbers;
	struct page_maker maker;
	struct rows rows[TABLES];
	int write_error;
	struct notes notes;
	char *notes_text;
	uint64_t lost;
	uint64_t lost_buffers;
	uint64_t error_ns;
};

int parquet_tables(uint32_t *tables, const char *list)
{
	char *copy = strdup(list), *rest = copy, *name;
	int error = copy ? 0 : -ENOMEM;

	*tables = 0;
	while (!error && (name = strsep(&rest, ","))) {
		enum table_number number = tables_find(name);

		if (number == TABLES)
			error = -EINVAL;
		else
			*tables |= UINT32_C(1) << number;
	}
	free(copy);
	return error;
}

/* ---- One host ---- */

static int take_row(void *context, enum table_number table, const int64_t *values, uint32_t nulls)
{
	struct exporting *exporting = context;
	int error = rows_put(&exporting->rows[table], &exporting->maker, values, nulls);

	if (__builtin_expect(error, 0))
		exporting->write_error = error;
	return error;
}

static const char *call_name(uint64_t number, bool compat)
{
	return compat ? syscall_name_32(number) : syscall_name(number);
}

/* Writes row groups until not more than PAGES_BYTES are in memory. */
static int bound_memory(struct exporting *exporting)
{
	for (;;) {
		size_t all = 0, most = 0;
		unsigned int at = 0;
		int error;

		for (unsigned int i = 0; i < TABLES; i++) {
			size_t bytes = rows_bytes(&exporting->rows[i]);

			all += bytes;
			if (bytes > most) {
				most = bytes;
				at = i;
			}
		}
		if (all <= PAGES_BYTES)
			return 0;
		error = rows_flush(&exporting->rows[at], &exporting->maker);
		if (error) {
			exporting->write_error = error;
			return error;
		}
	}
}

static int read_tables(struct exporting *exporting, struct tables *tables, const char *name)
{
	struct progress progress;
	unsigned int steps = 0;
	int result;

	progress_begin(&progress, name, tables_bytes(tables));
	while ((result = tables_next(tables, STEP)) > 0) {
		result = interrupted ? -EINTR : bound_memory(exporting);
		if (result)
			break;
		if (!(++steps % 4))
			progress_update(&progress, tables_position(tables));
	}
	progress_end(&progress);
	return result;
}

static void take_losses(struct exporting *exporting, size_t number)
{
	const struct logs *logs = &exporting->sources.logs;
	uint64_t error_ns = logs->count > 1 ?
			    evtlog_clocksync_clock(logs->hosts, number)->bound_ns :
			    evtlog_clock_error_ns(logs->files[number].file);
	struct evtlog_summary summary;

	evtlog_summarize(logs->files[number].file, &summary);
	for (unsigned int i = 0; i < EVTLOG_LOST_CAUSES; i++)
		exporting->lost += summary.lost[i];
	exporting->lost_buffers += summary.missing_buffers;
	if (error_ns > exporting->error_ns)
		exporting->error_ns = error_ns;
}

static int export_host(struct exporting *exporting, size_t number)
{
	const struct logs *logs = &exporting->sources.logs;
	struct span span = sources_span(&exporting->sources, number);
	struct tables_options options = {
		.file = logs->files[number].file,
		.hosts = logs->count > 1 ? logs->hosts : NULL,
		.number = number,
		.host = logs->files[number].name,
		.from_ns = span.from_ns,
		.to_ns = span.to_ns,
		.cpus = exporting->opts->sources.filter->cpus,
		.wanted = exporting->opts->tables,
		.dictionary = &exporting->dictionary,
		.numbers = &exporting->numbers,
		.syscall_name = call_name,
		.row = take_row,
		.context = exporting,
	};
	struct tables *tables;
	int error = tables_new(&options, &tables);

	if (error)
		return error;
	error = read_tables(exporting, tables, options.host);
	notes_add(&exporting->notes, tables_left_out(tables));
	tables_free(tables);
	take_losses(exporting, number);
	for (unsigned int i = 0; i < TABLES && !error; i++)
		if (exporting->opts->tables >> i & 1)
			error = exporting->write_error =
				rows_next_host(&exporting->rows[i], &exporting->maker);
	return error;
}

/* ---- All hosts ---- */

static int say_unwritten(const struct exporting *exporting, int error)
{
	pr_err("%s: can't be written: %s", exporting->opts->directory, strerror(-error));
	return EXIT_FAILED;
}

/* Returns the length of a part of the exported time. */
static int64_t part_ns(const struct exporting *exporting)
{
	const struct filter *filter = exporting->opts->sources.filter;
	uint64_t to_ns = exporting->sources.end_ns - exporting->sources.begin_ns;

	if (filter->to_ns < to_ns)
		to_ns = filter->to_ns;
	return to_ns > filter->from_ns ? (to_ns - filter->from_ns) / PARTS : INT64_MAX;
}

static int open_files(struct exporting *exporting)
{
	int error = page_maker_init(&exporting->maker, &exporting->dictionary);

	for (unsigned int i = 0; i < TABLES && !error; i++) {
		char *path;

		if (!(exporting->opts->tables >> i & 1))
			continue;
		if (asprintf(&path, "%s/%s.parquet", exporting->directory.temporary,
			     tables_list[i].name) < 0)
			return -ENOMEM;
		error = rows_open(&exporting->rows[i], &tables_list[i], path, part_ns(exporting));
		free(path);
	}
	return error;
}

static int write_host(void *context, size_t number)
{
	struct exporting *exporting = context;
	int error = export_host(exporting, number);

	if (exporting->write_error && !interrupted)
		return say_unwritten(exporting, exporting->write_error);
	return error;
}

/* Returns a line with the description of each column. */
static char *columns_text(const struct table *table)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (unsigned int i = 0; i < table->column_count; i++)
		fprintf(out, "%s: %s\n", table->columns[i].name,
			table->columns[i].help ? table->columns[i].help : "");
	fclose(out);
	return text;
}

static bool has_rows(const struct exporting *exporting, enum table_number table)
{
	const struct rows *rows = &exporting->rows[table];

	return rows->file.rows || rows->in_time.rows || rows->in_time.count;
}

static int make_notes(struct exporting *exporting)
{
	exporting->notes.slices = has_rows(exporting, TABLE_SCHED_SLICE);
	exporting->notes.calls = has_rows(exporting, TABLE_SYSCALL_SLICE);
	exporting->notes.cut = exporting->dictionary.cut;
	exporting->notes.replaced = exporting->dictionary.replaced;
	exporting->notes_text = notes_text(&exporting->notes);
	return exporting->notes_text ? 0 : -ENOMEM;
}

static int finish_files(struct exporting *exporting)
{
	char hosts[32], lost[32], lost_buffers[32], error_ns[32];
	int error = make_notes(exporting);

	snprintf(hosts, sizeof(hosts), "%zu", exporting->sources.hosts);
	snprintf(lost, sizeof(lost), "%" PRIu64, exporting->lost);
	snprintf(lost_buffers, sizeof(lost_buffers), "%" PRIu64, exporting->lost_buffers);
	snprintf(error_ns, sizeof(error_ns), "%" PRIu64, exporting->error_ns);
	for (unsigned int i = 0; i < TABLES && !error; i++) {
		char *columns;

		if (!(exporting->opts->tables >> i & 1))
			continue;
		columns = columns_text(&tables_list[i]);
		if (!columns)
			return -ENOMEM;
		error = rows_finish(&exporting->rows[i], &exporting->maker,
				    (struct parquet_note[]) {
			{ "evtlog.tables", TABLES_FORMAT },
			{ "evtlog.table", tables_list[i].help },
			{ "evtlog.columns", columns },
			{ "evtlog.notes", exporting->notes_text },
			{ "evtlog.hosts", hosts },
			{ "evtlog.lost", lost },
			{ "evtlog.lost_buffers", lost_buffers },
			{ "evtlog.clock_error_ns", exporting->error_ns == UINT64_MAX ? "unknown" :
						   error_ns },
		}, 8);
		free(columns);
	}
	if (!error)
		error = views_write(exporting->directory.temporary, exporting->opts->tables);
	return error ? error : directory_finish(&exporting->directory);
}

static int write_all(void *context)
{
	struct exporting *exporting = context;
	int status = directory_begin(&exporting->directory, exporting->opts->directory);
	int error;

	if (status != EXIT_OK)
		return status;
	error = open_files(exporting);
	if (error)
		status = say_unwritten(exporting, error);
	if (status == EXIT_OK)
		status = export_hosts(&exporting->sources, write_host, exporting, "tables");
	if (status == EXIT_OK) {
		error = finish_files(exporting);
		if (error)
			status = say_unwritten(exporting, error);
		else
			notes_say(exporting->notes_text, exporting->opts->directory);
	}
	free(exporting->notes_text);
	for (unsigned int i = 0; i < TABLES; i++)
		rows_discard(&exporting->rows[i]);
	page_maker_free(&exporting->maker);
	dictionary_free(&exporting->dictionary);
	directory_discard(&exporting->directory);
	return status;
}

int parquet_export(const struct parquet_options *opts, char **paths, size_t count)
{
	int status = directory_check("parquet", opts->directory, "files");
	struct exporting *exporting;

	if (status != EXIT_OK)
		return status;
	exporting = calloc(1, sizeof(*exporting));
	if (!exporting) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	exporting->opts = opts;
	status = export_run(&exporting->sources, &opts->sources, paths, count, write_all, exporting);
	free(exporting);
	return status;
}
