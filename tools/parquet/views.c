// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes views.sql: evtlog's own views, and views with the names of Perfetto and systing.
 *
 * The paths in it are relative: engines must read it in the directory of the files.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "export.h"
#include "lib/tables/tables.h"
#include "lib/tables/views.h"

#define VIEW_OF(NAME)	(UINT32_C(1) << TABLE_##NAME)

/*
 * A view of other tables.
 * @needs:	tables that must exist
 * @is:		table that it replaces, unless this table has a file; TABLES: none
 */
struct view {
	uint32_t needs;
	enum table_number is;
	const char *sql;
};

/* ---- Tables as in systing's own databases, for queries that are written for these ---- */

#define VIEW(name)	"CREATE VIEW systing." name " AS SELECT host AS trace_id, "

static const struct view views_of_systing[] = {
	{ 0, TABLES,
	  "-- As systing's own databases: USE systing;\n"
	  "CREATE SCHEMA systing;\n"
	  "CREATE MACRO systing.state_bits(letters) AS CASE letters WHEN 'S' THEN 1 WHEN 'D' THEN 2\n"
	  "         WHEN 'T' THEN 4 WHEN 't' THEN 8 WHEN 'X' THEN 16 WHEN 'Z' THEN 32\n"
	  "         WHEN 'P' THEN 64 WHEN 'I' THEN 1026 END;\n" },
	{ VIEW_OF(SCHED_SLICE), TABLES,
	  VIEW("sched_slice") "ts, dur, cpu, utid,\n"
	  "         systing.state_bits(end_state) AS end_state, priority\n"
	  "         FROM main.sched_slice WHERE utid <> 0;\n" },
	{ VIEW_OF(THREAD_STATE), TABLES,
	  "-- Sleeps; a thread that is runnable since a wake-up has state 0\n"
	  VIEW("thread_state") "ts, dur, utid,\n"
	  "         CASE WHEN irq_context IS NULL THEN systing.state_bits(state) ELSE 0 END AS state,\n"
	  "         NULL::INTEGER AS cpu FROM main.thread_state\n"
	  "         WHERE irq_context IS NOT NULL OR state NOT IN ('Running', 'R', 'R+');\n" },
	{ VIEW_OF(IRQ_SLICE), TABLES,
	  VIEW("irq_slice") "ts, dur, cpu, irq, name, ret FROM main.irq_slice;\n" },
	{ VIEW_OF(SOFTIRQ_SLICE), TABLES,
	  VIEW("softirq_slice") "ts, dur, cpu, vec FROM main.softirq_slice;\n" },
	{ VIEW_OF(WAKEUP_NEW), TABLES,
	  VIEW("wakeup_new") "ts, cpu, utid, target_cpu FROM main.wakeup_new;\n" },
	{ VIEW_OF(SCHED_MIGRATE), TABLES,
	  VIEW("sched_migrate") "ts, utid, orig_cpu, dest_cpu\n"
	  "         FROM main.sched_migrate;\n" },
	{ VIEW_OF(PROCESS_EXIT), TABLES,
	  VIEW("process_exit") "ts, cpu, utid FROM main.process_exit;\n" },
	{ VIEW_OF(THREAD), TABLES,
	  VIEW("thread") "utid, tid, name, upid FROM main.thread\n"
	  "         WHERE NOT is_idle;\n" },
	{ VIEW_OF(PROCESS), TABLES,
	  VIEW("process") "upid, pid, name, parent_upid,\n"
	  "         NULL::VARCHAR[] AS cmdline, coalesce(is_kernel_thread, false) AS is_kernel_thread,\n"
	  "         0::UBIGINT AS cgroup_id, NULL::VARCHAR AS cgroup_path FROM main.process;\n" },
	{ VIEW_OF(EVENT), TABLES,
	  VIEW("instant") "id, ts, track_id, utid, name, category\n"
	  "         FROM main.instant;\n" },
	{ VIEW_OF(EVENT) | VIEW_OF(ARGS), TABLES,
	  VIEW("instant_args") "id AS instant_id, key, int_value, string_value,\n"
	  "         real_value FROM main.args JOIN main.event USING (arg_set_id);\n" },
	{ VIEW_OF(CLOCK), TABLES,
	  VIEW("clock_snapshot") "clock_id, lower(clock_name) AS clock_name,\n"
	  "         timestamp_ns, is_primary FROM main.clock_snapshot;\n" },
	{ VIEW_OF(META), TABLES,
	  VIEW("sysinfo") "sysname, release, version, machine FROM main.sysinfo;\n" },
};

