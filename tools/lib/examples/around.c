// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Prints what ran on each CPU around a time: the task 1 ms before, or -1 if it is unknown, and each
 * switch up to 1 ms after.  Reads only the buffers that contain this time.
 *	cc around.c $(pkg-config --cflags --libs evtlog) -o around
 *	./around node1-1.evl 2.5		# s since the run's start
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/evtlog.h>

#define AROUND_NS	1000000

static int print_cpu(struct evtlog_file *log, unsigned int slot, double time_s)
{
	uint64_t start_ns = evtlog_begin_ns(log), time_ns = start_ns + (uint64_t)(time_s * 1e9 + 0.5);
	uint64_t from_ns = time_ns - AROUND_NS, to_ns = time_ns + AROUND_NS;
	struct evtlog_stream *stream;
	const struct evtlog_event *event;
	int result = evtlog_stream_new(log, slot, &stream), shown = 0;

	result = result ? result : evtlog_stream_seek(stream, from_ns);
	while (result >= 0 && (result = evtlog_stream_next(stream, &event)) > 0) {
		if (event->kind == EVTLOG_EVENT_BEGIN && event->time_ns > from_ns)
			from_ns = event->time_ns;
		if (event->kind == EVTLOG_EVENT_BEGIN || event->time_ns < from_ns)
			continue;
		/* Each event has the task that ran before it; in a gap, it is unknown. */
		if (!shown++ && from_ns < to_ns)
			printf("%.9f CPU %u: %d runs\n", (double)(from_ns - start_ns) / 1e9, event->cpu,
			       event->kind == EVTLOG_EVENT_GAP && event->from_ns <= from_ns ?
			       -1 : (int)event->pid);
		if (event->time_ns >= to_ns)
			break;
		if (event->known == EVTLOG_SCHED_SWITCH)
			printf("%.9f CPU %u: %d -> %u, state %c\n",
			       (double)(event->time_ns - start_ns) / 1e9, event->cpu,
			       (int)event->pid, evtlog_record_pid(event->words),
			       evtlog_state_letter(log, evtlog_switch_state(event->words)));
	}
	evtlog_stream_free(stream);
	return result;
}

int main(int argc, char **argv)
{
	struct evtlog_error why = { 0 };
	struct evtlog_file *log = NULL;
	int result = argc == 3 ? evtlog_open(argv[1], &log, &why) : -1;

	for (unsigned int slot = 0; result >= 0 && slot < evtlog_cpu_count(log); slot++)
		result = print_cpu(log, slot, atof(argv[2]));
	if (result < 0)
		fprintf(stderr, "around: %s\n", argc != 3 ? "usage: around LOG SECONDS" :
			*why.reason ? why.reason : strerror(-result));
	evtlog_close(log);
	return result < 0;
}
