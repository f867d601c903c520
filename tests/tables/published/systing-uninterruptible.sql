-- systing, skills/systing-analyze/SKILL.md, "Longest uninterruptible-sleep episodes"
-- Runs in: systing
SELECT t.name, ss.dur/1e6 AS ms, ss.ts
FROM sched_slice ss JOIN thread t ON t.trace_id = ss.trace_id AND t.utid = ss.utid
WHERE ss.end_state & 2 != 0
ORDER BY ss.dur DESC LIMIT 20;
