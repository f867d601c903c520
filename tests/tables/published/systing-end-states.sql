-- systing, src/analyze/sched_stats.rs, build_end_state_query()
-- Runs in: systing
SELECT CASE
 WHEN ss.end_state IS NULL THEN 'Preempted (running)'
 WHEN ss.end_state & 2 != 0 THEN 'Uninterruptible sleep (D)'
 WHEN ss.end_state & 1 != 0 THEN 'Interruptible sleep (S)'
 WHEN ss.end_state & 4 != 0 THEN 'Stopped'
 WHEN ss.end_state & 8 != 0 THEN 'Traced'
 WHEN ss.end_state & 16 != 0 THEN 'Exit (dead)'
 WHEN ss.end_state & 32 != 0 THEN 'Exit (zombie)'
 ELSE 'Other (' || CAST(ss.end_state AS VARCHAR) || ')'
 END as state,
 COUNT(*) as count,
 100.0 * COUNT(*) / NULLIF(SUM(COUNT(*)) OVER (), 0) as pct
 FROM sched_slice ss
 JOIN thread t ON ss.utid = t.utid AND ss.trace_id = t.trace_id
 WHERE t.tid = 101 AND ss.dur > 0
 GROUP BY ss.end_state
 ORDER BY count DESC
