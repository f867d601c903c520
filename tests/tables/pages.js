// SPDX-License-Identifier: GPL-2.0-or-later
//
// pages.js DIR - the page index of an export's files, which hyparquet reads, agrees with what
// DuckDB finds in these rows, and with the head of each page. Prints a line per difference, and at
// the end the number of pages.
import fs from 'node:fs';
import { parquetMetadata, readColumnIndex, readOffsetIndex } from 'hyparquet';
import { deserializeTCompactProtocol } from './node_modules/hyparquet/src/thrift.js';
import { open } from './engine.js';

const sql = await open(process.argv[2]);
let differences = 0, count = 0;

function differ(what) {
	console.log(what);
	differences++;
}

function part(bytes, offset, length) {
	return { view: new DataView(bytes.buffer, bytes.byteOffset + Number(offset), length), offset: 0 };
}

// Pages follow each other without gaps. Each has as many values as there are rows up to the next
// page.
function checkPlaces(what, bytes, chunk, places, rows) {
	let offset = chunk.meta_data.data_page_offset;

	places.forEach((place, i) => {
		const reader = part(bytes, place.offset, place.compressed_page_size);
		const head = deserializeTCompactProtocol(reader);
		const next = places[i + 1]?.first_row_index ?? BigInt(rows);

		if (place.offset !== offset)
			differ(`${what}: page ${i} is at ${place.offset}, not ${offset}`);
		if (reader.offset + head.field_3 !== place.compressed_page_size)
			differ(`${what}: page ${i} has ${reader.offset + head.field_3} bytes`);
		if (BigInt(head.field_5.field_1) !== next - place.first_row_index)
			differ(`${what}: page ${i} has ${head.field_5.field_1} rows`);
		offset += BigInt(place.compressed_page_size);
	});
	if (offset !== BigInt(chunk.meta_data.dictionary_page_offset ?? chunk.meta_data.data_page_offset) +
			chunk.meta_data.total_compressed_size)
		differ(`${what}: its pages end at ${offset}`);
	count += places.length;
}

async function checkRanges(file, column, pages) {
	const starts = pages.map(({ start }) => `(${start})`).join(',');
	const rows = await sql(`SELECT page.start, min(value) AS least, max(value) AS most,
			count(*) - count(value) AS nulls
		FROM (SELECT file_row_number AS row, ${column} AS value
			FROM read_parquet('${file}', file_row_number = true))
		ASOF JOIN (VALUES ${starts}) page(start) ON row >= page.start
		GROUP BY page.start ORDER BY page.start`);

	if (rows.length !== pages.length)
		differ(`${file}: ${column}: ${rows.length} pages`);
	rows.forEach((row, i) => {
		const { least, most, nulls, order, before } = pages[i];

		if (String(row.least) !== String(least ?? null) || String(row.most) !== String(most ?? null) ||
				String(row.nulls) !== String(nulls))
			differ(`${file}: ${column}: page ${i}: ${least} to ${most}, ${nulls} NULLs, are said; ` +
				`true: ${JSON.stringify(row)}`);
		if (order === 'ASCENDING' && before && (before.least > least || before.most > most))
			differ(`${file}: ${column}: page ${i} is not behind the one before it`);
	});
}

for (const file of fs.readdirSync('.').filter((name) => name.endsWith('.parquet'))) {
	const bytes = fs.readFileSync(file);
	const metadata = parquetMetadata(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
	const ranges = new Map();
	let begin = 0n;

	for (const group of metadata.row_groups) {
		group.columns.forEach((chunk, i) => {
			const column = chunk.meta_data.path_in_schema[0];
			const { page_locations: places } = readOffsetIndex(part(bytes, chunk.offset_index_offset,
				chunk.offset_index_length));

			checkPlaces(`${file}: ${column}`, bytes, chunk, places, group.num_rows);
			if (!chunk.column_index_offset)
				return;
			const index = readColumnIndex(part(bytes, chunk.column_index_offset,
				chunk.column_index_length), metadata.schema[i + 1]);
			const pages = places.map((place, at) => ({
				start: begin + place.first_row_index,
				least: index.null_pages[at] ? null : index.min_values[at],
				most: index.null_pages[at] ? null : index.max_values[at],
				nulls: index.null_counts[at], order: index.boundary_order,
			}));
			pages.forEach((page, at) => {
				page.before = pages[at - 1];
			});
			ranges.set(column, [...ranges.get(column) ?? [], ...pages]);
		});
		begin += group.num_rows;
	}
	for (const [column, pages] of ranges)
		await checkRanges(file, column, pages);
}
console.log(`${count} pages`);
process.exit(differences ? 1 : 0);
