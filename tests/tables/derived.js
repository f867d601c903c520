// SPDX-License-Identifier: GPL-2.0-or-later
//
// derived.js DIR ALL - views of the export DIR have the rows of the files that the export ALL has
// instead. Prints a line per difference, and at the end the number of rows.
import path from 'node:path';
import { open } from './engine.js';

const [dir, all] = process.argv.slice(2);
const sql = await open(dir);
let differences = 0, count = 0;

for (const table of ['thread_wait', 'wakeup', 'thread_state']) {
	const file = `'${path.join(all, `${table}.parquet`)}'`;
	const [{ n }] = await sql(`SELECT count(*) AS n FROM ${file}`);

	// Only views have an id.
	const view = table === 'wakeup' ? table : `(SELECT * EXCLUDE (id) FROM ${table})`;
	for (const [more, than] of [[view, file], [file, view]]) {
		const rows = await sql(`SELECT * FROM ${more} EXCEPT ALL SELECT * FROM ${than} LIMIT 3`);

		for (const row of rows)
			console.log(`${more} has more than ${than}: ${JSON.stringify(row)}`);
		differences += rows.length;
	}
	count += Number(n);
}
for (const table of ['sched_slice', 'thread_wait', 'thread_state']) {
	const [{ n }] = await sql(`SELECT count(*) - count(DISTINCT id) AS n FROM ${table}`);

	if (Number(n))
		console.log(`${table}: ${n} rows have the id of others`);
	differences += Number(n);
}
console.log(`${count} rows`);
process.exit(differences ? 1 : 0);
