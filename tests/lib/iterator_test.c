// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The iterator gives the same events as sorting all events: of each log, of all logs on the common
 * timeline, of the merged file; within random windows and at their edges.
 *
 * Usage: iterator_test MERGED LOG...
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lib/merge/iterator.h"
#include "tests/support/seed.h"

#define LOGS_MAX	8
#define WINDOWS		40

static uint64_t state;
static struct evtlog_file *files[LOGS_MAX];
static size_t file_count;
static const char *merged_path;

/* An event, and the position of its stream among streams with events at the same ns */
struct item {
	int64_t time_ns;
	size_t order;
	size_t log;
	uint32_t cpu;
	size_t number;
	uint64_t what;
};

struct list {
	struct item *at;
	size_t count;
};

static uint64_t digest(const struct evtlog_event *event)
{
	uint64_t sum = event->kind * 31 + event->number;

	sum = sum * 1000003 + event->cpu;
	sum = sum * 1000003 + event->pid;
	sum = sum * 1000003 + event->context;
	return sum * 1000003 + (event->kind == EVTLOG_EVENT_RECORD ? event->file_words[0] >> 32 :
				event->lost);
}

static int compare(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void add_log(struct list *list, size_t log, size_t order,
		    const struct evtlog_clocksync *hosts)
{
	const struct evtlog_event *event;
	struct evtlog_stream *stream;

	for (unsigned int slot = 0; slot < evtlog_cpu_count(files[log]); slot++) {
		assert_int_equal(evtlog_stream_new(files[log], slot, &stream), 0);
		while (evtlog_stream_next(stream, &event) > 0) {
			struct item *item;

			if (!(list->count & (list->count - 1)))
				list->at = realloc(list->at, (2 * list->count + 1) * sizeof(*item));
			item = &list->at[list->count];
			*item = (struct item) {
				.time_ns = hosts ? evtlog_clocksync_time(hosts, log, event->time_ns) :
					   (int64_t)event->time_ns,
				.order = order,
				.log = log,
				.cpu = event->cpu,
				.number = list->count++,
				.what = digest(event),
			};
		}
		evtlog_stream_free(stream);
	}
}

static bool is_wanted(const struct item *item, const struct iterator_window *window)
{
	unsigned __int128 since = (__int128)item->time_ns - window->begin_ns;

	return item->time_ns >= window->begin_ns && since >= window->from_ns &&
	       (window->to_ns == UINT64_MAX || since < window->to_ns) &&
	       (!window->cpus || window->cpus[item->cpu]) &&
	       (!window->logs || window->logs[item->log]);
}

/* Goes through the events of a window as the commands do. */
static int next_wanted(struct iterator *iterator, const struct iterator_event **atp)
{
	int result;

	do
		result = iterator_next(iterator, atp);
	while (result > 0 && !iterator_wants(iterator, *atp));
	return result;
}

/* A merged file does not keep all marks; these are not compared. */
static void check(struct iterator *iterator, const struct list *list,
		  const struct iterator_window *window)
{
	const struct iterator_event *at;
	size_t given = 0;
	int result;

	for (size_t i = 0; i < list->count; i++) {
		const struct item *item = &list->at[i];

		if (!is_wanted(item, window))
			continue;
		assert_int_equal(next_wanted(iterator, &at), 1);
		assert_int_equal(at->time_ns, item->time_ns);
		assert_int_equal(at->log, item->log);
		assert_int_equal(at->event->cpu, item->cpu);
		if (iterator->source != ITERATOR_MERGED)
			assert_int_equal(digest(at->event), item->what);
		given++;
	}
	result = next_wanted(iterator, &at);
	assert_int_equal(result, 0);
	if (window->to_ns == UINT64_MAX)
		assert_true(iterator->ended);
}

/* Windows begin and end at events, or a ns before or after them. */
static int64_t random_edge(const struct list *list)
{
	int64_t ns = list->at[xorshift(&state) % list->count].time_ns;

	return ns + (int64_t)(xorshift(&state) % 3) - 1;
}

static struct iterator_window random_window(const struct list *list, bool *cpus, bool *logs)
{
	struct iterator_window window = { .begin_ns = list->at[0].time_ns, .to_ns = UINT64_MAX };
	int64_t edge;

	if (xorshift(&state) % 3) {
		edge = random_edge(list) - window.begin_ns;
		window.from_ns = edge > 0 ? edge : 0;
	}
	if (xorshift(&state) % 3) {
		edge = random_edge(list) - window.begin_ns;
		window.to_ns = edge > 0 ? edge : 0;
	}
	if (xorshift(&state) % 2) {
		for (unsigned int i = 0; i < EVTLOG_CPU_LIMIT; i++)
			cpus[i] = xorshift(&state) % 2;
		window.cpus = cpus;
	}
	if (xorshift(&state) % 2) {
		for (unsigned int i = 0; i < LOGS_MAX; i++)
			logs[i] = xorshift(&state) % 2;
		window.logs = logs;
	}
	return window;
}

static void gives_each_log_in_order(void **context)
{
	bool cpus[EVTLOG_CPU_LIMIT], logs[LOGS_MAX];

	for (size_t log = 0; log < file_count; log++) {
		struct iterator iterator;
		struct list list = { 0 };

		add_log(&list, log, 0, NULL);
		for (size_t i = 0; i < list.count; i++)
			list.at[i].log = 0;
		qsort(list.at, list.count, sizeof(*list.at), compare);
		for (unsigned int n = 0; n < WINDOWS; n++) {
			struct iterator_window window = random_window(&list, cpus, logs);

			assert_int_equal(iterator_of_log(&iterator, files[log], 0, &window), 0);
			check(&iterator, &list, &window);
			iterator_end(&iterator);
		}
		free(list.at);
	}
}

static struct evtlog_clocksync *relate(struct list *list)
{
	const struct evtlog_clocksync_options options = { .assume_ntp = true };
	struct evtlog_clocksync *hosts;
	struct evtlog_error error;

	assert_int_equal(evtlog_clocksync_new(files, file_count, &options, &hosts, &error), 0);
	for (size_t i = 0; i < file_count; i++)
		add_log(list, evtlog_clocksync_order(hosts, i), i, hosts);
	qsort(list->at, list->count, sizeof(*list->at), compare);
	return hosts;
}

static void gives_hosts_in_order(void **context)
{
	bool cpus[EVTLOG_CPU_LIMIT], logs[LOGS_MAX];
	struct list list = { 0 };
	struct evtlog_clocksync *hosts = relate(&list);
	struct iterator iterator;

	for (unsigned int n = 0; n < WINDOWS; n++) {
		struct iterator_window window = random_window(&list, cpus, logs);

		assert_int_equal(iterator_of_hosts(&iterator, hosts, files, file_count, 0,
						   &window), 0);
		check(&iterator, &list, &window);
		iterator_end(&iterator);
	}
	evtlog_clocksync_free(hosts);
	free(list.at);
}

static void gives_a_merged_file_in_order(void **context)
{
	bool cpus[EVTLOG_CPU_LIMIT], logs[LOGS_MAX];
	struct list list = { 0 };
	struct evtlog_clocksync *hosts = relate(&list);
	struct evtlog_merged *merged;
	struct evtlog_error error;
	struct iterator iterator;

	for (unsigned int n = 0; n < WINDOWS; n++) {
		struct iterator_window window = random_window(&list, cpus, logs);

		assert_int_equal(evtlog_merged_open(merged_path, &merged, &error), 0);
		iterator_of_merged(&iterator, merged, &window);
		check(&iterator, &list, &window);
		iterator_end(&iterator);
		evtlog_merged_close(merged);
	}
	evtlog_clocksync_free(hosts);
	free(list.at);
}

/* A dropped CPU gives no more events; the other CPUs give all events. */
static void drops_cpus(void **context)
{
	const struct iterator_event *at;
	struct iterator iterator;
	struct list list = { 0 };
	bool dropped[EVTLOG_CPU_LIMIT] = { false };
	size_t given = 0, wanted = 0;
	int64_t half_ns;

	add_log(&list, 0, 0, NULL);
	qsort(list.at, list.count, sizeof(*list.at), compare);
	half_ns = list.at[list.count / 2].time_ns;
	assert_int_equal(iterator_of_log(&iterator, files[0], 0, NULL), 0);
	while (iterator_next(&iterator, &at) > 0) {
		assert_false(dropped[at->event->cpu]);
		given++;
		if (at->time_ns >= half_ns && at->event->cpu % 2) {
			dropped[at->event->cpu] = true;
			iterator_drop_cpu(&iterator);
		}
	}
	memset(dropped, 0, sizeof(dropped));
	for (size_t i = 0; i < list.count; i++) {
		wanted += !dropped[list.at[i].cpu];
		if (list.at[i].time_ns >= half_ns && list.at[i].cpu % 2)
			dropped[list.at[i].cpu] = true;
	}
	assert_int_equal(given, wanted);
	iterator_end(&iterator);
	free(list.at);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_each_log_in_order),
		cmocka_unit_test(gives_hosts_in_order),
		cmocka_unit_test(gives_a_merged_file_in_order),
		cmocka_unit_test(drops_cpus),
	};
	struct evtlog_error error;
	int failed;

	if (argc < 3 || argc > 2 + LOGS_MAX)
		return 2;
	state = seed_state();
	merged_path = argv[1];
	for (int i = 2; i < argc; i++)
		if (evtlog_open(argv[i], &files[file_count++], &error))
			return 2;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	for (size_t i = 0; i < file_count; i++)
		evtlog_close(files[i]);
	return failed;
}
