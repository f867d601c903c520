// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Adds names to the numbers in an event's text: "cause=1 (system call)".
 *
 * Stage: between the source's events and the parts of the page that show them.  Names that are
 * already in the text are kept.
 */
import { count, short } from './times.js';

/* By enum evtlog_lost_cause of the kernel's abi.h. */
const LOST = ['no buffer free', 'in NMIs', 'nested in the slow path of writing',
	'too large'];

/* By enum evtlog_user_exit_cause. */
const LEFT = ['interrupt or exception', 'system call', '32-bit system call'];

/* By enum evtlog_counter. */
const COUNTERS = ['context switches', 'softirqs', 'device interrupts', 'vectors', 'switches', 'ICMP messages',
	'rejected', 'device interrupts of all lines', 'stolen ns'];

const SOFTIRQS = ['HI', 'TIMER', 'NET_TX', 'NET_RX', 'BLOCK', 'IRQ_POLL', 'TASKLET', 'SCHED',
	'HRTIMER', 'RCU'];

/* x86's exceptions. */
const EXCEPTIONS = ['divide error', 'debug', 'NMI', 'breakpoint', 'overflow', 'bound range',
	'invalid opcode', 'device not available', 'double fault', 'coprocessor segment', 'invalid TSS',
	'segment not present', 'stack segment', 'general protection', 'page fault', null,
	'x87 error', 'alignment check', 'machine check', 'SIMD error', 'virtualization',
	'control protection'];

export function exceptionName(vector)
{
	return EXCEPTIONS[vector] ?? `exception ${vector}`;
}

/* By letter of the scheduler's tracepoint. */
const STATES = { R: 'runnable', S: 'sleeping', D: 'uninterruptible sleep', T: 'stopped',
	t: 'traced', X: 'dead', Z: 'exited', P: 'parked', I: 'idle', '+': 'preempted' };

/* The text of a record of lost events. */
function lossWords(fields)
{
	const n = Number(fields.count);
	const ns = Number(fields.last) - Number(fields.first);

	return `${count(n)} ${n === 1 ? 'event' : 'events'}, ${LOST[fields.cause] ??
		`cause ${fields.cause}`}${ns > 0 ? `, within ${short(ns)}` : ''}`;
}

/* The names of the values, by field. */
function namesOf(type, fields)
{
	if (type === 'user_exit')
		return { cause: LEFT[fields.cause] };
	if (type === 'exception_entry' || type === 'exception_exit')
		return { vector: EXCEPTIONS[fields.vector] };
	if (type === 'sched_switch' || type === 'task')
		return { prev_state: STATES[fields.prev_state], state: STATES[fields.state] };
	if (type === 'counter')
		return { counter: COUNTERS[fields.counter],
			index: fields.counter === 1 ? SOFTIRQS[fields.index] : undefined,
			at_end: ['at the start', 'at the end'][fields.at_end] };
	return {};
}

/* The bit of a kind of events in bins. */
export function kindBit(log, kind)
{
	return log.kinds.includes(kind) ? 1 << log.kinds.indexOf(kind) : 0;
}

/* The name of an event; a registered event has its own name. */
export function eventName({ name, type, kind })
{
	return name ?? type ?? kind;
}

export function eventWords({ type, fields, text })
{
	if (!fields)
		return text;
	if (type === 'lost')
		return lossWords(fields);
	/* Arguments only: the page shows the event's name instead of its id. */
	if (type === 'event')
		return text.replace(/^id=\S+ bytes=\d+ ?/, '');
	/* Names from the source have priority: prev_state_name is the name of prev_state. */
	const named = Object.keys(fields).filter((field) => typeof fields[`${field}_name`] === 'string')
		.map((field) => [field, fields[`${field}_name`]]);

	return Object.entries({ ...namesOf(type, fields), ...Object.fromEntries(named) }).reduce((words,
		[field, name]) => {
		const wanted = `${field}=${fields[field]}`;

		return name ? words.split(' ').map((word) => word === wanted ?
			`${word} (${name})` : word).join(' ') : words;
	}, text);
}
