// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libevtlog reads every event of whole files, in order, as it was written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sample.h"

static uint64_t seed;

static int compare_records(const void *a, const void *b)
{
	const struct loggen_record *x = a, *y = b;

	if (x->ticks != y->ticks)
		return x->ticks < y->ticks ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

/* Ticks are ns: times are exact. */
static void compare_with_written(struct evtlog_file *file, const struct loggen *gen)
{
	const struct loggen_record *written;
	size_t count = loggen_written(gen, &written), at = 0;
	struct loggen_record *expected = calloc(count + 1, sizeof(*expected));
	const struct evtlog_event *event;
	struct evtlog_cpu_merge *merge;
	int result;

	assert_non_null(expected);
	if (count)
		memcpy(expected, written, count * sizeof(*expected));
	qsort(expected, count, sizeof(*expected), compare_records);
	assert_int_equal(evtlog_cpu_merge_new(file, &merge), 0);
	while ((result = evtlog_cpu_merge_next(merge, &event)) > 0) {
		const struct loggen_record *e = &expected[at];

		if (event->kind != EVTLOG_EVENT_RECORD)
			continue;
		assert_true(at < count);
		at++;
		assert_int_equal(event->ticks, e->ticks);
		assert_int_equal(event->time_ns, e->ticks - 5000000000 + 7000000000);
		assert_int_equal(event->cpu, e->cpu);
		assert_memory_equal(event->file_words, loggen_words(gen) + e->first, 8 * e->words);
	}
	assert_int_equal(result, 0);
	assert_int_equal(at, count);
	evtlog_cpu_merge_free(merge);
	free(expected);
}

static void random_logs_read_as_they_were_written(void **state)
{
	uint64_t random = seed, packed = 0;

	for (int round = 0; round < 60; round++) {
		struct loggen_options options = loggen_defaults();
		const uint64_t *offsets;
		struct evtlog_summary summary;
		struct evtlog_file *file;
		const uint8_t *bytes;
		struct loggen *gen;
		size_t length;

		options.cpus = 1 + xorshift(&random) % 6;
		options.buffer_bytes = 512 + xorshift(&random) % 5000;
		options.compress = xorshift(&random) % LOGGEN_WAYS;
		options.keeps = true;
		gen = loggen_new(&options);
		random_log(gen, options.cpus, xorshift(&random) % 3000, &random);
		loggen_close(gen);
		bytes = loggen_bytes(gen, &length);
		for (size_t i = loggen_blocks(gen, &offsets); i--;) {
			struct evtlog_block_header header;

			memcpy(&header, bytes + offsets[i], sizeof(header));
			packed += !!(header.flags & EVTLOG_BLOCK_PACKED);
		}

		file = open_log(gen);
		compare_with_written(file, gen);
		assert_int_equal(evtlog_damage_count(file), 0);
		evtlog_summarize(file, &summary);
		assert_true(summary.closed);
		assert_true(summary.complete);
		assert_int_equal(summary.cpus_in_run, options.cpus);
		assert_int_equal(evtlog_cpu_count(file), options.cpus);
		evtlog_close(file);
		loggen_free(gen);
	}
	assert_true(packed > 0);
}

static void a_buffer_written_twice_is_read_once(void **state)
{
	struct loggen_options options = loggen_defaults();
	struct evtlog_summary summary;
	struct evtlog_file *file;
	uint64_t random = seed;
	struct loggen *gen;

	options.keeps = true;
	gen = loggen_new(&options);
	random_log(gen, 2, 800, &random);
	loggen_repeat_last_block(gen);
	loggen_close(gen);
	file = open_log(gen);
	compare_with_written(file, gen);
	evtlog_summarize(file, &summary);
	assert_int_equal(summary.duplicates, 1);
	assert_int_equal(evtlog_damage_count(file), 0);
	assert_true(summary.complete);
	evtlog_close(file);
	loggen_free(gen);
}

static void running_task_and_place_are_tracked(void **state)
{
	struct loggen_options options = loggen_defaults();
	static const struct {
		unsigned int type;
		uint32_t data;
		uint32_t pid;
		enum evtlog_context context;
		uint32_t number;
	} steps[] = {
		{ EVTLOG_SCHED_WAKING, 9, 5, EVTLOG_IN_TASK, 0 },
		{ EVTLOG_SCHED_SWITCH, 7, 5, EVTLOG_IN_TASK, 0 },
		{ EVTLOG_SOFTIRQ_ENTRY, 3, 7, EVTLOG_IN_TASK, 0 },
		{ EVTLOG_SCHED_WAKING, 9, 7, EVTLOG_IN_SOFTIRQ, 3 },
		{ EVTLOG_IRQ_HANDLER_ENTRY, 24, 7, EVTLOG_IN_SOFTIRQ, 3 },
		{ EVTLOG_SCHED_WAKING, 9, 7, EVTLOG_IN_IRQ, 24 },
		{ EVTLOG_LOCAL_TIMER_ENTRY, 236, 7, EVTLOG_IN_IRQ, 24 },
		{ EVTLOG_SCHED_WAKING, 9, 7, EVTLOG_IN_VECTOR,
		  EVTLOG_LOCAL_TIMER_ENTRY },
		{ EVTLOG_LOCAL_TIMER_EXIT, 236, 7, EVTLOG_IN_VECTOR,
		  EVTLOG_LOCAL_TIMER_ENTRY },
		{ EVTLOG_IRQ_HANDLER_EXIT, 24 | 1 << 24, 7, EVTLOG_IN_IRQ, 24 },
		{ EVTLOG_SOFTIRQ_EXIT, 3, 7, EVTLOG_IN_SOFTIRQ, 3 },
		{ EVTLOG_SCHED_SWITCH, 0, 7, EVTLOG_IN_TASK, 0 },
		{ EVTLOG_SCHED_WAKING, 9, 0, EVTLOG_IN_TASK, 0 },
	};
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	struct evtlog_file *file;
	struct loggen *gen;
	size_t at = 0;

	options.cpus = 1;
	gen = loggen_new(&options);
	loggen_begin(gen, 0, 5000000000, 5, "five");
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		loggen_record(gen, 0, 5000000001 + i, steps[i].type,
			      steps[i].data, 1, NULL);
	loggen_end(gen, 0, 5000000100);
	file = open_log(gen);
	assert_int_equal(evtlog_stream_new(file, 0, &stream), 0);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(event->kind, EVTLOG_EVENT_BEGIN);
	assert_int_equal(event->pid, 5);
	while (evtlog_stream_next(stream, &event) > 0 &&
	       event->kind == EVTLOG_EVENT_RECORD) {
		assert_int_equal(event->pid, steps[at].pid);
		assert_int_equal(event->context, steps[at].context);
		if (event->context != EVTLOG_IN_TASK)
			assert_int_equal(event->context_number, steps[at].number);
		at++;
	}
	assert_int_equal(at, sizeof(steps) / sizeof(steps[0]));
	assert_int_equal(event->kind, EVTLOG_EVENT_END);
	assert_int_equal(evtlog_stream_counts(stream)->nesting_errors, 0);
	assert_int_equal(evtlog_stream_next(stream, &event), 0);
	evtlog_stream_free(stream);
	evtlog_close(file);
	loggen_free(gen);
}

static void names_come_from_snapshot_fork_exec_and_rename(void **state)
{
	struct loggen_options options = loggen_defaults();
	struct loggen *gen = loggen_new(&options);
	const struct evtlog_event *event;
	struct evtlog_tasks *tasks;
	struct evtlog_cpu_merge *merge;
	struct evtlog_file *file;
	uint64_t words[6] = { 0 };

	loggen_begin(gen, 0, 5000000000, 1, "init");
	loggen_begin(gen, 1, 5000000000, 0, "swapper");
	loggen_comm(words + 4, "snapshotted");
	loggen_record(gen, 1, 5000000010, EVTLOG_TASK, 50, 7, words);
	words[0] = 50 | (uint64_t)51 << 32;
	loggen_comm(words + 2, "sixteen-letters!");
	loggen_record(gen, 0, 5000000020, EVTLOG_SCHED_PROCESS_FORK, 51, 5,
		      words);
	loggen_comm(words + 1, "executed");
	loggen_record(gen, 0, 5000000030, EVTLOG_SCHED_PROCESS_EXEC, 51, 4,
		      words);
	loggen_comm(words, "renamed");
	loggen_record(gen, 0, 5000000040, EVTLOG_TASK_RENAME, 51, 3, words);
	loggen_end(gen, 0, 5000000100);
	loggen_end(gen, 1, 5000000100);
	file = open_log(gen);
	assert_int_equal(evtlog_tasks_new(file, &tasks), 0);
	assert_string_equal(evtlog_tasks_find(tasks, 50)->comm, "snapshotted");
	assert_string_equal(evtlog_tasks_find(tasks, 0)->comm, "swapper");
	assert_null(evtlog_tasks_find(tasks, 51));
	assert_int_equal(evtlog_cpu_merge_new(file, &merge), 0);
	while (evtlog_cpu_merge_next(merge, &event) > 0) {
		const struct evtlog_task *task;

		assert_int_equal(evtlog_tasks_update(tasks, event), 0);
		task = evtlog_tasks_find(tasks, 51);
		if (event->known == EVTLOG_SCHED_PROCESS_FORK) {
			assert_memory_equal(task->comm, "sixteen-letters!", 16);
			assert_int_equal(task->tgid, 51);
			assert_int_equal(task->ppid, 50);
		}
		if (event->known == EVTLOG_SCHED_PROCESS_EXEC)
			assert_string_equal(task->comm, "executed");
		if (event->known == EVTLOG_TASK_RENAME)
			assert_string_equal(task->comm, "renamed");
	}
	evtlog_cpu_merge_free(merge);
	evtlog_tasks_free(tasks);
	evtlog_close(file);
	loggen_free(gen);
}

/* If only switches are recorded, names come from buffers' headers. */
static void names_come_from_headers_of_buffers(void **state)
{
	struct loggen_options options = loggen_defaults();
	const struct evtlog_event *event;
	struct evtlog_tasks *tasks;
	struct evtlog_cpu_merge *merge;
	struct evtlog_file *file;
	unsigned int buffers = 0;
	struct loggen *gen;

	options.cpus = 1;
	options.buffer_bytes = 600;
	gen = loggen_new(&options);
	loggen_begin(gen, 0, 5000000000, 5, "five");
	for (unsigned int i = 0; i < 200; i++) {
		loggen_record(gen, 0, 5000000001 + i, EVTLOG_SCHED_SWITCH,
			      6 + i % 2, 1, NULL);
		loggen_running(gen, 0, i % 2 ? "seven" : "six");
	}
	loggen_end(gen, 0, 5000001000);
	file = open_log(gen);
	assert_int_equal(evtlog_tasks_new(file, &tasks), 0);
	assert_int_equal(evtlog_cpu_merge_new(file, &merge), 0);
	while (evtlog_cpu_merge_next(merge, &event) > 0) {
		assert_int_equal(evtlog_tasks_update(tasks, event), 0);
		if (event->kind != EVTLOG_EVENT_BUFFER)
			continue;
		buffers++;
		assert_int_equal(event->begin_pid, event->pid);
		assert_string_equal(evtlog_tasks_find(tasks, event->pid)->comm,
				    event->pid == 6 ? "six" : "seven");
	}
	assert_int_equal(buffers, 4);
	assert_string_equal(evtlog_tasks_find(tasks, 5)->comm, "five");
	evtlog_cpu_merge_free(merge);
	evtlog_tasks_free(tasks);
	evtlog_close(file);
	loggen_free(gen);
}

/* Numbers and contexts of fields differ; a type and a field are added. */
static void a_newer_kernels_types_are_found_by_name(void **state)
{
	static const char format[] =
		"evtlog-format 1\nticks_hz 1000000000\nbyteorder little\n"
		"states RSDTtXZPI+\nsoftirqs HI TIMER\nnovelty 42\n"
		"type 1 time 2 ticks:1:0:64:k\n"
		"type 50 sched_switch 3 next_pid:1:8:22:p prev_state:2:60:4:s vruntime:2:0:60:u\n"
		"type 9 gpu_fence 4 ring:0:38:8:u name:2:0:128:c\n"
		"type 10 sched_waking 1 pid:0:38:22:p\n";
	struct loggen_options options = loggen_defaults();
	uint64_t words[3] = { (uint64_t)1234 << 8, (uint64_t)2 << 60 };
	const struct evtlog_type_info *type;
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	struct evtlog_file *file;
	struct loggen *gen;

	options.cpus = 1;
	options.format = format;
	gen = loggen_new(&options);
	loggen_begin(gen, 0, 5000000000, 5, "five");
	loggen_record(gen, 0, 5000000001, 9, 1, 4, words);
	loggen_record(gen, 0, 5000000002, 50, 77, 3, words);
	loggen_record(gen, 0, 5000000003, 10, 99, 1, NULL);
	loggen_end(gen, 0, 5000000100);
	file = open_log(gen);

	type = evtlog_type_info(file, 9);
	assert_string_equal(type->name, "gpu_fence");
	assert_int_equal(type->known, 0);
	assert_int_equal(evtlog_type_info(file, 50)->known, EVTLOG_SCHED_SWITCH);
	assert_null(evtlog_type_info(file, EVTLOG_SCHED_SWITCH));

	assert_int_equal(evtlog_stream_new(file, 0, &stream), 0);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(event->number, 9);
	assert_int_equal(event->known, 0);
	assert_null(event->words);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(event->known, EVTLOG_SCHED_SWITCH);
	assert_int_equal(evtlog_record_pid(event->words), 1234);
	assert_int_equal(evtlog_switch_state(event->words), 2);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(event->known, EVTLOG_SCHED_WAKING);
	assert_int_equal(evtlog_record_pid(event->words), 99);
	assert_int_equal(event->pid, 1234);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(event->kind, EVTLOG_EVENT_END);
	assert_int_equal(evtlog_damage_count(file), 0);
	evtlog_stream_free(stream);
	evtlog_close(file);
	loggen_free(gen);
}

static void lost_events_and_absent_cpus_show_as_gaps(void **state)
{
	struct loggen_options options = loggen_defaults();
	struct loggen *gen = loggen_new(&options);
	struct evtlog_summary summary;
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	struct evtlog_file *file;

	loggen_begin(gen, 0, 5000000000, 5, "five");
	loggen_record(gen, 0, 5000000001, EVTLOG_SOFTIRQ_ENTRY, 1, 1, NULL);
	loggen_lose(gen, 0, 5000000010, 5000000500, 33, 8,
		    EVTLOG_CONTEXT_HARDIRQ);
	loggen_record(gen, 0, 5000000501, EVTLOG_IRQ_HANDLER_ENTRY, 24, 1,
		      NULL);
	loggen_record(gen, 0, 5000000502, EVTLOG_IRQ_HANDLER_EXIT, 24, 1, NULL);
	loggen_record(gen, 0, 5000000503, EVTLOG_SCHED_WAKING, 9, 1, NULL);
	loggen_flush(gen, 0, 5000000600);
	loggen_begin(gen, 0, 5000000700, 0, "swapper");
	loggen_end(gen, 0, 5000000800);
	file = open_log(gen);
	assert_int_equal(evtlog_stream_new(file, 0, &stream), 0);

	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(event->known, EVTLOG_SOFTIRQ_ENTRY);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(event->kind, EVTLOG_EVENT_GAP);
	assert_int_equal(event->from_ns, 7000000010);
	assert_int_equal(event->time_ns, 7000000500);
	assert_int_equal(event->lost, 33);
	assert_int_equal(event->pid, 5);
	assert_int_equal(event->context, EVTLOG_IN_SOFTIRQ);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(event->known, EVTLOG_LOST);
	assert_int_equal(event->pid, 8);
	assert_int_equal(event->context, EVTLOG_IN_IRQ);
	assert_int_equal(event->context_number, EVTLOG_NUMBER_UNKNOWN);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(event->context_number, 24);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(event->context, EVTLOG_IN_TASK);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(event->kind, EVTLOG_EVENT_GAP);
	assert_int_equal(event->from_ns, 7000000600);
	assert_int_equal(event->lost, 0);
	assert_int_equal(evtlog_stream_next(stream, &event), 1);
	assert_int_equal(event->kind, EVTLOG_EVENT_END);
	assert_int_equal(event->pid, 0);
	assert_int_equal(evtlog_stream_counts(stream)->nesting_errors, 0);
	evtlog_summarize(file, &summary);
	assert_int_equal(summary.lost[EVTLOG_LOST_FULL], 33);
	assert_true(summary.complete);
	evtlog_stream_free(stream);
	evtlog_close(file);
	loggen_free(gen);
}

static void what_the_logger_dropped_is_told_and_not_missing(void **state)
{
	struct loggen_options options = loggen_defaults();
	struct evtlog_gap gap = {
		.sequence = 2, .buffers = 1, .bytes = 512, .cpu = 0, .error = 28,
	};
	const struct evtlog_damage *damage;
	struct evtlog_summary summary;
	struct evtlog_file *file;
	struct reading reading;
	struct loggen *gen;
	const uint64_t *offsets;

	options.cpus = 1;
	options.buffer_bytes = 512;
	gen = loggen_new(&options);
	loggen_begin(gen, 0, 5000000000, 5, "five");
	for (int i = 0; i < 140; i++) {
		size_t before = loggen_blocks(gen, &offsets);

		loggen_record(gen, 0, 5000000001 + i, EVTLOG_SCHED_WAKING, 9, 1,
			      NULL);
		/* The loss of buffer 2 is recorded; buffers 1 and 3 are only missing. */
		if (loggen_blocks(gen, &offsets) > before && i > 40 && i < 130) {
			loggen_drop_last_block(gen);
			if (i > 70 && i < 100)
				loggen_gap(gen, &gap);
		}
	}
	loggen_end(gen, 0, 5000000200);
	file = open_log(gen);
	reading = read_all(file);
	evtlog_summarize(file, &summary);
	assert_int_equal(summary.missing_buffers, 3);
	assert_int_equal(evtlog_damage_count(file), 3);
	damage = find_damage(file, EVTLOG_DAMAGE_DROPPED);
	assert_int_equal(damage->sequence, 2);
	assert_int_equal(damage->error, 28);
	for (int i = 0; i < 2; i++) {
		damage = evtlog_damage(file, 1 + i);
		assert_int_equal(damage->kind, EVTLOG_DAMAGE_MISSING);
		assert_int_equal(damage->sequence, 1 + 2 * i);
		assert_int_equal(damage->buffers, 1);
	}
	assert_int_equal(reading.gaps, 1);
	assert_int_equal(reading.lost_buffers, 3);
	evtlog_close(file);
	loggen_free(gen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_logs_read_as_they_were_written),
		cmocka_unit_test(a_buffer_written_twice_is_read_once),
		cmocka_unit_test(running_task_and_place_are_tracked),
		cmocka_unit_test(names_come_from_snapshot_fork_exec_and_rename),
		cmocka_unit_test(names_come_from_headers_of_buffers),
		cmocka_unit_test(a_newer_kernels_types_are_found_by_name),
		cmocka_unit_test(lost_events_and_absent_cpus_show_as_gaps),
		cmocka_unit_test(what_the_logger_dropped_is_told_and_not_missing),
	};

	seed = sample_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
