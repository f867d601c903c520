// SPDX-License-Identifier: GPL-2.0-or-later
//
// DuckDB on the tables of an export: open(DIR) returns a function that takes a query and returns
// rows as objects; its .rows returns arrays. 64-bit numbers are BigInts or strings.
import fs from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

export async function open(dir, threads = 2) {
	const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
	const connection = await instance.connect();
	const sql = async (query) => (await connection.runAndReadAll(query)).getRowObjectsJson();

	sql.rows = async (query) => (await connection.runAndReadAll(query)).getRowsJson();
	// The paths in views.sql are relative.
	process.chdir(dir);
	const text = fs.readFileSync(path.join(dir, 'views.sql'), 'utf8').replace(/--.*/g, '');
	for (const statement of text.split(';'))
		if (statement.trim())
			await sql(statement);
	return sql;
}
