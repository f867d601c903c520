// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sorts rows by a column: in memory, then in runs in a file, which are merged.
 *
 * SQLite's sorter makes a record of each row and compares records.  Here a row is a few numbers,
 * sorted by radix; one digit is enough for keys in a small range.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cursor.h"
#include "lib/base/io.h"

/* Memory for rows, and for the pieces of all runs while they are merged */
#define MEMORY_BYTES	((size_t)4 << 20)
/* Smallest piece of a run */
#define PIECE_BYTES	((size_t)4 << 10)
#define BLOCK_ROWS	1024

#define DIGIT_BITS	11
#define DIGITS		(1u << DIGIT_BITS)

/* A row has its NULL bits, the key, and then the other used columns. */
enum { NULLS, KEY };

/*
 * Sorted rows in the file.
 * @offset:	offset of the @left rows after @piece
 * @piece:	@count rows in memory; @at: the next of them
 */
struct run {
	uint64_t offset;
	size_t left;
	int64_t *piece;
	size_t count;
	size_t at;
};

/*
 * @columns:	column of the table for each number of a row from KEY on; @width: numbers in a row
 * @rows:	@count rows in memory, of at most @capacity
 * @order:	sorted indices into @rows; @other: a second array for sorting
 * @at:		next index in @order
 * @staged:	buffer of rows to write
 * @fd:		file with @end bytes; -1 if not needed so far
 * @runs:	@run_count runs, in the order in which their rows were added
 * @heap:	heap of the @heap_count runs that have rows; the run with the next row is first
 */
struct grouped {
	unsigned int columns[TABLE_COLUMNS_MAX + 2];
	unsigned int width;
	unsigned int table_columns;
	int64_t *rows;
	size_t count;
	size_t capacity;
	uint32_t *order;
	uint32_t *other;
	size_t at;
	int64_t *staged;
	int fd;
	uint64_t end;
	struct run *runs;
	size_t run_count;
	size_t piece_rows;
	size_t *heap;
	size_t heap_count;
};

static size_t row_bytes(const struct grouped *grouped)
{
	return grouped->width * sizeof(*grouped->rows);
}

static const int64_t *row_at(const struct grouped *grouped, size_t place)
{
	return grouped->rows + place * grouped->width;
}

/* Returns false if the key is NULL. */
static bool has_key(const int64_t *row)
{
	return !(row[NULLS] & 1);
}

/* The key as an unsigned number, in the order of the signed keys; 0 for NULL */
static uint64_t key_of(const int64_t *row)
{
	return has_key(row) ? (uint64_t)row[KEY] ^ UINT64_C(1) << 63 : 0;
}

int grouped_new(struct grouped **groupedp, const struct table *table, unsigned int key,
		uint32_t used, unsigned int more)
{
	struct grouped *grouped = calloc(1, sizeof(*grouped));

	*groupedp = grouped;
	if (!grouped)
		return -ENOMEM;
	grouped->fd = -1;
	grouped->table_columns = table->column_count;
	grouped->columns[KEY] = key;
	grouped->width = KEY + 1;
	for (unsigned int i = 0; i < table->column_count; i++)
		if (i != key && used >> i & 1)
			grouped->columns[grouped->width++] = i;
	for (unsigned int i = 0; i < more; i++)
		grouped->columns[grouped->width++] = table->column_count + i;
	grouped->capacity = MEMORY_BYTES / row_bytes(grouped);
	grouped->rows = malloc(grouped->capacity * row_bytes(grouped));
	grouped->order = calloc(grouped->capacity, sizeof(*grouped->order));
	grouped->other = calloc(grouped->capacity, sizeof(*grouped->other));
	grouped->staged = calloc(BLOCK_ROWS, row_bytes(grouped));
	return grouped->rows && grouped->order && grouped->other && grouped->staged ? 0 : -ENOMEM;
}

static void free_rows(struct grouped *grouped)
{
	free(grouped->rows);
	free(grouped->order);
	free(grouped->other);
	free(grouped->staged);
	grouped->rows = NULL;
	grouped->order = grouped->other = NULL;
	grouped->staged = NULL;
}

