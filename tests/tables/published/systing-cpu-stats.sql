-- systing, src/analyze/cpu_stats.rs, build_cpu_base_query()
-- Runs in: systing
SELECT ss.cpu,
 SUM(ss.dur) as busy_ns,
 COUNT(*) as events,
 COUNT(DISTINCT ss.utid) as threads
 FROM sched_slice ss
 WHERE ss.dur > 0 AND ss.trace_id = 'n1'
 GROUP BY ss.cpu
 ORDER BY ss.cpu
