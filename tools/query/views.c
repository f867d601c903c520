// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables by the names that Perfetto and systing give them, as temporary views of ours.
 *
 * tools/parquet/views.c has the same for engines that read exports.
 */
#include <stddef.h>

#include "views.h"

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
};

int views_create(sqlite3 *db)
{
	int result = SQLITE_OK;

	for (size_t i = 0; result == SQLITE_OK && i < sizeof(views) / sizeof(*views); i++)
		result = sqlite3_exec(db, views[i], NULL, NULL, NULL);
	return result;
}
