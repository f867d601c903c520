-- systing, tools/trace_queries.sql, "Per-CPU scheduling statistics"
-- Runs in: export query
SELECT
    cpu,
    COUNT(*) as context_switches,
    CAST(AVG(dur) / 1000.0 AS INTEGER) as avg_latency_us,
    CAST(MAX(dur) / 1000.0 AS INTEGER) as max_latency_us,
    CAST(SUM(dur) / 1e9 AS REAL) as total_time_sec
FROM sched_slice
WHERE dur > 0
GROUP BY cpu
ORDER BY cpu;
