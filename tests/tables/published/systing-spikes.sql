-- systing, tools/trace_queries.sql, "Find scheduling spikes"
-- Runs in: export query
WITH avg_latency AS (
    SELECT AVG(dur) as avg_dur FROM sched_slice WHERE dur > 0
)
SELECT
    p.name as process,
    t.name as thread,
    t.tid,
    CAST(s.ts / 1e9 AS REAL) as time_sec,
    CAST(s.dur / 1e6 AS REAL) as latency_ms,
    CAST(s.dur / (SELECT avg_dur FROM avg_latency) AS REAL) as times_avg
FROM sched_slice s
JOIN thread t ON s.utid = t.utid
JOIN process p ON t.upid = p.upid
WHERE s.dur > (SELECT avg_dur * 5 FROM avg_latency)
AND p.pid > 0
ORDER BY s.dur DESC
LIMIT 50;
