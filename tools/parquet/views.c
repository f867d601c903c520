// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes views.sql.
 *
 * Called by export.c.  Its paths are relative: it is read in the directory of the files.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/tables/tables.h"
#include "views.h"

#define BIT(NAME)	(UINT32_C(1) << TABLE_##NAME)

/*
 * What is made of others, each by a view or by a file; @needs: of all of these; @is: the number it
 * has as a file, which then is there instead
 */
static const struct {
	uint32_t needs;
	enum table_number is;
	const char *sql;
} views[] = {
	{ BIT(SCHED_SLICE) | BIT(THREAD_WAIT_REST), TABLE_THREAD_WAIT,
	  "-- Waits for the CPU before slices, sleeps before these, and the rest.\n"
	  "CREATE VIEW thread_wait AS\n"
	  "  SELECT ts - wait_dur AS ts, wait_dur AS dur, utid,\n"
	  "         CASE WHEN irq_context IS NULL THEN prior_state ELSE 'R' END AS state,\n"
	  "         nullif(waker_utid, 0) AS waker_utid, irq_context, false AS cut,\n"
	  "         host, run, err_ns FROM sched_slice WHERE wait_dur IS NOT NULL\n"
	  "  UNION ALL\n"
	  "  SELECT ts - wait_dur - sleep_dur, sleep_dur, utid, prior_state, NULL, NULL, false,\n"
	  "         host, run, err_ns FROM sched_slice WHERE sleep_dur IS NOT NULL\n"
	  "  UNION ALL\n"
	  "  SELECT * FROM thread_wait_rest;\n" },
	{ BIT(SCHED_SLICE) | BIT(WAKEUP_REST), TABLE_WAKEUP,
	  "CREATE VIEW wakeup AS\n"
	  "  SELECT ts - wait_dur AS ts, waker_cpu AS cpu, utid, waker_utid, irq_context,\n"
	  "         false AS spurious, host, run, err_ns FROM sched_slice\n"
	  "         WHERE waker_cpu IS NOT NULL\n"
	  "  UNION ALL\n"
	  "  SELECT * FROM wakeup_rest;\n" },
	{ BIT(SCHED_SLICE) | BIT(THREAD_WAIT), TABLE_THREAD_STATE,
	  "-- In what state threads are: as they wait, and as they run.\n"
	  "CREATE VIEW thread_state AS\n"
	  "  SELECT ts, dur, utid, state, NULL::INTEGER AS cpu, waker_utid, irq_context,\n"
	  "         NULL::BOOLEAN AS io_wait, NULL::VARCHAR AS blocked_function,\n"
	  "         cut, host, run, err_ns FROM thread_wait\n"
	  "  UNION ALL\n"
	  "  SELECT ts, dur, utid, 'Running', cpu, NULL, NULL, NULL, NULL,\n"
	  "         end_state IS NULL, host, run, err_ns FROM sched_slice WHERE utid <> 0;\n" },
	{ BIT(SCHED_SLICE), TABLES,
	  "-- Perfetto's name\n"
	  "CREATE VIEW sched AS SELECT *, ts + dur AS ts_end FROM sched_slice;\n" },
	{ BIT(EVENT), TABLES,
	  "-- systing's names\n"
	  "CREATE VIEW instant AS SELECT id, ts, NULL::BIGINT AS track_id, utid, name,\n"
	  "         NULL::VARCHAR AS category, host, run, err_ns FROM event;\n" },
	{ BIT(ARGS), TABLES,
	  "CREATE VIEW instant_args AS SELECT arg_set_id AS instant_id, key, int_value,\n"
	  "         string_value, real_value FROM args;\n" },
};

static void put_all(FILE *out, uint32_t tables)
{
	fprintf(out, "-- The tables of an export of evtlog: evtlog-tables(7).\n"
		"-- In this directory: duckdb -init views.sql\n");
	for (unsigned int i = 0; i < TABLES; i++)
		if (tables >> i & 1)
			fprintf(out, "CREATE VIEW %s AS SELECT * FROM '%s.parquet';\n",
				tables_list[i].name, tables_list[i].name);
	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++)
		if ((views[i].needs & tables) == views[i].needs &&
		    !(views[i].is < TABLES && tables >> views[i].is & 1)) {
			fputs(views[i].sql, out);
			if (views[i].is < TABLES)
				tables |= UINT32_C(1) << views[i].is;
		}
}

int views_write(const char *directory, uint32_t tables)
{
	char *path;
	FILE *out;
	int error;

	if (asprintf(&path, "%s/views.sql", directory) < 0)
		return -ENOMEM;
	out = fopen(path, "wxe");
	error = out ? 0 : -errno;
	free(path);
	if (!out)
		return error;
	put_all(out, tables);
	if (ferror(out))
		error = errno ? -errno : -EIO;
	if (fclose(out) && !error)
		error = -errno;
	return error;
}
