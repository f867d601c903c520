// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of tasks over time, in indexes and in tables of tasks, equal a model that searches all
 * events that name a task. Without arguments on random logs, else on the named files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/index.h>

#include "sample.h"
#include "worlds.h"

#define NAMINGS_MAX	400000

/* @gives: the task got the name at this time; else the task had the name already */
struct naming {
	uint64_t time_ns;
	uint32_t pid;
	bool is_birth;
	bool gives;
	char comm[EVTLOG_COMM_LEN];
};

struct names_model {
	struct naming *at;
	size_t count;
};

static void add(struct names_model *model, const struct evtlog_event *event, uint32_t pid,
		const void *comm)
{
	struct naming *naming = &model->at[model->count];

	if (!pid || pid == EVTLOG_PID_UNKNOWN)
		return;
	assert_true(model->count++ < NAMINGS_MAX);
	*naming = (struct naming) { .time_ns = event->time_ns, .pid = pid };
	memcpy(naming->comm, comm, sizeof(naming->comm));
	if (event->kind != EVTLOG_EVENT_RECORD)
		return;
	naming->is_birth = event->known == EVTLOG_SCHED_PROCESS_FORK;
	naming->gives = event->known != EVTLOG_TASK;
}

static void take(struct names_model *model, const struct evtlog_event *event)
{
	if (event->kind != EVTLOG_EVENT_RECORD) {
		if (event->begin_comm && event->begin_comm[0])
			add(model, event, event->begin_pid, event->begin_comm);
		return;
	}
	switch (event->known) {
	case EVTLOG_TASK:
		add(model, event, evtlog_record_pid(event->words), event->words + 5);
		break;
	case EVTLOG_SCHED_PROCESS_FORK:
		add(model, event, evtlog_record_pid(event->words), event->words + 3);
		break;
	case EVTLOG_SCHED_PROCESS_EXEC:
		add(model, event, evtlog_record_pid(event->words), event->words + 2);
		break;
	case EVTLOG_TASK_RENAME:
		add(model, event, evtlog_record_pid(event->words), event->words + 1);
		break;
	}
}

/* Returns when the task with @pid at @time_ns was forked; 0 if not in the log. */
static uint64_t birth_ns(const struct names_model *model, uint32_t pid, uint64_t time_ns)
{
	uint64_t birth = 0;

	for (size_t i = 0; i < model->count; i++)
		if (model->at[i].is_birth && model->at[i].pid == pid &&
		    model->at[i].time_ns <= time_ns && model->at[i].time_ns > birth)
			birth = model->at[i].time_ns;
	return birth;
}

/* Returns the first fork of @pid, if no earlier event names the pid; else 0. */
static uint64_t first_birth_ns(const struct names_model *model, uint32_t pid)
{
	const struct naming *first = NULL;

	for (size_t i = 0; i < model->count; i++) {
		const struct naming *naming = &model->at[i];

		if (naming->pid == pid && (!first || naming->time_ns < first->time_ns ||
					   (naming->time_ns == first->time_ns && naming->is_birth)))
			first = naming;
	}
	return first && first->is_birth ? first->time_ns : 0;
}

/* Can the task have this name? If several names have the same ns, each is possible. */
static bool has_name(const struct names_model *model, uint32_t pid, uint64_t time_ns,
		     const char *comm)
{
	uint64_t birth = birth_ns(model, pid, time_ns), first = UINT64_MAX, last = 0, at;
	static const char nothing[EVTLOG_COMM_LEN];
	bool gives = false, known = false;

	/* A task that ran for no time before the first fork of its pid is the forked task. */
	if (!birth)
		birth = first_birth_ns(model, pid);

	for (size_t i = 0; i < model->count; i++) {
		const struct naming *naming = &model->at[i];

		if (naming->pid != pid || naming->time_ns < birth ||
		    birth_ns(model, pid, naming->time_ns) != birth)
			continue;
		known = true;
		if (naming->time_ns < first)
			first = naming->time_ns;
		if (naming->time_ns <= time_ns && naming->time_ns > last)
			last = naming->time_ns;
	}
	at = last ? last : first;
	for (size_t i = 0; i < model->count; i++) {
		const struct naming *naming = &model->at[i];

		if (naming->pid != pid || naming->time_ns != at)
			continue;
		/* A name that the task gets later is not its name before. */
		if (!last && naming->gives)
			gives = true;
		if (!last && naming->gives && !naming->is_birth)
			continue;
		if (!memcmp(naming->comm, comm, EVTLOG_COMM_LEN))
			return true;
	}
	return (!known || gives) && !memcmp(comm, nothing, EVTLOG_COMM_LEN);
}

static void differ(const char *what, uint32_t pid, uint64_t time_ns, const char *comm)
{
	fail_msg("%s: pid %" PRIu32 " is '%.16s' at %" PRIu64, what, pid, comm, time_ns);
}

/* Checks the name of the task with @pid at a time when the task exists. */
static void check_index(const struct evtlog_index *index, const struct names_model *model,
			uint32_t pid, uint64_t time_ns)
{
	uint32_t id = evtlog_index_task_at(index, pid, time_ns);
	const char *comm = evtlog_index_task_name(index, id, time_ns);

	assert_non_null(comm);
	if (!has_name(model, pid, time_ns, comm))
		differ("index", pid, time_ns, comm);
}

