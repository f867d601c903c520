// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Prints the records of two hosts' logs on one timeline: time, error, host, CPU, type.
 *
 *	cc merge-hosts.c $(pkg-config --cflags --libs evtlog) -o merge-hosts
 *	./merge-hosts node1-1.evl node2-1.evl
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <evtlog/evtlog.h>

#define HOSTS	2

static int print(struct evtlog_file **logs, const struct evtlog_clocksync *clocksync)
{
	struct evtlog_host_merge *merge;
	const struct evtlog_host_event *event;
	int result = evtlog_host_merge_new(clocksync, logs, HOSTS, NULL, &merge);

	if (result < 0)
		return result;
	while ((result = evtlog_host_merge_next(merge, &event)) > 0) {
		const struct evtlog_file *log = logs[event->file];
		const struct evtlog_type_info *type = evtlog_type_info(log, event->event->number);

		if (event->event->kind != EVTLOG_EVENT_RECORD)
			continue;
		printf("%.9f +-%.9f %s %u %s\n", event->time_ns / 1e9, event->bound_ns / 1e9,
		       evtlog_meta(log, "host"), event->event->cpu, type ? type->name : "?");
	}
	evtlog_host_merge_free(merge);
	return result;
}

int main(int argc, char **argv)
{
	struct evtlog_error why = { 0, "usage: merge-hosts LOG LOG" };
	struct evtlog_file *logs[HOSTS] = { NULL, NULL };
	struct evtlog_clocksync *clocksync = NULL;
	int result = argc == 1 + HOSTS ? 0 : -EINVAL;

	for (int i = 0; !result && i < HOSTS; i++)
		result = evtlog_open(argv[1 + i], &logs[i], &why);
	if (!result)
		result = evtlog_clocksync_new(logs, HOSTS, NULL, &clocksync, &why);
	for (int i = 0; i < HOSTS && !result; i++)
		if (evtlog_clocksync_clock(clocksync, i)->method == EVTLOG_CLOCK_NONE)
			result = -EXDEV;
	if (!result)
		result = print(logs, clocksync);
	if (result)
		fprintf(stderr, "merge-hosts: %s\n", result == -EXDEV ?
			"no packet relates the hosts" : *why.reason ? why.reason : strerror(-result));
	evtlog_clocksync_free(clocksync);
	for (int i = 0; i < HOSTS; i++)
		evtlog_close(logs[i]);
	return result ? 1 : 0;
}
