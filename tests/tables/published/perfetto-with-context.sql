-- Perfetto, stdlib sched/with_context.sql, sched_with_thread_process
-- Runs in: export
SELECT sched.id, sched.ts, sched.dur, utid, upid, thread.name AS thread_name,
  process.name AS process_name, sched.cpu, sched.end_state, sched.priority
FROM sched JOIN thread USING (utid) LEFT JOIN process USING (upid);
