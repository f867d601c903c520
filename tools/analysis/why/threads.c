// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads of logs by utid, and their names over time.
 *
 * Rows of a name come when the name ends, so names are looked up after reading.  Memory grows with
 * the number of threads and names, not with that of events.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "why.h"

enum { NAME_TS, NAME_DUR, NAME_UTID, NAME_NAME };
enum { THREAD_UTID, THREAD_TID, THREAD_NAME, THREAD_END = 5 };

void why_threads_free(struct threads *threads)
{
	for (size_t i = 0; i < threads->count; i++) {
		free(threads->at[i].rest);
		free(threads->at[i].fitting.at);
		free(threads->at[i].waits.at);
	}
	free(threads->at);
	free(threads->names);
	key_table_free(&threads->by_utid);
}

struct thread *why_threads_find(const struct threads *threads, int64_t utid)
{
	uint32_t number = key_table_find(&threads->by_utid, utid);

	return number == KEY_NONE ? NULL : &threads->at[number];
}

struct thread *why_threads_of(struct threads *threads, size_t log, int64_t utid)
{
	struct thread *thread = why_threads_find(threads, utid);

	if (thread)
		return thread;
	if (array_reserve(&threads->at, &threads->capacity, threads->count, sizeof(*threads->at)) ||
	    key_table_add(&threads->by_utid, utid, threads->count))
		return NULL;
	thread = &threads->at[threads->count++];
	*thread = (struct thread) { .utid = utid, .log = log, .name = TEXT_UNKNOWN };
	return thread;
}

/* Keeps a text of one row. */
static int64_t keep(struct dictionary *dictionary, int64_t text)
{
	struct dictionary_text once = dictionary_text(dictionary, text);

	return text < TABLES_TEXT_ONCE ? text :
	       dictionary_add(dictionary, once.bytes, once.length);
}

int why_threads_take_name(struct threads *threads, size_t log, struct dictionary *dictionary,
		      const int64_t *values)
{
	struct thread *thread = why_threads_of(threads, log, values[NAME_UTID]);
	int64_t name = keep(dictionary, values[NAME_NAME]);

	if (!thread || name < 0 ||
	    array_reserve(&threads->names, &threads->name_capacity, threads->name_count,
			  sizeof(*threads->names)))
		return -ENOMEM;
	threads->names[threads->name_count++] = (struct thread_name) {
		.from = values[NAME_TS],
		.to = values[NAME_TS] + values[NAME_DUR],
		.name = name,
		.before = thread->names,
	};
	thread->names = threads->name_count;
	return 0;
}

int why_threads_take_row(struct threads *threads, size_t log, struct dictionary *dictionary,
		     const int64_t *values, uint32_t nulls)
{
	struct thread *thread = why_threads_of(threads, log, values[THREAD_UTID]);

	if (!thread)
		return -ENOMEM;
	thread->listed = true;
	thread->pid = values[THREAD_TID];
	thread->ended = !(nulls >> THREAD_END & 1);
	if (!(nulls >> THREAD_NAME & 1))
		thread->name = keep(dictionary, values[THREAD_NAME]);
	return thread->name < TEXT_UNKNOWN ? -ENOMEM : 0;
}

int64_t why_threads_name_at(const struct threads *threads, const struct thread *thread,
			    int64_t time)
{
	uint32_t at = thread->names;

	while (at && threads->names[at - 1].from > time)
		at = threads->names[at - 1].before;
	return at ? threads->names[at - 1].name : TEXT_UNKNOWN;
}
