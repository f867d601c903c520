-- Perfetto, docs/data-sources/cpu-scheduling.md, "SQL"
-- Runs in: export query
select ts, dur, cpu, end_state, priority, process.name, thread.name
from sched_slice left join thread using(utid) left join process using(upid)
