// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog query: asks logs questions in SQL, without an export.
 *
 * The work is in tools/query; which tables there are in tools/tables.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "common/options.h"
#include "input/open-log.h"
#include "query/session.h"

#define PIECE_BYTES	4096

struct query {
	enum print_form form;
	bool csv;
	bool json;
	struct query_manner manner;
};

/* All of a file, "-": of standard input; NULL after saying why not. */
static char *read_text(const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	FILE *in = is_stdin ? stdin : fopen(path, "re");
	char *text = NULL;
	size_t length = 0;
	FILE *out = in ? open_memstream(&text, &length) : NULL;
	char piece[PIECE_BYTES];
	size_t got;
	int error = out ? 0 : -errno;

	while (out && (got = fread(piece, 1, sizeof(piece), in)))
		fwrite(piece, 1, got, out);
	if (out && ferror(in))
		error = -errno;
	if (out && fclose(out))
		error = -errno;
	if (in && !is_stdin)
		fclose(in);
	if (!error && strlen(text) == length)
		return text;
	pr_err("%s: %s", path, error ? strerror(-error) : "it has a NUL byte, so it is not SQL");
	free(text);
	return NULL;
}

static int run_session(struct query *query, struct query_session *session, const char *sql)
{
	int status;

	if (sql)
		status = statements_run(session, &query->form, sql);
	else
		status = prompt_run(session, query->form);
	/* .quit */
	return status < 0 ? EXIT_OK : status;
}

/* @sql: NULL: from a prompt */
static int run_query(struct query *query, const char *sql, char **args, int count)
{
	struct query_session session;
	size_t paths_count;
	char **paths;
	int status = paths_expand(args, count, &paths, &paths_count);

	if (status != EXIT_OK)
		return status;
	query->manner.hints = isatty(STDERR_FILENO);
	status = query_session_open(&session, paths, paths_count, &query->manner);
	if (status == EXIT_OK)
		status = run_session(query, &session, sql);
	if (status == EXIT_OK)
		status = query_session_verdict(&session);
	query_session_close(&session);
	paths_free(paths, paths_count);
	return finish(status);
}

static bool is_file(const char *arg)
{
	return !strcmp(arg, "-") || !access(arg, F_OK);
}

/* The first argument is the query, or @FILE with it, unless it is a file: then all are logs. */
static int query_args(struct query *query, char **args, int count)
{
	const char *sql = NULL;
	char *text = NULL;
	int status;

	if (query->csv && query->json)
		return misuse("query", "--csv and --json exclude each other");
	query->form = query->csv ? PRINT_CSV : query->json ? PRINT_JSON : PRINT_TEXT;
	if (!count)
		return misuse("query", "give a log");
	if (args[0][0] == '@' && !is_file(args[0])) {
		text = read_text(*args++ + 1);
		if (!text)
			return EXIT_FAILED;
		sql = text;
		count--;
	} else if (!is_file(args[0])) {
		/* A query has blanks or parentheses; else it is a path that is wrong. */
		if (!strpbrk(args[0], " \t\n;(") && args[0][0] != '.')
			return misuse("query", "%s: neither a file nor a query", args[0]);
		sql = *args++;
		count--;
	} else if (!isatty(STDIN_FILENO)) {
		text = read_text("-");
		if (!text)
			return EXIT_FAILED;
		sql = text;
	}
	status = count ? run_query(query, sql, args, count) :
			 misuse("query", "give a log after the query");
	free(text);
	return status;
}

enum { CSV = 256, ASSUME_NTP, INDEX_DIR };

static int take_option(void *context, int option, char *value)
{
	struct query *query = context;

	switch (option) {
	case ASSUME_NTP:
		query->manner.assume_ntp = true;
		return 0;
	case INDEX_DIR:
		query->manner.index_directory = value;
		return *value ? 0 : -EINVAL;
	case CSV:
		query->csv = true;
		return 0;
	default:
		query->json = true;
		return 0;
	}
}

static const struct option_desc table[] = {
	{ ASSUME_NTP, "assume-ntp", .help = "with several hosts: as for evtlog dump" },
	{ INDEX_DIR, "index-dir", "DIR", "first search DIR for indexes that evtlog index wrote "
	  "there", .kind = VALUE_DIRECTORY, .valid = "a directory" },
	{ CSV, "csv", .help = "print comma-separated values, with a line of column names" },
	{ 'j', "json", .help = "print a JSON object per row" },
	{ }
};

static const struct options options = {
	.command = "query",
	.usage = "[OPTION...] ['QUERY'|@QUERYFILE] FILE|DIRECTORY...",
	.about = "Query logs in SQL (SQLite), without an export. Tables have a row for each slice "
		 "and wait of a task, and for each interrupt, wake-up, migration, loss, and so on: "
		 ".tables and .schema list them. To select times, hosts, CPUs and tasks, the log's "
		 "index is used. @QUERYFILE is a file with the query. Without both, the query is read from standard input; on a "
		 "terminal there is a prompt. A query cannot write.",
	.table = table,
	.notes =
	"Examples:\n"
	"  evtlog query .schema node1-1.evl\n"
	"  evtlog query 'SELECT cpu, sum(dur) FROM sched_slice GROUP BY cpu' node1-1.evl\n"
	"  evtlog query --csv @waits.sql /var/log/evtlog\n"
	"  evtlog query node1-1.evl\n"
	"evtlog-query(1) has more queries.\n",
	.operands = VALUE_LOG,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct query query = { 0 };
	int result = options_take(&options, argc, argv, &query);

	return result == OPTIONS_TAKEN ? query_args(&query, argv + optind, argc - optind) : result;
}

const struct evtlog_command command_query = {
	.name = "query",
	.summary = "query logs in SQL",
	.run = run,
};
