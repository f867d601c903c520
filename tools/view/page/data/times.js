// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Times as text: exact to the nanosecond, and short.
 *
 * Times are ns since the log's base, as doubles; larger times are BigInt.
 */

const UNITS = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];

function grouped(number)
{
	return Math.round(number).toLocaleString('en-US');
}

export function exact(ns)
{
	return `${grouped(ns)} ns`;
}

/* At most four digits, in the unit that fits: 1.235 ms. */
export function short(ns)
{
	const size = Math.abs(ns);

	if (!size)
		return '0 ns';
	for (const [unit, name] of UNITS) {
		if (size < unit && unit > 1)
			continue;
		const value = ns / unit;
		const digits = unit === 1 && Number.isInteger(ns) ? 0 :
			Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value) || 1)));

		return `${Number(value.toFixed(Math.min(digits, 3)))} ${name}`;
	}
	return `${ns} ns`;
}

/* Always four digits, for tables: 1.230 ms. */
export function brief(ns)
{
	const size = Math.abs(ns);
	const [unit, name] = UNITS.find(([least]) => size >= least) ?? UNITS[3];
	const whole = Math.floor(Math.log10(size / unit || 1)) + 1;

	return `${(ns / unit).toFixed(unit === 1 ? 0 : Math.max(4 - whole, 0))} ${name}`;
}

/* All digits, in seconds: 12.345678901 s. */
export function seconds(ns)
{
	const whole = Math.round(ns);
	const rest = ((whole % 1e9) + 1e9) % 1e9;

	return `${Math.floor(whole / 1e9)}.${String(rest).padStart(9, '0')} s`;
}

/* The wall-clock time, UTC. */
export function wall(baseRealNs, ns)
{
	const total = BigInt(baseRealNs) + BigInt(Math.round(ns));
	const ms = total / 1000000n;
	const rest = String(total % 1000000000n).padStart(9, '0');
	const date = new Date(Number(ms));

	if (Number.isNaN(date.getTime()))
		return '';
	return `${date.toISOString().slice(0, 19).replace('T', ' ')}.${rest} UTC`;
}

const LENGTHS = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };

/* Converts a decimal number in a unit to ns without rounding: "1.5" in s is 1500000000. */
function scaled(number, unit)
{
	const [whole, part = ''] = number.split('.');
	const decimals = Math.round(Math.log10(unit));

	/* Minutes and hours are no powers of ten. */
	return 10 ** decimals === unit ? Number(`${whole}${part.padEnd(decimals, '0').slice(0, decimals)}`) :
		Math.round(Number(number) * unit);
}

/*
 * All times within [0, @end] that a text can mean, in ns since the log's base.  Formats: those of
 * the page, evtlog dump and --from (0.0205, "20.5 ms", "20,500,000 ns"), the column ts of
 * evtlog query, and the wall clock.
 */
function timesOf(text, { base_ns: base, base_real_ns: real }, end)
{
	const plain = text.trim().replace(/(\d),(?=\d{3})/g, '$1');
	const [, number, unit = 's'] = /^(\d*\.?\d+|\d+\.)\s*([nuµm]s|[smh])?$/.exec(plain) ?? [];
	const [, day, clock, part = ''] =
		/^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?\s*(?:UTC|Z)?$/.exec(plain) ?? [];
	const times = [];

	if (number !== undefined)
		times.push(scaled(number, LENGTHS[unit]));
	if (/^\d{1,20}$/.test(plain))
		times.push(Number(BigInt(plain) - BigInt(base)));
	if (day !== undefined)
		times.push(Number(BigInt(Date.parse(`${day}T${clock}Z`) || 0) * 1000000n +
			BigInt(part.padEnd(9, '0')) - BigInt(real)));
	return times.filter((t) => t >= 0 && t <= end);
}

/* The same as spans.  "TS DUR", two columns of evtlog query, is the span from TS to TS + DUR. */
export function spansOf(text, log, end)
{
	const [, ts, dur] = /^(\d{1,20})\s+(\d{1,20})$/.exec(text.trim()) ?? [];

	return timesOf(ts ?? text, log, end).map((from) =>
		({ from, to: dur === undefined ? from : Math.min(from + Number(dur), end) }));
}

/* The unit for labels of steps of this size. */
export function unitOf(step)
{
	return UNITS.find(([unit]) => step >= unit) ?? UNITS[3];
}

export function percent(share)
{
	if (!(share > 0))
		return '0 %';
	return share < 0.001 ? '<0.1 %' : `${(share * 100).toFixed(1)} %`;
}

/* @part: null if the log has no events for it */
export function shareOf(part, whole)
{
	return part === null ? '–' : percent(part / whole);
}

export function countOf(number)
{
	return number === null ? '–' : count(number);
}

export function count(number)
{
	return Number(number).toLocaleString('en-US');
}