void grouped_free(struct grouped *grouped)
{
	if (!grouped)
		return;
	free_rows(grouped);
	for (size_t i = 0; i < grouped->run_count; i++)
		free(grouped->runs[i].piece);
	free(grouped->runs);
	free(grouped->heap);
	if (grouped->fd >= 0)
		close(grouped->fd);
	free(grouped);
}

/* ---- In memory ---- */

/* Sorts rows by one digit of the key; rows with the same digit keep their order. */
static void sort_by(struct grouped *grouped, uint64_t least, unsigned int shift)
{
	uint32_t starts[DIGITS + 1] = { 0 }, *order = grouped->other;

	for (size_t i = 0; i < grouped->count; i++)
		starts[((key_of(row_at(grouped, i)) - least) >> shift) % DIGITS + 1]++;
	for (unsigned int i = 1; i < DIGITS; i++)
		starts[i] += starts[i - 1];
	for (size_t i = 0; i < grouped->count; i++) {
		uint32_t place = grouped->order[i];
		uint64_t digit = (key_of(row_at(grouped, place)) - least) >> shift;

		order[starts[digit % DIGITS]++] = place;
	}
	grouped->other = grouped->order;
	grouped->order = order;
}

/* Moves rows with the key NULL to the front. */
static void put_nulls_first(struct grouped *grouped)
{
	size_t to = 0;

	for (int keys = 0; keys < 2; keys++)
		for (size_t i = 0; i < grouped->count; i++)
			if (has_key(row_at(grouped, grouped->order[i])) == keys)
				grouped->other[to++] = grouped->order[i];
	memcpy(grouped->order, grouped->other, to * sizeof(*grouped->order));
}

static void sort(struct grouped *grouped)
{
	uint64_t least = UINT64_MAX, most = 0;
	bool nulls = false;

	for (size_t i = 0; i < grouped->count; i++) {
		uint64_t key = key_of(row_at(grouped, i));

		grouped->order[i] = i;
		if (!has_key(row_at(grouped, i))) {
			nulls = true;
			continue;
		}
		if (key < least)
			least = key;
		if (key > most)
			most = key;
	}
	for (unsigned int shift = 0; shift < 64 && most > least && (most - least) >> shift;
	     shift += DIGIT_BITS)
		sort_by(grouped, least, shift);
	if (nulls)
		put_nulls_first(grouped);
	grouped->at = 0;
}

static int write_run(struct grouped *grouped)
{
	struct run *runs = reallocarray(grouped->runs, grouped->run_count + 1, sizeof(*runs));
	size_t bytes = row_bytes(grouped), staged = 0;
	int error = 0;

	if (!runs)
		return -ENOMEM;
	grouped->runs = runs;
	runs[grouped->run_count++] = (struct run) { .offset = grouped->end, .left = grouped->count };
	if (grouped->fd < 0)
		grouped->fd = nameless_file();
	if (grouped->fd < 0)
		return grouped->fd;
	sort(grouped);
	for (size_t i = 0; !error && i < grouped->count; i++) {
		memcpy(grouped->staged + staged++ * grouped->width,
		       row_at(grouped, grouped->order[i]), bytes);
		if (staged < BLOCK_ROWS && i + 1 < grouped->count)
			continue;
		error = io_write_at(grouped->fd, grouped->staged, staged * bytes, grouped->end);
		grouped->end += staged * bytes;
		staged = 0;
	}
	grouped->count = 0;
	return error;
}

int grouped_add(struct grouped *grouped, const int64_t *values, uint32_t nulls)
{
	int64_t *row;
	int error;

	if (__builtin_expect(grouped->count == grouped->capacity, 0)) {
		error = write_run(grouped);
		if (error)
			return error;
	}
	row = grouped->rows + grouped->count++ * grouped->width;
	/* The lowest bit is set if the key is NULL. */
	row[NULLS] = (int64_t)nulls << 1 | (nulls >> grouped->columns[KEY] & 1);
	for (unsigned int i = KEY; i < grouped->width; i++)
		row[i] = values[grouped->columns[i]];
	return 0;
}

/* ---- Runs ---- */

