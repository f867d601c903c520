-- systing, tools/trace_queries.sql, "CPU time by thread": columns outside GROUP BY (SQLite)
-- Runs in: query
SELECT
    p.name as process,
    t.name as thread,
    t.tid,
    COUNT(*) as samples,
    CAST(SUM(s.dur) / 1e9 AS REAL) as cpu_time_sec,
    ROUND(100.0 * SUM(s.dur) / (SELECT SUM(dur) FROM sched_slice WHERE dur > 0), 2) as pct
FROM sched_slice s
JOIN thread t ON s.utid = t.utid
JOIN process p ON t.upid = p.upid
WHERE s.dur > 0 AND p.pid > 0
GROUP BY t.tid
ORDER BY cpu_time_sec DESC
LIMIT 30;
