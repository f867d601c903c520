// SPDX-License-Identifier: GPL-2.0-or-later
//
// conserve.js DUMP DIR - each record of `evtlog dump --json` of one host is in its export: a row
// has its time, CPU, thread and values, or begins or ends with it. Each row has its records, unless
// it is cut. The types in TOLD_ELSEWHERE are in no table; the notes contain their number. Prints a
// line per difference, and at the end the number of records of each type.
import fs from 'node:fs';
import { open } from './engine.js';

const [dumpFile, dir] = process.argv.slice(2);
const sql = await open(dir);
const TOLD_ELSEWHERE = new Set(['time', 'event_format', 'on_cpu']);
const COUNTERS = ['ctxt', 'softirq', 'irq', 'vector', 'switches', 'icmp', 'rejected', 'irqs'];
const counts = new Map();
const told = new Map();
let differences = 0;

function differ(what) {
	if (differences++ < 20)
		console.log(what);
}

// ---- The tables ----
// Keys of rows, and their number. Rows in @loose need no record.
const there = new Map(), loose = new Map();

function has(table, values, isLoose = false) {
	const key = `${table} ${values.map(String).join(' ')}`;
	const map = isLoose ? loose : there;

	map.set(key, (map.get(key) ?? 0) + 1);
}

function take(table, values) {
	const key = `${table} ${values.map(String).join(' ')}`;
	const map = there.get(key) ? there : loose;

	if (!map.get(key))
		return false;
	map.set(key, map.get(key) - 1);
	return true;
}

const end = (row) => BigInt(row.ts) + BigInt(row.dur);
const rows = (table, also = '') => sql(`SELECT row.*, thread.tid ${also} FROM ${table} row
	LEFT JOIN thread USING (utid)`);
const begin = BigInt((await sql('SELECT begin_ts FROM run'))[0].begin_ts);

for (const row of await rows('sched_slice')) {
	has('runs from', [row.ts, row.cpu, row.tid]);
	has('runs until', [end(row), row.cpu, row.tid, row.end_state], row.end_state === null);
}
for (const row of await rows('wakeup', `, (SELECT tid FROM thread t WHERE t.utid = waker_utid) AS waker`))
	has('wakeup', [row.ts, row.cpu, row.tid, row.waker ?? 0, row.irq_context]);
for (const row of await rows('wakeup_new'))
	has('wakeup_new', [row.ts, row.cpu, row.tid, row.target_cpu, row.priority]);
for (const row of await rows('sched_migrate'))
	has('sched_migrate', [row.ts, row.cpu, row.tid, row.orig_cpu, row.dest_cpu]);
for (const row of await rows('process_exit'))
	has('process_exit', [row.ts, row.cpu, row.tid, row.exit_code]);
for (const [table, number] of [['irq_slice', 'irq'], ['softirq_slice', 'vec'], ['vector_slice', 'vector']])
	for (const row of await sql(`SELECT * FROM ${table}`)) {
		const name = table === 'vector_slice' ? row.name : '';

		has(`${table} from`, [row.ts, row.cpu, row[number], name], row.cut);
		has(`${table} until`, [end(row), row.cpu, row[number], name, row.ret ?? ''], row.cut);
	}
for (const row of await rows('exception_slice')) {
	has('exception from', [row.ts, row.vector], row.cut);
	has('exception until', [end(row), row.cpu, row.vector], row.cut);
}
for (const row of await rows('syscall_slice')) {
	has('call from', [row.ts, row.tid, row.nr, row.compat], row.cut);
	has('call until', [end(row), row.cpu, row.tid], row.cut);
}
for (const row of await rows('user_slice')) {
	has('user from', [row.ts, row.cpu, row.tid ?? 0], row.cut);
	has('user until', [end(row), row.cpu, row.tid ?? 0, row.end_cause], row.cut);
}
for (const row of await sql('SELECT * FROM kernel_counter'))
	has('counter', [row.ts, row.cpu, row.name, row.idx, row.at_end, row.value]);
for (const row of await rows('sample'))
	has('sample', [row.ts, row.tid, row.cpu, row.priority]);
for (const row of await sql('SELECT DISTINCT tid, start_boot_ns FROM thread'))
	has('thread', [row.tid, row.start_boot_ns], true);

const args = new Map();
for (const row of await sql('SELECT * FROM args'))
	args.set(row.arg_set_id, [...args.get(row.arg_set_id) ?? [], row]);
for (const row of await rows('event')) {
	const fields = (args.get(row.arg_set_id) ?? []).map((arg) =>
		`${arg.key}=${arg.uint_value ?? arg.int_value ?? arg.string_value}`);

	has('event', [row.ts, row.cpu, row.name, fields.sort().join(','), row.tid ?? 'unknown']);
}

// ---- The log ----
const derived = (fields, key) => /_(comm|name)$/.test(key) && key.replace(/_(comm|name)$/, '') in fields ||
	key === 'arrival_before_ns';
// Fields as args has them, without the names that dump adds to numbers
function fieldsText(fields) {
	return Object.entries(fields).filter(([key]) => !derived(fields, key)).map(([key, value]) =>
		`${key}=${/^0x[0-9a-f]+$/.test(value) ? BigInt(value) : value}`).sort().join(',');
}

