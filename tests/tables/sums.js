// SPDX-License-Identifier: GPL-2.0-or-later
//
// sums.js STAT DIR - DuckDB's sums of an export's tables are those of `evtlog stat --json`. Prints
// a line per difference.
import fs from 'node:fs';
import { open } from './engine.js';

const [statFile, dir] = process.argv.slice(2);
const stat = JSON.parse(fs.readFileSync(statFile, 'utf8'));
const sql = await open(dir);
let differences = 0;

function same(what, got, wanted) {
	if (Number(got ?? 0) === Number(wanted ?? 0))
		return;
	console.log(`${what}: ${got} of the tables, ${wanted} of stat`);
	differences++;
}

const interrupts = `(SELECT cpu, utid, dur, depth FROM irq_slice
	UNION ALL SELECT cpu, utid, dur, depth FROM softirq_slice
	UNION ALL SELECT cpu, utid, dur, depth FROM vector_slice)`;

async function byKey(query) {
	const rows = await sql(query);
	return new Map(rows.map((row) => [String(row.key), row]));
}

// ---- CPUs ----
const ran = await byKey(`SELECT cpu AS key, count(end_state) AS switches,
	sum(dur) FILTER (utid <> 0) AS task, sum(dur) FILTER (utid = 0) AS idle
	FROM sched_slice GROUP BY cpu`);
const interrupted = await byKey(`SELECT cpu AS key, sum(dur) AS all_ns,
	sum(dur) FILTER (utid <> 0) AS task, sum(dur) FILTER (utid = 0) AS idle
	FROM ${interrupts} WHERE depth = 0 GROUP BY cpu`);
const moved = await byKey('SELECT cpu AS key, count(*) AS n FROM sched_migrate GROUP BY cpu');
let migrations = 0;
for (const cpu of stat.cpus) {
	const key = String(cpu.cpu), of = ran.get(key) ?? {}, off = interrupted.get(key) ?? {};
	same(`CPU ${key}: switches`, of.switches, cpu.switches);
	same(`CPU ${key}: run time of tasks`, Number(of.task ?? 0) - Number(off.task ?? 0),
		cpu.task_ns + cpu.logger_ns);
	same(`CPU ${key}: idle`, Number(of.idle ?? 0) - Number(off.idle ?? 0), cpu.idle_ns);
	same(`CPU ${key}: interrupts`, off.all_ns, cpu.softirq_ns + cpu.irq_ns);
	migrations += Number(moved.get(key)?.n ?? 0);
}
same('migrations', migrations, stat.total.migrations);

// ---- Tasks ----
const tasks = await byKey(`SELECT tid AS key, sum(ran - coalesce(off, 0)) AS run,
	sum(n) AS switches, sum(preempted) AS preempted FROM
	(SELECT utid, sum(dur) AS ran, count(*) FILTER (end_state IS NOT NULL) AS n,
		count(*) FILTER (end_state IN ('R', 'R+')) AS preempted
		FROM sched_slice GROUP BY utid)
	LEFT JOIN (SELECT utid, sum(dur) AS off FROM ${interrupts} WHERE depth = 0 GROUP BY utid)
		USING (utid)
	JOIN thread USING (utid) GROUP BY tid`);
const woken = await byKey(`SELECT tid AS key, count(*) AS n FROM
	(SELECT utid FROM wakeup UNION ALL SELECT utid FROM wakeup_new)
	JOIN thread USING (utid) GROUP BY tid`);
for (const task of stat.tasks) {
	const of = tasks.get(String(task.pid)) ?? {};
	same(`task ${task.pid}: run time`, of.run, task.run_ns);
	same(`task ${task.pid}: preempted`, of.preempted, task.preempted);
	same(`task ${task.pid}: wake-ups`, woken.get(String(task.pid))?.n, task.wakeups);
}

// ---- Nested slices ----
for (const [list, table, key] of [['softirqs', 'softirq_slice', 'vec'], ['irqs', 'irq_slice', 'irq'],
		['vectors', 'vector_slice', 'name']]) {
	const counts = await byKey(`SELECT ${key} AS key, count(*) AS n FROM ${table} GROUP BY ${key}`);
	for (const one of stat[list]) {
		same(`${list} ${one[key]}`, counts.get(String(one[key]))?.n, one.count);
		counts.delete(String(one[key]));
	}
	for (const more of counts.keys())
		same(`${list} ${more}`, counts.get(more).n, 0);
}
for (const way of ['rx', 'tx'])
	for (const one of stat.icmp?.[way] ?? []) {
		const [row] = await sql(`SELECT count(*) AS n FROM event JOIN args USING (arg_set_id)
			WHERE name = 'icmp_${way}' AND key = 'type' AND int_value = ${one.type}`);
		same(`ICMP ${way} ${one.type}`, row.n, one.count);
	}
const [run] = await sql('SELECT sum(events) AS n FROM run');
same('events', run.n, stat.events);
process.exit(differences ? 1 : 0);
