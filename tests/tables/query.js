// SPDX-License-Identifier: GPL-2.0-or-later
//
// query.js DIR QUERY... - prints the first value of each query's first row, one per line
import { open } from './engine.js';

const [dir, ...queries] = process.argv.slice(2);
const sql = await open(dir);

for (const query of queries)
	console.log(String(Object.values((await sql(query))[0] ?? { none: '' })[0]));
