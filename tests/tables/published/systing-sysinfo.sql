-- systing, SCHEMA_CHANGES.md: its sysinfo and clock_snapshot
-- Runs in: export query systing
SELECT sysname, release, version, machine, clock_id, timestamp_ns
FROM sysinfo CROSS JOIN clock_snapshot WHERE is_primary ORDER BY timestamp_ns;
