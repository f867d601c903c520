-- systing, docs/analysis_tcp_poll_blocking.md, "What sockets is thread ... polling?", evtlog's events
-- Runs in: systing
WITH activity AS (
    SELECT MAX(CASE WHEN a.key = 'type' THEN a.int_value END) as type
    FROM instant i
    JOIN thread t ON i.utid = t.utid AND i.trace_id = t.trace_id
    LEFT JOIN instant_args a ON i.id = a.instant_id AND i.trace_id = a.trace_id
    WHERE i.name = 'icmp_rx'
    GROUP BY i.id
)
SELECT type, COUNT(*) as total FROM activity GROUP BY type ORDER BY type;
