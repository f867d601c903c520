// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer's entry: reads any bytes as a file, with every function for reading.
 *
 * A fuzzer cannot pass checksums. So they are corrected first in every other input (by its last
 * bit); the other inputs are read unchanged.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/evtlog.h>
#include <evtlog/file.h>

#include "mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* Changes most inputs part by part, so that they pass the checks of lengths. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;

	if (size < 48 || size > max_size || seed % 4 == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	return mutate(data, size, max_size, &state);
}

/* Reads every field of a record, as dump does. */
static uint64_t touch(const struct evtlog_file *file,
		      const struct evtlog_event *event)
{
	const struct evtlog_type_info *type;
	uint64_t sum = 0;

	if (event->kind != EVTLOG_EVENT_RECORD)
		return 0;
	type = evtlog_type_info(file, event->number);
	for (unsigned int i = 0; i < type->field_count; i++) {
		const struct evtlog_field *field = &type->fields[i];

		if (field->bits <= 64) {
			sum += evtlog_field_s64(field, event->file_words);
			continue;
		}
		for (unsigned int j = 0; j < field->bits / 8u; j++)
			sum += ((const uint8_t *)
				&event->file_words[field->word])[j];
	}
	if (event->words)
		sum += event->words[0];
	return sum;
}

static void read_all(struct evtlog_file *file)
{
	const struct evtlog_event *event;
	uint64_t last_ns = 0, records = 0, streamed = 0, sum = 0;
	struct evtlog_cpu_merge *merge = NULL;
	struct evtlog_tasks *tasks = NULL;

	if (evtlog_tasks_new(file, &tasks) || evtlog_cpu_merge_new(file, &merge))
		goto out;
	while (evtlog_cpu_merge_next(merge, &event) > 0) {
		if (event->time_ns < last_ns)
			abort();
		if (event->kind == EVTLOG_EVENT_GAP &&
		    event->from_ns > event->time_ns)
			abort();
		last_ns = event->time_ns;
		records += event->kind == EVTLOG_EVENT_RECORD;
		sum += touch(file, event);
		sum += evtlog_real_ns(file, event->time_ns);
		evtlog_tasks_update(tasks, event);
	}
	for (unsigned int i = 0; i < evtlog_cpu_count(file); i++) {
		struct evtlog_stream *stream;

		if (evtlog_stream_new(file, i, &stream))
			continue;
		while (evtlog_stream_next(stream, &event) > 0)
			;
		streamed += evtlog_stream_counts(stream)->records;
		evtlog_stream_free(stream);
	}
	/* Both readers must return the same records. */
	if (streamed != records)
		abort();
out:
	evtlog_cpu_merge_free(merge);
	evtlog_tasks_free(tasks);
	/* Uses @sum, so that the compiler does not remove the code above. */
	if (sum == 0x123456789abcdef)
		abort();
}

/* Reads a merged file. */
static void read_merged(struct evtlog_merged *merged)
{
	const struct evtlog_merged_event *event;
	const struct evtlog_task *task;
	int64_t last_ns = INT64_MIN;
	uint64_t records = 0, sum = 0;
	const char *key, *value;
	int result;

	for (size_t i = 0; evtlog_merged_meta_at(merged, i, &key, &value); i++)
		sum += key[0] + value[0];
	while ((result = evtlog_merged_next(merged, &event)) > 0) {
		if (event->time_ns < last_ns ||
		    event->host >= evtlog_merged_hosts(merged))
			abort();
		if (event->event->kind == EVTLOG_EVENT_GAP &&
		    event->from_ns > event->time_ns)
			abort();
		last_ns = event->time_ns;
		records += event->event->kind == EVTLOG_EVENT_RECORD;
		sum += touch(evtlog_merged_file(merged, event->host), event->event);
		task = evtlog_tasks_find(evtlog_merged_tasks(merged, event->host),
					 event->event->pid);
		sum += task ? task->comm[0] : 0;
	}
	if (!result && evtlog_merged_end(merged)->events != records)
		abort();
	if (sum == 0x123456789abcdef)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct evtlog_merged *merged;
	uint8_t *bytes = malloc(size + 1);
	const struct evtlog_damage *damage;
	struct evtlog_file *file;
	struct evtlog_error error;

	if (!bytes)
		return 0;
	memcpy(bytes, data, size);
	if (size && !(data[size - 1] & 1))
		mutate_seal(bytes, size);
	if (!evtlog_open_bytes(bytes, size, &file, &error)) {
		read_all(file);
		for (size_t i = 0; (damage = evtlog_damage(file, i)); i++)
			if (damage->offset > size ||
			    damage->length > size - damage->offset)
				abort();
		evtlog_close(file);
	}
	if (!evtlog_merged_open_bytes(bytes, size, &merged, &error)) {
		read_merged(merged);
		evtlog_merged_close(merged);
	}
	free(bytes);
	return 0;
}
