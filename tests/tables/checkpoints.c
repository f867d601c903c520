// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * checkpoints LOG EVENTS - reads a log as tables from each of its checkpoints, EVENTS apart
 *
 * The rows must be those that come after this place when the log is read from its start.
 */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/index/file.h"
#include "lib/tables/checkpoint.h"
#include "../support/xorshift.h"

/* Not the tables that each reading emits before its first event */
#define WANTED	(TABLES_ALL & ~(UINT32_C(1) << TABLE_META | UINT32_C(1) << TABLE_CLOCK))

/* Damaged copies of each checkpoint */
#define DAMAGED	8
/* Half of the damage is in the first bytes: counts and CPUs */
#define FRONT	2048

struct blob {
	void *bytes;
	size_t length;
};

/* Hashes of rows, in their order */
struct rows {
	uint64_t *at;
	size_t count;
	size_t capacity;
};

static struct blob *blobs;
static size_t blob_count, blob_capacity;
static struct dictionary dictionary;

static void fail(const char *what)
{
	fprintf(stderr, "checkpoints: %s\n", what);
	exit(1);
}

static int take_blob(void *arg, uint64_t *offset, const void *bytes, size_t length)
{
	struct blob blob = { malloc(length), length };

	(void)arg;
	memcpy(blob.bytes, bytes, length);
	if (array_reserve(&blobs, &blob_capacity, blob_count, sizeof(*blobs)))
		abort();
	*offset = blob_count;
	blobs[blob_count++] = blob;
	return 0;
}

static int tell(void *arg, uint64_t bytes)
{
	(void)arg;
	(void)bytes;
	return 0;
}

