// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Divides the rows of a table into pages and row groups.
 */
#include "rows.h"

/* A page with fewer rows also takes rows of the next host. */
#define PAGE_ROWS_OF_HOST	(PAGE_ROWS / 2)

int rows_open(struct rows *rows, const struct table *table, const char *path, int64_t part_ns)
{
	*rows = (struct rows) {
		.table = table, .part_ns = part_ns,
		.floor = INT64_MIN, .latest = INT64_MIN, .begin = INT64_MAX,
	};
	for (unsigned int i = 0; i < table->column_count; i++) {
		rows->in_time.columns[i] = (struct column) { .is = &table->columns[i], .round = 1 };
		rows->late.columns[i] = rows->in_time.columns[i];
		rows->has_once |= table->columns[i].once;
	}
	return parquet_file_open(&rows->file, table, path);
}

static void free_group(struct row_group *group)
{
	free(group->staged);
	free(group->nulls);
	for (unsigned int i = 0; i < FILE_COLUMNS; i++)
		column_free(&group->columns[i]);
	memset(group, 0, sizeof(*group));
}

void rows_discard(struct rows *rows)
{
	free_group(&rows->in_time);
	free_group(&rows->late);
	parquet_file_discard(&rows->file);
}

/* ---- Order ---- */

struct place {
	int64_t time;
	uint32_t row;
};

/* Merges pairs of sorted parts of @width places. */
static void merge(const struct place *from, struct place *to, unsigned int count,
		  unsigned int width)
{
	for (unsigned int begin = 0; begin < count; begin += 2 * width) {
		unsigned int one = begin, middle = begin + width, end = begin + 2 * width, other;

		middle = middle < count ? middle : count;
		end = end < count ? end : count;
		other = middle;
		/* No branch, because it would be mispredicted often. */
		while (one < middle && other < end) {
			bool later = from[other].time < from[one].time;
			const struct place *next = later ? &from[other] : &from[one];

			*to++ = *next;
			other += later;
			one += !later;
		}
		memcpy(to, from + one, (middle - one) * sizeof(*to));
		to += middle - one;
		memcpy(to, from + other, (end - other) * sizeof(*to));
		to += end - other;
	}
}

#define PART	16

static void sort_part(struct place *places, unsigned int count)
{
	for (unsigned int i = 1; i < count; i++) {
		struct place place = places[i];
		unsigned int at = i;

		for (; at && places[at - 1].time > place.time; at--)
			places[at] = places[at - 1];
		places[at] = place;
	}
}

/* Limit on keys, which are ids of strings; with larger keys, rows are not sorted. */
#define KEYS	4096

/* Sorts rows by key; rows with the same key keep their order.  Returns false if not sorted. */
static bool sort_by_key(const struct rows *rows, const struct row_group *group, uint32_t *order)
{
	const int64_t *keys = group->staged + rows->table->key * PAGE_ROWS;
	uint32_t places[KEYS + 1] = { 0 };

	for (unsigned int i = 0; i < group->count; i++) {
		if (keys[i] < 0 || keys[i] >= KEYS)
			return false;
		places[keys[i] + 1]++;
	}
	for (unsigned int i = 1; i < KEYS; i++)
		places[i] += places[i - 1];
	for (unsigned int i = 0; i < group->count; i++)
		order[places[keys[i]]++] = i;
	return true;
}

/* Sorts rows by time or key; equal rows keep their order.  Returns false if @order is unused. */
static bool sort(const struct rows *rows, const struct row_group *group, uint32_t *order)
{
	static struct place places[2][PAGE_ROWS];
	const int64_t *times = group->staged + rows->table->time * PAGE_ROWS;
	unsigned int in = 0;
	bool sorted = true;

	if (rows->table->key >= 0)
		return sort_by_key(rows, group, order);
	if (rows->table->time < 0)
		return false;
	for (unsigned int i = 0; i < group->count; i++) {
		places[0][i] = (struct place) { times[i], i };
		sorted &= !i || times[i - 1] <= times[i];
	}
	if (sorted)
		return false;
	for (unsigned int i = 0; i < group->count; i += PART)
		sort_part(places[0] + i, group->count - i < PART ? group->count - i : PART);
	for (unsigned int width = PART; width < group->count; width *= 2, in ^= 1)
		merge(places[in], places[in ^ 1], group->count, width);
	for (unsigned int i = 0; i < group->count; i++)
		order[i] = places[in][i].row;
	return true;
}

/* ---- Pages and row groups ---- */

static int put_page(struct rows *rows, struct row_group *group, struct page_maker *maker)
{
	static uint32_t order[PAGE_ROWS];
	struct page page = { .nulls = group->nulls, .count = group->count, .all = UINT32_MAX };
	int error = 0;

	if (!group->count)
		return 0;
	if (sort(rows, group, order))
		page.order = order;
	for (unsigned int i = 0; i < group->count; i++) {
		page.some |= group->nulls[i];
		page.all &= group->nulls[i];
	}
	group->bytes = 0;
	for (unsigned int i = 0; i < rows->table->column_count && !error; i++) {
		struct column *column = &group->columns[i];

		page.values = group->staged + i * PAGE_ROWS;
		error = column_put(column, maker, &page, i);
		group->bytes += column->pages.capacity;
	}
	group->rows += group->count;
	group->count = 0;
	return error;
}

