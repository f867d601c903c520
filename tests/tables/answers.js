// SPDX-License-Identifier: GPL-2.0-or-later
//
// answers.js DIR SCHEMA - prints DuckDB's rows of each query on an export, as a line of JSON. Standard
// input is an array of queries. SCHEMA is main, or systing, which has systing's own tables.
import fs from 'node:fs';
import { open } from './engine.js';

const queries = JSON.parse(fs.readFileSync(0, 'utf8'));
const sql = await open(process.argv[2]);

await sql(`USE ${process.argv[3]}`);
for (const query of queries)
	console.log(JSON.stringify(await sql.rows(query).catch((error) => ({ error: error.message }))));
