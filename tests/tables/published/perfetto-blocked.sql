-- Perfetto, test/trace_processor/parsing/sched_blocked_reason_test.sql
-- Runs in: export query
SELECT ts, tid, io_wait FROM thread_state JOIN thread USING (utid)
WHERE state = 'D' ORDER BY ts;
