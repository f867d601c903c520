-- systing, tools/trace_queries.sql, "All processes in the trace": columns outside GROUP BY
-- Runs in: query
SELECT
    p.pid,
    p.name as process_name,
    p.parent_upid,
    COUNT(DISTINCT t.tid) as thread_count
FROM process p
LEFT JOIN thread t ON p.upid = t.upid
WHERE p.pid > 0
GROUP BY p.pid
ORDER BY thread_count DESC;
