// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables as systing's own databases have them, for queries that are written for these.
 *
 * Called by views.c, which writes them into views.sql.  "USE systing" makes them those of a query.
 * Their columns are those of systing's schema 16 (SCHEMA_CHANGES.md, src/duckdb.rs): a state is
 * bits of the kernel, NULL if the thread could go on; each table has a trace_id, here the host;
 * the idle task is no row.
 */
#include "views.h"

#define VIEW(name)	"CREATE VIEW systing." name " AS SELECT host AS trace_id, "

const struct view views_of_systing[] = {
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
	  "-- Sleeps, and what is runnable since a wake-up: 0\n"
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

const size_t views_of_systing_count = sizeof(views_of_systing) / sizeof(*views_of_systing);
