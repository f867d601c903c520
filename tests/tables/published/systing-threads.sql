-- systing, tools/trace_queries.sql, "All threads in the trace"
-- Runs in: export query
SELECT
    p.name as process,
    p.pid,
    t.name as thread,
    t.tid
FROM thread t
JOIN process p ON t.upid = p.upid
WHERE p.pid > 0
ORDER BY p.pid, t.tid;
