/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Views of tables in SQL that SQLite and DuckDB both understand.
 *
 * For queries and for views.sql of an export; neither reads rows here.
 */
#ifndef EVTLOG_LIB_TABLES_VIEWS_H
#define EVTLOG_LIB_TABLES_VIEWS_H

#define VIEWS_PERCENTILE(share, name) \
	"         min(CASE WHEN NOT cut AND place >= " share " * among THEN dur END) AS " name

/*
 * Time of each thread in each state.  Percentiles are of complete durations, by nearest rank.
 * Time of a thread that is in no row of thread_state is unknown.
 */
#define VIEWS_THREAD_STATE_TIME \
	"  SELECT host, run, utid, kind AS state, count(*) AS count, sum(dur) AS dur, max(dur) AS max_dur,\n" \
	VIEWS_PERCENTILE("0.5", "p50") ",\n" VIEWS_PERCENTILE("0.9", "p90") ",\n" \
	VIEWS_PERCENTILE("0.99", "p99") "\n" \
	"  FROM (SELECT *, row_number() OVER (PARTITION BY host, run, utid, kind, cut ORDER BY dur) AS place,\n" \
	"               count(*) OVER (PARTITION BY host, run, utid, kind, cut) AS among\n" \
	"        FROM (SELECT host, run, utid, dur, cut,\n" \
	"                     CASE WHEN state = 'Running' THEN 'running' WHEN state = 'R+' THEN 'preempted'\n" \
	"                          WHEN state = 'R' AND irq_context IS NOT NULL THEN 'woken'\n" \
	"                          WHEN state = 'R' THEN 'yielded' WHEN state = 'S' THEN 'sleeping'\n" \
	"                          WHEN state = 'D' THEN 'disk sleep' WHEN state IN ('T', 't') THEN 'stopped'\n" \
	"                          WHEN state IN ('X', 'Z') THEN 'dead' WHEN state = 'P' THEN 'parked'\n" \
	"                          WHEN state = 'I' THEN 'idle' ELSE state END AS kind FROM thread_state\n" \
	"              UNION ALL\n" \
	"              SELECT host, run, utid, dur, cut, 'idle' FROM sched_slice WHERE utid = 0) AS named) AS ranked\n" \
	"  GROUP BY host, run, utid, kind\n" \
	"  UNION ALL\n" \
	"  SELECT host, run, utid, 'unknown', NULL, life - known, NULL, NULL, NULL, NULL\n" \
	"  FROM (SELECT t.host, t.run, t.utid, coalesce(s.known, 0) AS known,\n" \
	"               coalesce(t.end_ts, r.end_ts) - coalesce(t.start_ts, r.begin_ts) AS life\n" \
	"        FROM thread t JOIN run r ON r.host = t.host AND r.run = t.run\n" \
	"        LEFT JOIN (SELECT utid, sum(dur) AS known FROM thread_state GROUP BY utid) s ON s.utid = t.utid\n" \
	"        WHERE NOT t.is_idle) AS lives WHERE life > known"

#endif /* EVTLOG_LIB_TABLES_VIEWS_H */
