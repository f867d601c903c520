// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Prints the events of probes and modules in a log: time, CPU, name, fields.
 *
 *	cc events.c $(pkg-config --cflags --libs evtlog) -o events
 *	./events node1-1.evl
 */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <evtlog/evtlog.h>

static void print_field(const struct evtlog_event_field *field, const void *payload, size_t bytes)
{
	const char *at = evtlog_event_field_at(field, payload, bytes, &bytes);

	if (!at)
		return;
	printf(" %s=", field->name);
	if (field->kind == 'd')
		printf("%lld", (long long)evtlog_event_field_s64(at, bytes));
	else if (field->kind == 'c')
		for (size_t i = 0; i < bytes && at[i]; i++)
			putchar(at[i] >= ' ' && at[i] <= '~' ? at[i] : '?');
	else
		printf("%llu", (unsigned long long)evtlog_event_field_u64(at, bytes));
}

static void print(const struct evtlog_file *log, const struct evtlog_event *event)
{
	const struct evtlog_event_format *format = evtlog_event_format(log, evtlog_event_id(event));
	size_t bytes;
	const void *payload = evtlog_event_payload(event, &bytes);

	printf("%.9f %u %s", event->time_ns / 1e9, event->cpu, format ? format->name : "?");
	for (uint32_t i = 0; format && i < format->field_count; i++)
		print_field(&format->fields[i], payload, bytes);
	printf("\n");
}

int main(int argc, char **argv)
{
	struct evtlog_error why = { 0 };
	struct evtlog_cpu_merge *merge = NULL;
	const struct evtlog_event *event;
	struct evtlog_file *log;
	int result = argc == 2 ? evtlog_open(argv[1], &log, &why) : -1;

	if (result < 0)
		errx(1, "%s", argc == 2 ? why.reason : "usage: events LOG");
	result = evtlog_cpu_merge_new(log, &merge);
	while (merge && (result = evtlog_cpu_merge_next(merge, &event)) > 0)
		if (event->known == EVTLOG_EVENT)
			print(log, event);
	if (result)
		warnx("%s: %s", argv[1], strerror(-result));
	evtlog_cpu_merge_free(merge);
	evtlog_close(log);
	return result != 0;
}