static const size_t views_of_systing_count = sizeof(views_of_systing) / sizeof(*views_of_systing);

/* ---- All views ---- */

/* Tables that have an id in Perfetto.  Files have none, so it is the row number in the file. */
#define WITH_IDS \
	(VIEW_OF(SCHED_SLICE) | VIEW_OF(THREAD_STATE) | VIEW_OF(THREAD_WAIT) | \
	 VIEW_OF(THREAD_WAIT_REST) | VIEW_OF(IRQ_SLICE) | VIEW_OF(SOFTIRQ_SLICE) | \
	 VIEW_OF(VECTOR_SLICE) | VIEW_OF(EXCEPTION_SLICE) | VIEW_OF(SYSCALL_SLICE) | \
	 VIEW_OF(USER_SLICE))

/* In a union of two tables, ids of one are even, of the other odd; ids of rest tables negative. */
static const struct view views[] = {
	{ VIEW_OF(SCHED_SLICE) | VIEW_OF(THREAD_WAIT_REST), TABLE_THREAD_WAIT,
	  "-- Waits for the CPU before slices, sleeps before these, and the rest.\n"
	  "CREATE VIEW thread_wait AS\n"
	  "  SELECT 2 * id AS id, ts - wait_dur AS ts, wait_dur AS dur, utid,\n"
	  "         CASE WHEN irq_context IS NULL THEN prior_state ELSE 'R' END AS state,\n"
	  "         waker_utid, irq_context, false AS cut,\n"
	  "         host, run, err_ns FROM sched_slice WHERE wait_dur IS NOT NULL\n"
	  "  UNION ALL\n"
	  "  SELECT 2 * id + 1, ts - wait_dur - sleep_dur, sleep_dur, utid, prior_state, NULL, NULL,\n"
	  "         false, host, run, err_ns FROM sched_slice WHERE sleep_dur IS NOT NULL\n"
	  "  UNION ALL\n"
	  "  SELECT * REPLACE (-1 - id AS id) FROM thread_wait_rest;\n" },
	{ VIEW_OF(SCHED_SLICE) | VIEW_OF(WAKEUP_REST), TABLE_WAKEUP,
	  "CREATE VIEW wakeup AS\n"
	  "  SELECT ts - wait_dur AS ts, waker_cpu AS cpu, utid, waker_utid, irq_context,\n"
	  "         false AS spurious, host, run, err_ns FROM sched_slice\n"
	  "         WHERE waker_cpu IS NOT NULL\n"
	  "  UNION ALL\n"
	  "  SELECT * FROM wakeup_rest;\n" },
	{ VIEW_OF(SCHED_SLICE) | VIEW_OF(THREAD_WAIT), TABLE_THREAD_STATE,
	  "-- States of threads, while they wait and while they run\n"
	  "CREATE VIEW thread_state AS\n"
	  "  SELECT 2 * id + 1 AS id, ts, dur, utid, state, NULL::INTEGER AS cpu, waker_utid,\n"
	  "         irq_context, NULL::BOOLEAN AS io_wait, NULL::VARCHAR AS blocked_function,\n"
	  "         cut, host, run, err_ns FROM thread_wait\n"
	  "  UNION ALL\n"
	  "  SELECT 2 * id, ts, dur, utid, 'Running', cpu, NULL, NULL, NULL, NULL,\n"
	  "         cut, host, run, err_ns FROM sched_slice WHERE utid <> 0;\n" },
	{ VIEW_OF(SCHED_SLICE) | VIEW_OF(THREAD_STATE) | VIEW_OF(THREAD) | VIEW_OF(RUN), TABLES,
	  "-- Time of each thread in each state\n"
	  "CREATE VIEW thread_state_time AS\n" VIEWS_THREAD_STATE_TIME ";\n" },
	{ VIEW_OF(SCHED_SLICE), TABLES,
	  "-- Perfetto's name\n"
	  "CREATE VIEW sched AS SELECT *, ts + dur AS ts_end FROM sched_slice;\n" },
	{ VIEW_OF(RUN), TABLES,
	  "-- Conversion to times since the start of the run, as in evtlog dump and the page, and back\n"
	  "CREATE MACRO ts_rel(ts) AS ts - (SELECT min(begin_ts) FROM run);\n"
	  "CREATE MACRO ts_abs(rel) AS rel + (SELECT min(begin_ts) FROM run);\n" },
	{ VIEW_OF(CLOCK), TABLES,
	  "-- Perfetto's and systing's; timestamp_ns is systing's name of clock_value\n"
	  "CREATE VIEW clock_snapshot AS\n"
	  "  SELECT ts, 5 AS clock_id, 'MONOTONIC_RAW' AS clock_name, raw_ns AS clock_value,\n"
	  "         raw_ns AS timestamp_ns, raw_ns = ts AS is_primary, host, run, err_ns FROM clock\n"
	  "  UNION ALL\n"
	  "  SELECT ts, 1, 'REALTIME', real_ns, real_ns, false, host, run, err_ns FROM clock;\n" },
	{ VIEW_OF(EVENT), TABLES,
	  "-- systing's names\n"
	  "CREATE VIEW instant AS SELECT id, ts, NULL::BIGINT AS track_id, utid, name,\n"
	  "         NULL::VARCHAR AS category, host, run, err_ns FROM event;\n" },
	{ VIEW_OF(ARGS), TABLES,
	  "CREATE VIEW instant_args AS SELECT arg_set_id AS instant_id, key, int_value,\n"
	  "         string_value, real_value, uint_value, value_type FROM args;\n" },
	{ VIEW_OF(META), TABLES,
	  "CREATE VIEW sysinfo AS SELECT 'Linux' AS sysname,\n"
	  "         max(value) FILTER (key = 'kernel') AS release,\n"
	  "         max(value) FILTER (key = 'version') AS version,\n"
	  "         max(value) FILTER (key = 'machine') AS machine, host, run\n"
	  "         FROM meta GROUP BY host, run;\n" },
};

