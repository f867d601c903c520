-- Perfetto, stdlib sched/latency.sql, _sched_with_thread_state_join
-- Runs in: export
SELECT thread_state.id AS thread_state_id, sched.id AS sched_id
FROM sched JOIN thread_state USING (utid, ts, dur);