// In a log that contradicts itself, another CPU may run this CPU's task: then this CPU's task is
// unknown.
const running = new Map();
const witnesses = {
	sched_switch({ next_pid, prev_state }, { time, cpu, pid }) {
		const found = [['runs from', [time, cpu, next_pid]]];

		if (pid !== 'unknown')
			found.push(['runs until', [time, cpu, pid, prev_state === '+' ? 'R+' : prev_state]]);
		for (const [other, runs] of running)
			if (next_pid && other !== cpu && runs === next_pid)
				running.set(other, 'unknown');
		running.set(cpu, next_pid);
		return found;
	},
	sched_waking: (fields, { time, cpu, pid, inIrq }) =>
		[['wakeup', [time, cpu, fields.pid, pid, inIrq]]],
	sched_wakeup_new: (fields, { time, cpu }) =>
		[['wakeup_new', [time, cpu, fields.pid, fields.target_cpu, fields.prio]]],
	sched_migrate_task: (fields, { time, cpu }) =>
		[['sched_migrate', [time, cpu, fields.pid, fields.orig_cpu, fields.dest_cpu]]],
	sched_process_exit: (fields, { time, cpu }) =>
		[['process_exit', [time, cpu, fields.pid, fields.exit_code ?? fields.code]]],
	irq_handler_entry: ({ irq }, { time, cpu }) => [['irq_slice from', [time, cpu, irq, '']]],
	irq_handler_exit: ({ irq, ret }, { time, cpu }) => [['irq_slice until', [time, cpu, irq, '', ret]]],
	softirq_entry: ({ vec }, { time, cpu }) => [['softirq_slice from', [time, cpu, vec, '']]],
	softirq_exit: ({ vec }, { time, cpu }) => [['softirq_slice until', [time, cpu, vec, '', '']]],
	exception_entry: ({ vector }, { time }) => [['exception from', [time, vector]]],
	exception_exit: ({ vector }, { time, cpu }) => [['exception until', [time, cpu, vector]]],
	counter: ({ counter, index, at_end, value }, { time, cpu }) =>
		[['counter', [time, cpu, COUNTERS[counter], index, at_end === 1, value]]],
	task: ({ pid, start_time }) => [['thread', [pid, start_time]]],
};
const calls = new Set();
witnesses.user_exit = ({ cause, nr }, { time, cpu, pid }) => {
	const found = [['user until', [time, cpu, pid, ['other', 'syscall', 'compat'][cause]]]];

	if (pid && cause) {
		calls.add(pid);
		found.push(['call from', [time, pid, nr, cause === 2]]);
	}
	return found;
};
witnesses.user_enter = (_, { time, cpu, pid }) => {
	const found = [['user from', [time, cpu, pid]]];

	if (calls.delete(pid))
		found.push(['call until', [time, cpu, pid]]);
	return found;
};
function witnessesOf({ event, fields }, at) {
	if (witnesses[event])
		return witnesses[event](fields, at);
	const [, name, step] = /^(.*)_(entry|exit)$/.exec(event) ?? [];
	if (name && 'vector' in fields)
		return [[`vector_slice ${step === 'entry' ? 'from' : 'until'}`,
			[at.time, at.cpu, fields.vector, name, ...step === 'entry' ? [] : ['']]]];
	if (fields.id_name === 'sampler_task')
		return [['sample', [at.time, fields.payload.pid, fields.payload.cpu, fields.payload.prio]]];
	if (event === 'event')
		return [['event', [at.time, at.cpu, fields.id_name ?? `event ${fields.id}`,
			typeof fields.payload === 'string' ? `payload=${fields.payload}` :
				fieldsText(fields.payload), at.pid]]];
	return [['event', [at.time, at.cpu, event, fieldsText(fields), at.pid]]];
}

for (const text of fs.readFileSync(dumpFile, 'utf8').split('\n').filter(Boolean)) {
	const record = JSON.parse(text.replace(/: (-?\d{15,})(?=[,}])/g, ': "$1"'));
	const [, seconds, ns] = /"time": (\d+)\.(\d{9})/.exec(text);
	const at = {
		time: begin + BigInt(seconds + ns), cpu: record.cpu,
		pid: running.get(record.cpu) === 'unknown' ? 'unknown' : record.current_pid,
		inIrq: record.context !== 'task',
	};

	// From here on it is known what runs.
	if (!record.fields)
		take('runs from', [at.time, at.cpu, at.pid]);
	if (TOLD_ELSEWHERE.has(record.event))
		told.set(record.event, (told.get(record.event) ?? 0) + 1);
	if (!record.fields || TOLD_ELSEWHERE.has(record.event))
		continue;
	counts.set(record.event, (counts.get(record.event) ?? 0) + 1);
	for (const [table, values] of witnessesOf(record, at))
		if (!take(table, values))
			differ(`no row "${table} ${values.join(' ')}": ${text}`);
}
for (const [key, count] of there)
	if (count)
		differ(`${count} rows of which no record tells: ${key}`);

// ---- What the files lack, by their notes ----
const [{ notes }] = await sql(`SELECT decode(value) AS notes FROM parquet_kv_metadata('thread.parquet')
	WHERE decode(key) = 'evtlog.notes'`);
const noted = (what) => Number(new RegExp(`^(\\d+) ${what}`, 'm').exec(notes)?.[1] ?? 0);
for (const type of [...TOLD_ELSEWHERE, ...counts.keys()])
	if (noted(`records of type ${type} are left out`) !== (told.get(type) ?? 0))
		differ(`${told.get(type) ?? 0} records of type ${type} are told elsewhere: ${notes}`);
if (noted('records of type task are threads') !== (counts.get('task') ?? 0))
	differ(`${counts.get('task')} records of type task: ${notes}`);
if (notes.includes('neither arguments') !== ((await sql('SELECT 1 FROM syscall_slice LIMIT 1')).length > 0))
	differ(`system calls: ${notes}`);
console.log(JSON.stringify(Object.fromEntries(counts)));
process.exit(differences ? 1 : 0);
