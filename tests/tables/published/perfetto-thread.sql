-- Perfetto, docs/analysis/perfetto-sql-getting-started.md, "Thread and process tables"
-- Runs in: export query
SELECT tid, name
FROM thread
WHERE utid = 10
