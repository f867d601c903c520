-- Perfetto, stdlib sched/time_in_state.sql, sched_time_in_state_for_thread
-- Runs in: export query
WITH
  total_dur AS (SELECT utid, sum(dur) AS sum_dur FROM thread_state GROUP BY 1),
  summed AS (
    SELECT utid, state, sum(dur) AS time_in_state
    FROM thread_state
    GROUP BY 1, 2
  )
SELECT utid, sum_dur AS total_runtime, state, time_in_state,
  (time_in_state * 100) / (sum_dur) AS percentage_in_state
FROM summed JOIN total_dur USING (utid);
