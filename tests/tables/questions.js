// SPDX-License-Identifier: GPL-2.0-or-later
//
// questions.js DIR - asks three questions about all hosts, on two threads. For each, prints its
// name, the elapsed seconds, the seconds of CPU time, the first row of the answer, and the number
// of rows.
import { open } from './engine.js';

// The culprit of the worst wait is the thread that ran longest on that CPU in this time.
const questions = {
	'switches of each host': `SELECT host, count(end_state) AS switches FROM sched_slice
		GROUP BY host ORDER BY switches DESC, host`,
	'worst wait for a CPU, and the culprit': `
		WITH waits AS (SELECT host, max(wait_dur) AS worst FROM sched_slice GROUP BY host),
		most AS MATERIALIZED (SELECT * FROM waits ORDER BY worst DESC, host LIMIT 1),
		wait AS MATERIALIZED (SELECT host, cpu, utid, ts - wait_dur AS since, ts AS until
			FROM sched_slice JOIN most USING (host) WHERE wait_dur = worst ORDER BY ts LIMIT 1),
		culprit AS (SELECT slice.utid,
				sum(least(slice.ts + slice.dur, until) - greatest(slice.ts, since)) AS ran
			FROM sched_slice slice JOIN wait ON slice.host = wait.host AND slice.cpu = wait.cpu
			WHERE slice.ts < until AND slice.ts + slice.dur > since AND slice.utid <> 0
			GROUP BY slice.utid ORDER BY ran DESC, slice.utid LIMIT 1)
		SELECT waits.host, waits.worst, wait.utid, culprit.utid AS culprit, culprit.ran
		FROM waits LEFT JOIN wait USING (host) LEFT JOIN culprit ON wait.host IS NOT NULL
		ORDER BY waits.worst DESC, waits.host`,
	'critical hosts': `SELECT host, sum(wait_dur) / greatest(count(wait_dur), 1) AS mean_wait,
		count(*) FILTER (wait_dur > 1000000) AS long_waits
		FROM sched_slice GROUP BY host ORDER BY long_waits DESC, mean_wait DESC, host`,
};
const sql = await open(process.argv[2], 2);

for (const [name, query] of Object.entries(questions)) {
	const began = performance.now(), cpu = process.cpuUsage();
	const rows = await sql(query), used = process.cpuUsage(cpu);

	console.log([name, ((performance.now() - began) / 1000).toFixed(2),
		((used.user + used.system) / 1e6).toFixed(2), JSON.stringify(rows[0]), rows.length].join('\t'));
}
