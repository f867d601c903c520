// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Temporary views with the table names of Perfetto and systing, and functions that convert between
 * times of rows and times since the run's start, as shown by evtlog dump and the page.
 *
 * tools/parquet/views.c has the same for engines that read exports.
 */
#include <stddef.h>

#include "lib/tables/views.h"
#include "virtual.h"

static const char *const views[] = {
	"CREATE TEMP VIEW sched AS SELECT *, ts + dur AS ts_end FROM sched_slice",
	"CREATE TEMP VIEW clock_snapshot AS\n"
	"  SELECT ts, 5 AS clock_id, 'MONOTONIC_RAW' AS clock_name, raw_ns AS clock_value,\n"
	"         raw_ns AS timestamp_ns, raw_ns = ts AS is_primary, host, run, err_ns FROM clock\n"
	"  UNION ALL\n"
	"  SELECT ts, 1, 'REALTIME', real_ns, real_ns, 0, host, run, err_ns FROM clock",
	"CREATE TEMP VIEW instant AS SELECT id, ts, NULL AS track_id, utid, name,\n"
	"         NULL AS category, host, run, err_ns FROM event",
	"CREATE TEMP VIEW instant_args AS SELECT arg_set_id AS instant_id, key, int_value,\n"
	"         string_value, real_value, uint_value, value_type FROM args",
	"CREATE TEMP VIEW sysinfo AS SELECT 'Linux' AS sysname,\n"
	"         max(value) FILTER (WHERE key = 'kernel') AS release,\n"
	"         max(value) FILTER (WHERE key = 'version') AS version,\n"
	"         max(value) FILTER (WHERE key = 'machine') AS machine, host, run\n"
	"         FROM meta GROUP BY host, run",
	"CREATE TEMP VIEW thread_state_time AS\n" VIEWS_THREAD_STATE_TIME,
};

/* @by: ns to add: the run's start, or minus the run's start */
static void moved(sqlite3_context *context, sqlite3_value *value, int64_t by)
{
	int64_t ns = sqlite3_value_int64(value);

	if (sqlite3_value_type(value) == SQLITE_NULL)
		return;
	if (__builtin_add_overflow(ns, by, &ns))
		sqlite3_result_error(context, "ts_rel, ts_abs: the time is out of range", -1);
	else
		sqlite3_result_int64(context, ns);
}

static void ts_rel(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	const struct query_logs *logs = sqlite3_user_data(context);

	(void)argc;
	moved(context, argv[0], -log_set_begin_ns(&logs->set));
}

static void ts_abs(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	const struct query_logs *logs = sqlite3_user_data(context);

	(void)argc;
	moved(context, argv[0], log_set_begin_ns(&logs->set));
}

int views_create(sqlite3 *db, struct query_logs *logs)
{
	const int how = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	int result = sqlite3_create_function(db, "ts_rel", 1, how, logs, ts_rel, NULL, NULL);

	if (result == SQLITE_OK)
		result = sqlite3_create_function(db, "ts_abs", 1, how, logs, ts_abs, NULL, NULL);

	for (size_t i = 0; result == SQLITE_OK && i < sizeof(views) / sizeof(*views); i++)
		result = sqlite3_exec(db, views[i], NULL, NULL, NULL);
	return result;
}