static void check_order(const struct evtlog_index *index)
{
	const struct evtlog_index_name *names;
	size_t tasks = evtlog_index_task_count(index);

	for (uint32_t id = 0; id < tasks; id++) {
		size_t count = evtlog_index_task_names(index, id, &names);

		assert_true(count);
		assert_memory_equal(names[count - 1].comm, evtlog_index_task(index, id)->comm,
				    EVTLOG_COMM_LEN);
		for (size_t i = 1; i < count; i++) {
			assert_true(names[i - 1].from_ns < names[i].from_ns);
			assert_memory_not_equal(names[i - 1].comm, names[i].comm,
						EVTLOG_COMM_LEN);
		}
	}
	assert_int_equal(evtlog_index_task_names(index, tasks, &names), 0);
	assert_null(evtlog_index_task_name(index, tasks, 0));
	assert_null(evtlog_index_task_name(index, EVTLOG_TASK_UNKNOWN, 0));
}

/* In order of time: after each event, the running task has its name of that moment. */
static void check_moments(struct evtlog_file *file, const struct evtlog_index *index,
			  const struct names_model *model, unsigned int step)
{
	struct evtlog_cpu_merge *merge;
	const struct evtlog_event *event;
	struct evtlog_tasks *tasks;
	unsigned int count = 0;

	assert_int_equal(evtlog_tasks_new(file, &tasks), 0);
	assert_int_equal(evtlog_cpu_merge_new(file, &merge), 0);
	while (evtlog_cpu_merge_next(merge, &event) > 0) {
		uint32_t named = evtlog_tasks_named(event);
		uint32_t pid = named != EVTLOG_PID_UNKNOWN ? named : event->pid;
		const struct evtlog_task *task;

		assert_int_equal(evtlog_tasks_update(tasks, event), 0);
		if (!pid || pid == EVTLOG_PID_UNKNOWN || count++ % step)
			continue;
		check_index(index, model, pid, event->time_ns);
		task = evtlog_tasks_find(tasks, pid);
		/* Events with the same ns come in any order. */
		if (task && task->comm[0] && !has_name(model, pid, event->time_ns, task->comm) &&
		    !has_name(model, pid, event->time_ns - 1, task->comm))
			differ("table", pid, event->time_ns, task->comm);
		if (!task && named == pid)
			differ("table", pid, event->time_ns, "");
	}
	evtlog_cpu_merge_free(merge);
	evtlog_tasks_free(tasks);
}

static void check_file(const char *path, unsigned int step)
{
	struct evtlog_index_options options = { .in_memory = true, .threads = 2 };
	struct names_model model = { calloc(NAMINGS_MAX, sizeof(*model.at)), 0 };
	struct evtlog_error error = { 0 };
	struct evtlog_index *index;
	struct evtlog_file *file;

	if (evtlog_index_open(path, &options, &index, &error))
		fail_msg("%s: %s", path, error.reason);
	file = evtlog_index_file(index);
	for (unsigned int slot = 0; slot < evtlog_cpu_count(file); slot++) {
		const struct evtlog_event *event;
		struct evtlog_stream *stream;

		assert_int_equal(evtlog_stream_new(file, slot, &stream), 0);
		while (evtlog_stream_next(stream, &event) > 0)
			take(&model, event);
		evtlog_stream_free(stream);
	}
	check_order(index);
	check_moments(file, index, &model, step);
	evtlog_index_close(index);
	free(model.at);
}

static void test_small_worlds(void **arg)
{
	uint64_t state = sample_seed() | 1;

	for (int i = 0; i < 40; i++) {
		struct loggen_options options = random_options(&state);
		struct loggen *gen = loggen_new(&options);

		small_world(gen, options.cpus, 1 << (6 + xorshift(&state) % 6), &state);
		save_log(gen);
		check_file(log_path, 1);
	}
}

/* A task forks, executes another program and is renamed before the snapshot records it. */
static void names_before_the_snapshot_are_not_known(void **arg)
{
	struct loggen_options options = loggen_defaults();
	struct loggen *gen = loggen_new(&options);
	struct evtlog_index *index;
	struct evtlog_tasks *tasks;
	struct evtlog_index_options in_memory = { .in_memory = true };
	uint64_t words[6] = { 0 };
	uint32_t id;

	loggen_begin(gen, 0, 5000000000, 0, "swapper");
	loggen_begin(gen, 1, 5000000000, 0, "swapper");
	loggen_comm(words + 1, "after");
	loggen_record(gen, 1, 5000000100, EVTLOG_SCHED_PROCESS_EXEC, 50, 4, words);
	memset(words, 0, sizeof(words));
	loggen_comm(words + 4, "after");
	loggen_record(gen, 0, 5000000200, EVTLOG_TASK, 50, 7, words);
	loggen_comm(words + 4, "always");
	loggen_record(gen, 0, 5000000200, EVTLOG_TASK, 51, 7, words);
	loggen_end(gen, 0, 5000000300);
	loggen_end(gen, 1, 5000000300);
	save_log(gen);
	assert_int_equal(evtlog_index_open(log_path, &in_memory, &index, NULL), 0);
	assert_int_equal(evtlog_tasks_new(evtlog_index_file(index), &tasks), 0);
	assert_string_equal(evtlog_tasks_find(tasks, 50)->comm, "");
	assert_string_equal(evtlog_tasks_find(tasks, 51)->comm, "always");
	evtlog_tasks_free(tasks);
	id = evtlog_index_task_at(index, 50, 0);
	assert_string_equal(evtlog_index_task_name(index, id, 0), "");
	assert_string_equal(evtlog_index_task_name(index, id, UINT64_MAX), "after");
	id = evtlog_index_task_at(index, 51, 0);
	assert_string_equal(evtlog_index_task_name(index, id, 0), "always");
	evtlog_index_close(index);
	check_file(log_path, 1);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_before_the_snapshot_are_not_known),
		cmocka_unit_test(test_small_worlds),
	};

	if (argc == 1)
		return cmocka_run_group_tests(tests, make_paths, remove_paths);
	for (int i = 1; i < argc; i++)
		check_file(argv[i], 1000);
	return 0;
}
