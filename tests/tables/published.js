// SPDX-License-Identifier: GPL-2.0-or-later
//
// published.js DIR SCHEMA FILE... - prints the rows of each file's query on an export, a line of
// JSON per file. SCHEMA is main, or systing, which has systing's own tables.
import fs from 'node:fs';
import { open } from './engine.js';

const [dir, schema, ...files] = process.argv.slice(2);
const queries = files.map((file) => fs.readFileSync(file, 'utf8'));
const sql = await open(dir);

await sql(`USE ${schema}`);
for (const query of queries)
	console.log(JSON.stringify(await sql.rows(query)));
