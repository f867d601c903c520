// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Prints what ran on each CPU around a time: every switch up to 1 ms before and after it.
 * Reads only the buffers that hold that time.
 *
 *	cc around.c $(pkg-config --cflags --libs evtlog) -o around
 *	./around node1-1.evl 2.5		# s since the run's start
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/evtlog.h>

#define AROUND_NS	1000000

static int print_cpu(struct evtlog_file *log, unsigned int slot, uint64_t from_ns, uint64_t to_ns)
{
	struct evtlog_stream *stream;
	const struct evtlog_event *event;
	int result = evtlog_stream_new(log, slot, &stream);

	if (result < 0)
		return result;
	result = evtlog_stream_seek(stream, from_ns);
	while (!result && (result = evtlog_stream_next(stream, &event)) > 0) {
		if (event->time_ns >= to_ns)
			break;
		result = 0;
		if (event->known != EVTLOG_SCHED_SWITCH || event->time_ns < from_ns)
			continue;
		printf("%.9f CPU %u: %d -> %u, state %c\n",
		       (double)(event->time_ns - evtlog_begin_ns(log)) / 1e9, event->cpu,
		       (int)event->pid, evtlog_record_pid(event->words),
		       evtlog_state_letter(log, evtlog_switch_state(event->words)));
	}
	evtlog_stream_free(stream);
	return result < 0 ? result : 0;
}

int main(int argc, char **argv)
{
	struct evtlog_error why = { 0 };
	struct evtlog_file *log;
	int result = argc == 3 ? evtlog_open(argv[1], &log, &why) : -EINVAL;
	uint64_t from_ns;

	if (result < 0) {
		fprintf(stderr, "around: %s\n", argc == 3 ? why.reason : "usage: around LOG SECONDS");
		return 1;
	}
	from_ns = evtlog_begin_ns(log) + (uint64_t)(atof(argv[2]) * 1e9 + 0.5) - AROUND_NS;
	for (unsigned int slot = 0; !result && slot < evtlog_cpu_count(log); slot++)
		result = print_cpu(log, slot, from_ns, from_ns + 2 * AROUND_NS);
	if (result)
		fprintf(stderr, "around: %s: %s\n", argv[1], strerror(-result));
	evtlog_close(log);
	return result ? 1 : 0;
}