static int write_group(struct rows *rows, struct row_group *group, struct page_maker *maker)
{
	int error = put_page(rows, group, maker);

	if (error || !group->rows)
		return error;
	error = parquet_file_group(&rows->file, maker, group->columns, group->rows);
	for (unsigned int i = 0; i < rows->table->column_count; i++)
		column_clear(&group->columns[i]);
	group->rows = 0;
	group->bytes = 0;
	if (group == &rows->in_time) {
		rows->floor = rows->latest;
		rows->begin = INT64_MAX;
	}
	return error;
}

int rows_flush(struct rows *rows, struct page_maker *maker)
{
	return write_group(rows, rows->late.bytes > rows->in_time.bytes ? &rows->late :
			   &rows->in_time, maker);
}

int rows_next_host(struct rows *rows, struct page_maker *maker)
{
	struct row_group *groups[] = { &rows->in_time, &rows->late };
	int error = 0;

	for (unsigned int i = 0; i < 2 && !error; i++) {
		struct row_group *group = groups[i];

		if (group->rows + group->count >= GROUP_ROWS_MIN)
			error = write_group(rows, group, maker);
		else if (group->count >= PAGE_ROWS_OF_HOST)
			error = put_page(rows, group, maker);
	}
	rows->floor = INT64_MIN;
	rows->latest = INT64_MIN;
	rows->begin = INT64_MAX;
	return error;
}

/* ---- Rows ---- */

static int make_room(const struct rows *rows, struct row_group *group)
{
	group->staged = calloc(PAGE_ROWS, rows->table->column_count * sizeof(*group->staged));
	group->nulls = calloc(PAGE_ROWS, sizeof(*group->nulls));
	return group->staged && group->nulls ? 0 : -ENOMEM;
}

/* Copies strings that the dictionary holds for one row only.  Returns 0 or -ENOMEM. */
static int keep_texts(const struct rows *rows, struct row_group *group,
		      const struct dictionary *dictionary, int64_t *values, uint32_t nulls)
{
	for (unsigned int i = 0; i < rows->table->column_count; i++) {
		struct bytes *texts = &group->columns[i].text;
		struct dictionary_text text;
		uint32_t length;

		if (!rows->table->columns[i].once || nulls >> i & 1)
			continue;
		text = dictionary_text(dictionary, values[i * PAGE_ROWS]);
		length = text.length;
		values[i * PAGE_ROWS] = texts->count;
		bytes_put(texts, &length, sizeof(length));
		bytes_put(texts, text.bytes, text.length);
		if (texts->error)
			return texts->error;
	}
	return 0;
}

static bool is_full(const struct rows *rows, const struct row_group *group)
{
	if (group == &rows->late || group->rows < GROUP_ROWS_MIN)
		return group->rows >= GROUP_ROWS;
	return group->rows >= GROUP_ROWS || (rows->begin < rows->latest &&
					     rows->latest - rows->begin >= rows->part_ns);
}

int rows_put(struct rows *rows, struct page_maker *maker, const int64_t *values, uint32_t nulls)
{
	const unsigned int columns = rows->table->column_count;
	struct row_group *group = &rows->in_time;
	int error = 0;
	int64_t *to;

	if (rows->table->time >= 0) {
		int64_t time = values[rows->table->time];

		if (__builtin_expect(time < rows->floor, 0))
			group = &rows->late;
		else if (time > rows->latest)
			rows->latest = time;
		if (__builtin_expect(time < rows->begin, 0) && group == &rows->in_time)
			rows->begin = time;
	}
	if (__builtin_expect(!group->staged, 0) && make_room(rows, group))
		return -ENOMEM;
	to = group->staged + group->count;
	for (unsigned int i = 0; i < columns; i++)
		to[i * PAGE_ROWS] = values[i];
	group->nulls[group->count] = nulls;
	if (rows->has_once)
		error = keep_texts(rows, group, maker->dictionary, to, nulls);
	if (__builtin_expect(error, 0))
		return error;
	if (__builtin_expect(++group->count < PAGE_ROWS, 1))
		return 0;
	error = put_page(rows, group, maker);
	if (!error && is_full(rows, group))
		error = write_group(rows, group, maker);
	return error;
}

int rows_finish(struct rows *rows, struct page_maker *maker, const struct parquet_note *notes,
		size_t count)
{
	int error = write_group(rows, &rows->in_time, maker);

	if (!error)
		error = write_group(rows, &rows->late, maker);
	return error ? error : parquet_file_finish(&rows->file, notes, count);
}
