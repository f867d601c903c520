// SPDX-License-Identifier: GPL-2.0-or-later
//
// questions.js DIR - three questions about all hosts, on two threads: for each a line with its name,
// the seconds that passed, those of CPU time, and the first row of the answer.
import { open } from './engine.js';

const questions = {
	'switches of each host': `SELECT host, count(end_state) AS switches FROM sched_slice
		GROUP BY host ORDER BY switches DESC, host`,
	'worst wait for a CPU': `SELECT host, max(dur) AS worst FROM thread_wait
		WHERE state IN ('R', 'R+') AND NOT cut GROUP BY host ORDER BY worst DESC, host`,
	'critical hosts': `SELECT host, sum(dur) FILTER (state IN ('R', 'R+')) /
		greatest(count(*) FILTER (state IN ('R', 'R+')), 1) AS mean_wait,
		count(*) FILTER (state IN ('R', 'R+') AND dur > 1000000) AS long_waits
		FROM thread_wait GROUP BY host ORDER BY long_waits DESC, mean_wait DESC, host`,
};
const sql = await open(process.argv[2], 2);

for (const [name, query] of Object.entries(questions)) {
	const began = performance.now(), cpu = process.cpuUsage();
	const rows = await sql(query), used = process.cpuUsage(cpu);

	console.log([name, ((performance.now() - began) / 1000).toFixed(2),
		((used.user + used.system) / 1e6).toFixed(2), JSON.stringify(rows[0]), rows.length].join('\t'));
}
