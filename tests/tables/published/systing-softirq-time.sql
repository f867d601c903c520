-- systing, src/analyze/cpu_stats.rs, build_softirq_time_query()
-- Runs in: export query systing
SELECT s.cpu, SUM(s.dur) / 1e9 as softirq_s
 FROM softirq_slice s
 WHERE s.dur > 0
 GROUP BY s.cpu
