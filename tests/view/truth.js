// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The output of `evtlog dump` and `evtlog stat`, with which the page is compared.
 */
'use strict';

const { output } = require('./build');

// All digits: a double has too few for large times in seconds.
function ns(seconds) {
	const [whole, rest] = seconds.split('.');

	return Number(whole) * 1e9 + Number(rest.padEnd(9, '0'));
}

const dumps = new Map();

/** The events of a log from `evtlog dump --json`, with t in ns since the log's start */
function eventsOf(log, ...options) {
	const key = [log, ...options].join('\n');

	if (!dumps.has(key))
		dumps.set(key, output('tools/evtlog', 'dump', '--json', ...options, log).split('\n')
			.filter((line) => line)
			.map((line) => ({ ...JSON.parse(line), t: ns(/"time": ([\d.]+)/.exec(line)[1]) })));
	return dumps.get(key);
}

/**
 * The slices of tasks on a CPU: { pid, comm, begin, end, left }, idle slices with pid 0, without
 * slices that contain a loss
 */
function slicesOf(log, cpu) {
	const slices = [];
	let begin = null;

	for (const event of eventsOf(log, '--cpu', String(cpu))) {
		if (event.event === 'lost')
			begin = null;
		if (event.event !== 'sched_switch')
			continue;
		if (begin !== null)
			slices.push({ pid: event.current_pid, comm: event.current_comm, cpu, begin,
				      end: event.t, left: event.fields.prev_state });
		begin = event.t;
	}
	return slices;
}

/** The longest time on a CPU in which a task, or @pid, runs and nothing happens */
function quiet(log, cpu, pid) {
	const events = eventsOf(log, '--cpu', String(cpu));
	let best = { begin: 0, end: 0 };

	for (let i = 1; i < events.length; i++) {
		const { t, context, current_pid: runs, event } = events[i];
		const { t: begin } = events[i - 1];

		if (context === 'task' && event !== 'gap' && (pid === undefined ? runs : runs === pid) &&
		    t - begin > best.end - best.begin)
			best = { pid: runs, comm: events[i].current_comm, begin, end: t };
	}
	return best;
}

/** The output of `evtlog stat --json` for a span */
function statOf(log, from, to) {
	return JSON.parse(output('tools/evtlog', 'stat', '--json',
				 '--from', `${from}ns`, '--to', `${to}ns`, log));
}

module.exports = { eventsOf, quiet, slicesOf, statOf };
