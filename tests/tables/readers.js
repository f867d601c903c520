// SPDX-License-Identifier: GPL-2.0-or-later
//
// readers.js ROWS DIR... - DuckDB, hyparquet and parquet-wasm read the same rows from each file of
// an export DIR as the program rows printed to ROWS. The statistics of row groups agree with their
// rows. Prints a line per difference, and at the end the number of rows.
import fs from 'node:fs';
import path from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import * as wasm from 'parquet-wasm/node';
import { tableFromIPC } from 'apache-arrow';
import { open } from './engine.js';

const pairs = process.argv.slice(2);
let differences = 0;

const text = (value) => value === null || value === undefined ? null : String(value);
const line = (row) => JSON.stringify(Object.entries(row).map(([key, value]) => [key, text(value)]));

function differ(what) {
	console.log(what);
	differences++;
}

async function checkStatistics(table, file, metadata) {
	let begin = 0;

	for (const group of metadata.row_groups) {
		const rows = await parquetReadObjects({ file, compressors, rowStart: begin,
			rowEnd: begin + Number(group.num_rows) });

		begin += Number(group.num_rows);
		for (const { meta_data: chunk } of group.columns) {
			const name = chunk.path_in_schema[0], { statistics } = chunk;
			const values = rows.map((row) => row[name]).filter((value) => value !== null &&
				value !== undefined);

			if (Number(statistics.null_count) !== rows.length - values.length)
				differ(`${table}.${name}: ${statistics.null_count} NULLs are said`);
			if (statistics.min_value === undefined) {
				if (values.length && typeof values[0] === 'bigint')
					differ(`${table}.${name}: no statistics`);
				continue;
			}
			const compare = typeof values[0] === 'string' ?
				(a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)) :
				(a, b) => a < b ? -1 : a > b ? 1 : 0;
			const least = values.reduce((a, b) => compare(a, b) <= 0 ? a : b);
			const most = values.reduce((a, b) => compare(a, b) >= 0 ? a : b);

			if (text(least) !== text(statistics.min_value) || text(most) !== text(statistics.max_value))
				differ(`${table}.${name}: ${statistics.min_value} to ${statistics.max_value} is said, ` +
				       `${least} to ${most} is true`);
		}
	}
}

async function check(rowsFile, dir) {
	const wanted = new Map();
	let count = 0;

	// Integers that do not fit a double stay text.
	for (const json of fs.readFileSync(rowsFile, 'utf8').split('\n').filter(Boolean)) {
		const row = JSON.parse(json.replace(/:(-?\d{15,})(?=[,}])/g, ':"$1"'));
		const lines = wanted.get(row.table) ?? [];

		wanted.set(row.table, lines);
		delete row.table;
		lines.push(line(row));
	}

	const sql = await open(dir);
	const files = fs.readdirSync(dir).filter((name) => name.endsWith('.parquet'));
	for (const name of files) {
		const table = path.basename(name, '.parquet'), lines = (wanted.get(table) ?? []).sort();
		const file = await asyncBufferFromFile(path.join(dir, name));
		const metadata = await parquetMetadataAsync(file);
		const read = {
			DuckDB: await sql(`SELECT * FROM '${name}'`),
			hyparquet: await parquetReadObjects({ file, compressors }),
			'parquet-wasm': tableFromIPC(wasm.readParquet(fs.readFileSync(path.join(dir, name)))
				.intoIPCStream()).toArray().map((row) => row.toJSON()),
		};

		for (const [reader, rows] of Object.entries(read)) {
			const got = rows.map(line).sort(), at = got.findIndex((one, i) => one !== lines[i]);

			if (got.length !== lines.length || at >= 0)
				differ(`${table}: ${reader}: ${got.length} rows of ${lines.length}: ${got[at]} is not ${lines[at]}`);
		}
		await checkStatistics(table, file, metadata);
		if (!metadata.key_value_metadata.some(({ key, value }) => key === 'evtlog.tables' && value === '1'))
			differ(`${table}: no version in its metadata`);
		wanted.delete(table);
		count += lines.length;
	}
	for (const table of wanted.keys())
		differ(`${table}: no file`);
	console.log(`${files.length} files, ${count} rows`);
}

while (pairs.length)
	await check(...pairs.splice(0, 2));
process.exit(differences ? 1 : 0);
