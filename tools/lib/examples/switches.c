// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counts how often each task of a log was switched in: pid, name, switches.
 *
 *	cc switches.c $(pkg-config --cflags --libs evtlog) -o switches
 *	./switches node1-1.evl
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <evtlog/evtlog.h>

static uint64_t switches[1 << EVTLOG_PID_BITS];

static int count(struct evtlog_file *log, struct evtlog_tasks *tasks)
{
	struct evtlog_cpu_merge *merge;
	const struct evtlog_event *event;
	int result = evtlog_cpu_merge_new(log, &merge);

	if (result < 0)
		return result;
	while ((result = evtlog_cpu_merge_next(merge, &event)) > 0) {
		if (event->known == EVTLOG_SCHED_SWITCH)
			switches[evtlog_record_pid(event->words)]++;
		if ((result = evtlog_tasks_update(tasks, event)) < 0)
			break;
	}
	evtlog_cpu_merge_free(merge);
	return result;
}

int main(int argc, char **argv)
{
	struct evtlog_error why = { 0 };
	struct evtlog_tasks *tasks = NULL;
	struct evtlog_file *log;
	int result = argc == 2 ? evtlog_open(argv[1], &log, &why) : -EINVAL;

	if (result < 0) {
		fprintf(stderr, "switches: %s\n", argc == 2 ? why.reason : "usage: switches LOG");
		return 1;
	}
	result = evtlog_tasks_new(log, &tasks);
	if (!result)
		result = count(log, tasks);
	for (uint32_t pid = 0; !result && pid < 1 << EVTLOG_PID_BITS; pid++) {
		const struct evtlog_task *task = evtlog_tasks_find(tasks, pid);

		if (switches[pid])
			printf("%u %.16s %llu\n", pid, task ? task->comm : "?",
			       (unsigned long long)switches[pid]);
	}
	if (result)
		fprintf(stderr, "switches: %s: %s\n", argv[1], strerror(-result));
	evtlog_tasks_free(tasks);
	evtlog_close(log);
	return result ? 1 : 0;
}
