// SPDX-License-Identifier: GPL-2.0-or-later
//
// groups.js DIR TABLE - prints the number of row groups of a table, and how many of them a query of
// a hundredth of its time has to read at most: two lines
import { open } from './engine.js';

const [dir, table] = process.argv.slice(2);
const sql = await open(dir);
const groups = (await sql(`SELECT row_group_id, stats_min_value::BIGINT AS least,
	stats_max_value::BIGINT AS most FROM parquet_metadata('${table}.parquet')
	WHERE path_in_schema = 'ts'`)).map(({ least, most }) => [Number(least), Number(most)]);
const begin = Math.min(...groups.map(([least]) => least));
const length = Math.max(...groups.map(([, most]) => most)) - begin;
let worst = 0;

for (let part = 0; part < 100; part++) {
	const from = begin + length * part / 100, to = from + length / 100;

	worst = Math.max(worst, groups.filter(([least, most]) => least < to && most >= from).length);
}
console.log(`${groups.length}\n${worst}`);
