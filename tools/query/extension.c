// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tables of logs for any program that has SQLite: an extension that it loads.
 *
 *	sqlite> .load libevtlog-sqlite
 *	sqlite> SELECT evtlog_open('node1-1.evl');
 *
 * What its program may do is the program's to say: there is no guard here.
 */
#include <stdlib.h>
#include <string.h>

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "common/command.h"
#include "input/paths.h"
#include "virtual.h"

/* The connection's logs; evtlog_open() is called once. */
struct opened {
	struct query_logs *logs;
};

#define ASSUME_NTP	"--assume-ntp"
#define INDEX_DIR	"--index-dir="

/* At the connection's end it is known what of the logs' is damaged, and lost. */
static void close_logs(void *arg)
{
	struct opened *opened = arg;

	if (opened->logs)
		query_logs_verdict(opened->logs);
	query_logs_close(opened->logs);
	sqlite3_free(opened);
}

/* The options, before the paths; returns how many there are. */
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

static void open_paths(sqlite3_context *context, struct opened *opened, char **args, int count)
{
	struct query_manner manner = { 0 };
	int taken = take_manner(&manner, args, count);
	size_t paths_count;
	char **paths;
	int status = paths_expand(args + taken, count - taken, &paths, &paths_count);

	if (status == EXIT_OK && !paths_count) {
		sqlite3_result_error(context, "evtlog_open: name a log", -1);
		paths_free(paths, 0);
		return;
	}
	if (status == EXIT_OK) {
		status = query_logs_open(&opened->logs, paths, paths_count, &manner);
		paths_free(paths, paths_count);
	}
	if (status != EXIT_OK) {
		query_logs_close(opened->logs);
		opened->logs = NULL;
		sqlite3_result_error(context, "evtlog_open: the logs can not be opened; what is wrong is on standard error",
				     -1);
		return;
	}
	if (virtual_register(sqlite3_context_db_handle(context), opened->logs) != SQLITE_OK)
		sqlite3_result_error(context, sqlite3_errmsg(sqlite3_context_db_handle(context)), -1);
	else
		sqlite3_result_int64(context, opened->logs->set.count);
}

/* evtlog_open([--assume-ntp,] [--index-dir=DIR,] PATH, ...): the number of logs */
static void evtlog_open_function(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	struct opened *opened = sqlite3_user_data(context);
	char **args;

	if (opened->logs || !argc) {
		sqlite3_result_error(context, argc ? "evtlog_open: logs are open; name all in one call" :
				     "evtlog_open: name a log", -1);
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
		sqlite3_result_error(context, "evtlog_open: NULL is no path", -1);
		free(args);
		return;
	}
	open_paths(context, opened, args, argc);
	free(args);
}

int sqlite3_extension_init(sqlite3 *db, char **errorp, const sqlite3_api_routines *api);
int sqlite3_extension_init(sqlite3 *db, char **errorp, const sqlite3_api_routines *api)
{
	struct opened *opened;

	SQLITE_EXTENSION_INIT2(api);
	(void)errorp;
	/* Its files are opened for who runs the program, so SQL of others, in views, may not. */
	opened = sqlite3_malloc(sizeof(*opened));
	if (!opened)
		return SQLITE_NOMEM;
	opened->logs = NULL;
	return sqlite3_create_function_v2(db, "evtlog_open", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, opened,
					  evtlog_open_function, NULL, NULL, close_logs);
}
