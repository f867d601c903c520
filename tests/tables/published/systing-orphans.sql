-- systing, src/validation/duckdb_queries.rs, count_orphan_sched_utids()
-- Runs in: export query systing
SELECT COUNT(*), COUNT(*) FILTER (WHERE utid IS NOT NULL
   AND NOT EXISTS (SELECT 1 FROM thread t WHERE t.utid = sched_slice.utid))
FROM sched_slice