static int fill_piece(struct grouped *grouped, struct run *run)
{
	size_t count = run->left < grouped->piece_rows ? run->left : grouped->piece_rows;
	size_t bytes = count * row_bytes(grouped);
	ssize_t got = io_read_at(grouped->fd, run->piece, bytes, run->offset);

	run->at = 0;
	run->count = count;
	run->left -= count;
	run->offset += bytes;
	if (got < 0)
		return got;
	return (size_t)got == bytes ? 0 : -EIO;
}

static const int64_t *head_of(const struct grouped *grouped, size_t run)
{
	const struct run *of = &grouped->runs[run];

	return of->piece + of->at * grouped->width;
}

static bool comes_before(const struct grouped *grouped, size_t a, size_t b)
{
	const int64_t *x = head_of(grouped, a), *y = head_of(grouped, b);

	if (has_key(x) != has_key(y))
		return !has_key(x);
	if (key_of(x) != key_of(y))
		return key_of(x) < key_of(y);
	return a < b;
}

static void sift_down(struct grouped *grouped, size_t at)
{
	size_t *heap = grouped->heap, run = heap[at], child;

	for (; (child = 2 * at + 1) < grouped->heap_count; at = child) {
		if (child + 1 < grouped->heap_count &&
		    comes_before(grouped, heap[child + 1], heap[child]))
			child++;
		if (!comes_before(grouped, heap[child], run))
			break;
		heap[at] = heap[child];
	}
	heap[at] = run;
}

static int start_merge(struct grouped *grouped)
{
	size_t bytes = MEMORY_BYTES / grouped->run_count;
	int error = 0;

	free_rows(grouped);
	grouped->piece_rows = (bytes > PIECE_BYTES ? bytes : PIECE_BYTES) / row_bytes(grouped);
	grouped->heap = calloc(grouped->run_count, sizeof(*grouped->heap));
	if (!grouped->heap)
		return -ENOMEM;
	for (size_t i = 0; !error && i < grouped->run_count; i++) {
		grouped->runs[i].piece = calloc(grouped->piece_rows, row_bytes(grouped));
		if (!grouped->runs[i].piece)
			return -ENOMEM;
		error = fill_piece(grouped, &grouped->runs[i]);
		grouped->heap[grouped->heap_count++] = i;
	}
	for (size_t i = grouped->heap_count / 2; !error && i--;)
		sift_down(grouped, i);
	return error;
}

int grouped_end(struct grouped *grouped)
{
	int error;

	if (!grouped->run_count) {
		sort(grouped);
		return 0;
	}
	error = grouped->count ? write_run(grouped) : 0;
	return error ? error : start_merge(grouped);
}

/* Removes the next row of the first run from the heap. */
static int advance(struct grouped *grouped)
{
	struct run *run = &grouped->runs[*grouped->heap];
	const int64_t *taken = run->piece + run->at * grouped->width;
	int error = 0;

	/* Usually the next row has the same key, so the run stays first. */
	if (++run->at < run->count && key_of(taken + grouped->width) == key_of(taken) &&
	    has_key(taken + grouped->width) == has_key(taken))
		return 0;
	if (run->at == run->count)
		error = fill_piece(grouped, run);
	if (!run->count)
		*grouped->heap = grouped->heap[--grouped->heap_count];
	if (!error && grouped->heap_count)
		sift_down(grouped, 0);
	return error;
}

/* ---- Output ---- */

static void put_row(const struct grouped *grouped, const int64_t *row, struct row_block *to)
{
	int64_t *values = to->values + to->rows * to->columns;

	for (unsigned int i = KEY; i < grouped->width; i++)
		values[grouped->columns[i]] = row[i];
	to->nulls[to->rows++] = row[NULLS] >> 1;
}

int grouped_next(struct grouped *grouped, struct row_block *to)
{
	int error = block_reserve(to, BLOCK_ROWS);

	block_empty(to);
	while (!error && to->rows < BLOCK_ROWS) {
		if (!grouped->run_count) {
			if (grouped->at == grouped->count)
				break;
			put_row(grouped, row_at(grouped, grouped->order[grouped->at++]), to);
		} else {
			if (!grouped->heap_count)
				break;
			put_row(grouped, head_of(grouped, *grouped->heap), to);
			error = advance(grouped);
		}
	}
	return error;
}
