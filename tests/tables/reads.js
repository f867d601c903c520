// SPDX-License-Identifier: GPL-2.0-or-later
//
// reads.js DIR TABLE - prints how much of a table's file a query of all columns reads: lines of a
// reader, a condition, and the percentage. hyparquet uses the page index, DuckDB only row groups.
// Both must find the rows that a query of the whole file counts.
import fs from 'node:fs';
import path from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { open } from './engine.js';

const [dir, table] = process.argv.slice(2);
const sql = await open(dir);
const name = path.resolve(`${table}.parquet`), { size } = fs.statSync(name);

// ---- Conditions ----
const [{ least, most, host }] = await sql(`SELECT min(ts) AS least, max(ts) AS most, max(host) AS host
	FROM '${name}'`);
const begin = BigInt(least), length = BigInt(most) - begin;
const conditions = {
	host: { host: { $eq: host } },
};
for (const percent of [10n, 55n, 99n]) {
	const from = begin + length * percent / 100n;

	conditions[`time ${percent}`] = { ts: { $gte: from, $lt: from + length / 100n } };
}
const operators = { $eq: '=', $gte: '>=', $lt: '<' };
const where = (filter) => Object.entries(filter).flatMap(([column, tests]) => Object.entries(tests)
	.map(([test, value]) => `AND ${column} ${operators[test]} ${typeof value === 'bigint' ? value :
		`'${value}'`}`)).join(' ');

// ---- Readers ----
const readers = {
	async hyparquet(filter) {
		const file = await asyncBufferFromFile(name);
		const metadata = await parquetMetadataAsync(file);
		let bytes = 0;
		const counted = {
			byteLength: file.byteLength,
			slice(from, to = file.byteLength) {
				bytes += to - from;
				return file.slice(from, to);
			},
		};
		const rows = await parquetReadObjects({ file: counted, metadata, compressors, filter,
			useOffsetIndex: true, usePageIndex: true });

		return { bytes, rows: rows.length };
	},
	// Counts what the process reads in this time, also from the cache.
	async DuckDB(filter) {
		const read = () => Number(/^rchar: (\d+)/m.exec(fs.readFileSync('/proc/self/io', 'utf8'))[1]);
		const columns = (await sql(`DESCRIBE SELECT * FROM '${name}'`)).map(({ column_name }) =>
			`max(${column_name})`);
		const before = read();
		const [row] = await sql(`SELECT count(*) AS rows, ${columns.join(', ')} FROM '${name}'
			WHERE true ${where(filter)}`);

		return { bytes: read() - before, rows: Number(row.rows) };
	},
};

for (const [reader, query] of Object.entries(readers)) {
	for (const [what, filter] of Object.entries(conditions)) {
		const { bytes, rows } = await query(filter);
		const [{ n }] = await sql(`SELECT count(*) FILTER (true ${where(filter)}) AS n FROM '${name}'`);

		if (rows !== Number(n))
			throw new Error(`${reader}: ${what}: ${rows} rows, not ${n}`);
		console.log(`${reader}\t${what}\t${(100 * bytes / size).toFixed(1)}`);
	}
}