static uint64_t hash(uint64_t hash, const void *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* Strings are hashed by their text, because readings number them differently. */
static int take_row(void *context, enum table_number number, const int64_t *values, uint32_t nulls)
{
	const struct table *table = &tables_list[number];
	uint64_t sum = hash(UINT64_C(0xcbf29ce484222325), &number, sizeof(number));
	struct rows *rows = context;

	/* The idle task's row comes at the begin of each reading. */
	if ((number == TABLE_THREAD || number == TABLE_PROCESS) && !values[0])
		return 0;
	for (unsigned int i = 0; i < table->column_count; i++) {
		bool null = nulls >> i & 1;

		sum = hash(sum, &null, sizeof(null));
		if (null)
			continue;
		if (table->columns[i].type == TABLE_STRING) {
			struct dictionary_text text = dictionary_text(&dictionary, values[i]);

			sum = hash(sum, text.bytes, text.length);
		} else {
			sum = hash(sum, &values[i], sizeof(values[i]));
		}
	}
	if (array_reserve(&rows->at, &rows->capacity, rows->count, sizeof(*rows->at)))
		abort();
	rows->at[rows->count++] = sum;
	return 0;
}

static struct tables *new_tables(struct evtlog_file *file, struct tables_numbers *numbers,
				 struct rows *rows)
{
	struct tables *tables;

	memset(numbers, 0, sizeof(*numbers));
	if (tables_new(&(struct tables_options) {
		.file = file, .host = "n", .to_ns = UINT64_MAX, .wanted = WANTED,
		.dictionary = &dictionary, .numbers = numbers, .row = take_row, .context = rows,
	}, &tables))
		fail("the log can not be read");
	return tables;
}

static void read_on(struct tables *tables)
{
	int result;

	while ((result = tables_next(tables, 1000)) > 0)
		;
	if (result)
		fail("the log can not be read");
}

/* Reads until only events from @time_ns on are left. */
static void read_until(struct tables *tables, uint64_t time_ns)
{
	uint64_t next_ns;

	while (tables_peek(tables, &next_ns) > 0 && next_ns < time_ns)
		if (tables_next(tables, 1) <= 0)
			fail("there is no such time");
}

static void compare(struct evtlog_file *file, const struct blob *blob, const struct rows *all,
		    size_t before)
{
	struct tables_numbers numbers;
	struct rows rows = { 0 };
	struct tables *tables = new_tables(file, &numbers, &rows);

	for (size_t length = 0; length < blob->length; length += 1 + blob->length / 7)
		if (tables_restore(tables, blob->bytes, length) != -EBADMSG)
			fail("it goes to a part of a checkpoint");
	if (tables_restore(tables, blob->bytes, blob->length))
		fail("a checkpoint is refused");
	read_on(tables);
	if (rows.count != all->count - before)
		fail("other numbers of rows come from a checkpoint on");
	for (size_t i = 0; i < rows.count; i++)
		if (rows.at[i] != all->at[before + i])
			fail("another row comes from a checkpoint on");
	tables_free(tables);
	free(rows.at);
}

/* Whatever the bytes are, all accesses must be valid: the sanitizers check them. */
static unsigned int try_damaged(struct evtlog_file *file, const struct blob *blob, uint64_t *state)
{
	struct tables_numbers numbers;
	struct rows rows = { 0 };
	struct tables *tables = new_tables(file, &numbers, &rows);
	uint8_t *bytes = malloc(blob->length);
	size_t front = blob->length < FRONT ? blob->length : FRONT;
	unsigned int taken;

	memcpy(bytes, blob->bytes, blob->length);
	for (unsigned int i = 1 + xorshift(state) % 3; i; i--)
		bytes[xorshift(state) % (xorshift(state) % 2 ? front : blob->length)] =
			xorshift(state) % 3 ? xorshift(state) : 255;
	taken = !tables_restore(tables, bytes, blob->length);
	if (taken)
		read_on(tables);
	tables_free(tables);
	free(bytes);
	free(rows.at);
	return taken;
}

/* A checkpoint with this 32-bit number changed must be refused. */
static void refuse(struct evtlog_file *file, const struct blob *blob, size_t offset, uint32_t number)
{
	struct tables_numbers numbers;
	struct rows rows = { 0 };
	struct tables *tables = new_tables(file, &numbers, &rows);
	char *bytes = malloc(blob->length);

	memcpy(bytes, blob->bytes, blob->length);
	memcpy(bytes + offset, &number, sizeof(number));
	if (tables_restore(tables, bytes, blob->length) != -EBADMSG)
		fail("it takes the idle task to be another");
	tables_free(tables);
	free(bytes);
}

static size_t padded(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

/* The idle task and the unknown task, to which all events of unknown tasks belong */
static unsigned int refuse_first(struct evtlog_file *file, const struct blob *blob)
{
	struct checkpoint_saved saved;
	size_t tasks, states;

	memcpy(&saved, blob->bytes, sizeof(saved));
	tasks = sizeof(saved) + padded(saved.cpus * sizeof(struct cpu));
	states = tasks + padded(saved.tasks * sizeof(struct task)) +
		 padded(saved.cpus * sizeof(struct replay_cpu));
	for (unsigned int i = 0; i <= REPLAY_IDLE; i++) {
		size_t task = tasks + i * sizeof(struct task);
		size_t state = states + i * sizeof(struct replay_task);

		refuse(file, blob, task + offsetof(struct task, process), 0x7fffffff);
		refuse(file, blob, task + offsetof(struct task, utid), 1);
		refuse(file, blob, state + offsetof(struct replay_task, heir), 0x7fffffff);
		refuse(file, blob, state + offsetof(struct replay_task, pid), 0x7fffffff);
		refuse(file, blob, state + offsetof(struct replay_task, cpu), 0x7fffffff);
	}
	refuse(file, blob, offsetof(struct checkpoint_saved, free), REPLAY_IDLE);
	if (saved.free)
		refuse(file, blob, states + saved.free * sizeof(struct replay_task) +
		       offsetof(struct replay_task, heir), REPLAY_IDLE);
	return saved.free > 0;
}

int main(int argc, char **argv)
{
	struct index_checkpoints_step step = { .share = 0 };
	struct index_checkpoints checkpoints = { 0 };
	struct tables_numbers numbers;
	struct rows all = { 0 };
	struct evtlog_file *file;
	uint64_t state = 88172645463325252;
	unsigned int taken = 0, frees = 0;
	struct tables *tables;
	size_t *before;

	if (argc != 3 || evtlog_open(argv[1], &file, NULL))
		return 2;
	step.events = strtoull(argv[2], NULL, 10);
	if (index_checkpoints_make(file, &step, &checkpoints, take_blob, tell, NULL))
		fail("no checkpoints can be made");
	before = calloc(checkpoints.count + 1, sizeof(*before));
	tables = new_tables(file, &numbers, &all);
	for (size_t i = 0; i < checkpoints.count; i++) {
		read_until(tables, checkpoints.at[i].time_ns);
		before[i] = all.count;
	}
	read_on(tables);
	tables_free(tables);
	for (size_t i = 0; i < checkpoints.count; i++)
		compare(file, &blobs[i], &all, before[i]);
	for (size_t i = 0; i < DAMAGED * checkpoints.count; i++)
		taken += try_damaged(file, &blobs[i / DAMAGED], &state);
	for (size_t i = 0; i < checkpoints.count; i++)
		frees += refuse_first(file, &blobs[i]);
	printf("%zu checkpoints, %zu rows, %u damaged ones are taken, %u have free numbers\n",
	       checkpoints.count, all.count, taken, frees);
	for (size_t i = 0; i < blob_count; i++)
		free(blobs[i].bytes);
	free(blobs);
	free(before);
	free(all.at);
	free(checkpoints.at);
	dictionary_free(&dictionary);
	evtlog_close(file);
	return 0;
}