static void put_files(FILE *out, uint32_t tables)
{
	for (unsigned int i = 0; i < TABLES; i++) {
		const char *name = tables_list[i].name;

		if (!(tables >> i & 1))
			continue;
		if (WITH_IDS >> i & 1)
			fprintf(out, "CREATE VIEW %s AS SELECT file_row_number AS id, * EXCLUDE (file_row_number)\n"
				"  FROM read_parquet('%s.parquet', file_row_number = true);\n", name, name);
		else
			fprintf(out, "CREATE VIEW %s AS SELECT * FROM '%s.parquet';\n", name, name);
	}
}

/* @tables: existing tables.  Returns them together with the tables that are now views. */
static uint32_t put_views(FILE *out, uint32_t tables, const struct view *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct view *view = &list[i];
		bool is_file = view->is < TABLES && tables >> view->is & 1;

		if ((view->needs & tables) != view->needs || is_file)
			continue;
		fputs(view->sql, out);
		if (view->is < TABLES)
			tables |= UINT32_C(1) << view->is;
	}
	return tables;
}

static void put_all(FILE *out, uint32_t tables)
{
	fprintf(out, "-- The tables of an export of evtlog: evtlog-tables(7).\n"
		"-- In this directory: duckdb -init views.sql\n");
	put_files(out, tables);
	tables = put_views(out, tables, views, sizeof(views) / sizeof(*views));
	put_views(out, tables, views_of_systing, views_of_systing_count);
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
