// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An SQLite extension with the tables of logs, for any program that uses SQLite.
 *
 *	sqlite> .load libevtlog-sqlite
 *	sqlite> SELECT evtlog_open('node1-1.evl');
 *
 * It does not restrict statements as session.c does: this is up to the program.
 */
#include <stdlib.h>
#include <string.h>

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "common/command.h"
#include "input/open-log.h"
#include "virtual.h"

#define ASSUME_NTP	"--assume-ntp"
#define INDEX_DIR	"--index-dir="

/*
 * Called at the end of the connection; reports damage and losses in the logs.  The virtual tables
 * own the logs, not the SQL function, which is replaced if the extension is loaded again.
 */
static void close_logs(void *logs)
{
	query_logs_verdict(logs);
	query_logs_close(logs);
}

/* Returns true if logs are open: evtlog_open() can be called once for a connection. */
static bool are_open(sqlite3 *db)
{
	return sqlite3_table_column_metadata(db, "temp", tables_list[TABLE_EVENT].name, NULL, NULL, NULL,
					     NULL, NULL, NULL) == SQLITE_OK;
}

/* Takes the options, in front of the paths.  Returns their number. */
static int take_manner(struct query_manner *manner, char **args, int count)
{
	int taken = 0;

	for (; taken < count; taken++) {
		if (!strcmp(args[taken], ASSUME_NTP))
			manner->assume_ntp = true;
		else if (!strncmp(args[taken], INDEX_DIR, strlen(INDEX_DIR)))
			manner->index_directory = args[taken] + strlen(INDEX_DIR);
		else
			break;
	}
	return taken;
}

static void open_paths(sqlite3_context *context, char **args, int count)
{
	sqlite3 *db = sqlite3_context_db_handle(context);
	struct query_manner manner = { 0 };
	struct query_logs *logs = NULL;
	int taken = take_manner(&manner, args, count);
	size_t paths_count, opened;
	char **paths;
	int status = paths_expand(args + taken, count - taken, &paths, &paths_count);

	if (status == EXIT_OK && !paths_count) {
		sqlite3_result_error(context, "evtlog_open: give a log", -1);
		paths_free(paths, 0);
		return;
	}
	if (status == EXIT_OK) {
		status = query_logs_open(&logs, paths, paths_count, &manner);
		paths_free(paths, paths_count);
	}
	if (status != EXIT_OK) {
		query_logs_close(logs);
		sqlite3_result_error(context, "evtlog_open: the logs can't be opened; the cause is on standard error",
				     -1);
		return;
	}
	opened = logs->set.count;
	if (virtual_register(db, logs, close_logs) != SQLITE_OK)
		sqlite3_result_error(context, sqlite3_errmsg(db), -1);
	else
		sqlite3_result_int64(context, opened);
}

/* evtlog_open([--assume-ntp,] [--index-dir=DIR,] PATH, ...): returns the number of logs. */
static void evtlog_open_function(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	char **args;

	if (!argc || are_open(sqlite3_context_db_handle(context))) {
		sqlite3_result_error(context, argc ? "evtlog_open: logs are open already; give all in one call" :
				     "evtlog_open: give a log", -1);
		return;
	}
	args = calloc(argc, sizeof(*args));
	if (!args) {
		sqlite3_result_error_nomem(context);
		return;
	}
	for (int i = 0; i < argc; i++) {
		args[i] = (char *)sqlite3_value_text(argv[i]);
		if (args[i])
			continue;
		sqlite3_result_error(context, "evtlog_open: NULL is not a path", -1);
		free(args);
		return;
	}
	open_paths(context, args, argc);
	free(args);
}

int sqlite3_extension_init(sqlite3 *db, char **errorp, const sqlite3_api_routines *api);
int sqlite3_extension_init(sqlite3 *db, char **errorp, const sqlite3_api_routines *api)
{
	SQLITE_EXTENSION_INIT2(api);
	(void)errorp;
	/* DIRECTONLY: it opens files with the user's rights, so views must not call it. */
	return sqlite3_create_function(db, "evtlog_open", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL,
				       evtlog_open_function, NULL, NULL);
}
