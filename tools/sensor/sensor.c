// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sensor's loop: sleeps until a CPU passes on a buffer, a client sends something, or an
 * interval ends.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "clients.h"
#include "common/command.h"
#include "common/error.h"
#include "control/control.h"
#include "record/workload.h"
#include "sensor.h"
#include "state.h"
#include "table.h"

/*
 * A text in memory that is written again and again and grows as needed.
 * @at, @bytes:	the text, valid until the next text_start()
 * @out:	where to write; created by text_start() if NULL
 */
struct text {
	char *at;
	size_t bytes;
	FILE *out;
};

/* Makes the text empty.  Returns 0 or -ENOMEM. */
static inline int text_start(struct text *text)
{
	if (!text->out)
		text->out = open_memstream(&text->at, &text->bytes);
	else
		rewind(text->out);
	return text->out ? 0 : -ENOMEM;
}

/* Makes @at and @bytes valid.  Returns 0 or -ENOMEM. */
static inline int text_end(struct text *text)
{
	return fflush(text->out) || ferror(text->out) ? -ENOMEM : 0;
}

static inline void text_free(struct text *text)
{
	if (text->out)
		fclose(text->out);
	free(text->at);
}

/* Data of epoll: a CPU by its index in the source, or a socket of the clients. */
#define OF_CPU		(UINT64_C(1) << 32)
#define OF_CLIENTS	(UINT64_C(2) << 32)

#define NS		UINT64_C(1000000000)
/* Buffers read from a CPU at the end of an interval.  Later ones belong to the next interval. */
#define BUFFERS_MOST	64

/*
 * @text:	the line being sent
 * @hello:	the line for new clients
 * @event_count, @subscriptions: as of the last mark_subscribed()
 * @tick_ns:	start of the interval
 * @reported_error:	last error of the text file, to print it once
 * @has_textfile: True: the file was written, and is removed at the end
 */
struct sensor {
	const struct sensor_options *options;
	struct named_source source;
	struct sensor_table *table;
	struct sensor_state state;
	struct clients clients;
	struct ganglia ganglia;
	struct text text, hello;
	int epoll;
	size_t event_count;
	uint64_t subscriptions;
	uint64_t tick_ns;
	uint64_t ticks;
	int reported_error;
	bool has_textfile;
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NS + now.tv_nsec;
}

static uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* ---- Records ---- */

static void send_record(void *context, const struct sensor_record *record)
{
	struct sensor *sensor = context;

	if (text_start(&sensor->text))
		return;
	sensor_print_record(sensor->text.out, record);
	if (!text_end(&sensor->text))
		clients_send(&sensor->clients, record->format->format->name, sensor->text.at,
			     sensor->text.bytes);
}

/* Formats may follow the first records, or another reader may have read them: ask the kernel. */
static void learn_list(struct sensor *sensor)
{
	char name[64], *text, *line, *rest;

	snprintf(name, sizeof(name), "named/%s/events", sensor->source.name);
	if (control_read(name, &text))
		return;
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char format[4096], event[EVTLOG_NAME_MAX + 1];
		unsigned int id;
		int fields = 0, bytes;

		/* "type NUMBER NAME": a built-in event. */
		if (sscanf(line, "type %*u %31s", event) == 1)
			sensor_records_learn_builtin(sensor->table, sensor_builtin_type(event));
		if (sscanf(line, "event %u %31s%n", &id, event, &fields) != 2 ||
		    id > EVTLOG_EVENT_ID_MAX || sensor_table_format(sensor->table, id))
			continue;
		bytes = snprintf(format, sizeof(format), "%s\n%s\n", event,
				 line + fields + (line[fields] == ' '));
		if (bytes < (int)sizeof(format))
			sensor_table_learn(sensor->table, id, format, bytes);
	}
	free(text);
}

/* Subscriptions also apply to new events. */
static void mark_subscribed(struct sensor *sensor)
{
	struct sensor_table *table = sensor->table;

	if (sensor->event_count == table->event_count &&
	    sensor->subscriptions == sensor->clients.subscriptions)
		return;
	sensor->event_count = table->event_count;
	sensor->subscriptions = sensor->clients.subscriptions;
	for (size_t i = 0; i < table->event_count; i++)
		table->events[i].is_subscribed = clients_want(&sensor->clients,
							      table->events[i].name);
}

/* Returns as named_source_get(). */
static int take_buffer(struct sensor *sensor, struct stream *stream)
{
	const struct evtlog_buffer_header *buffer;
	int result = named_source_get(&sensor->source, stream, &buffer);
	int error, put_error;

	if (result <= 0)
		return result;
	mark_subscribed(sensor);
	error = sensor_records_add(sensor->table, buffer, send_record, sensor);
	if (error == -EBADMSG)
		sensor->table->damaged++;
	else if (error == -EPROTO)
		pr_err("named buffer %s: its records are of an unknown version: use the evtlog of this kernel",
		       sensor->source.name);
	else if (error == -ENOMEM)
		pr_err("sensor: no memory");
	put_error = named_source_put(&sensor->source, stream);
	return error == -EPROTO || error == -ENOMEM ? error : put_error ?: 1;
}

static int take_all(struct sensor *sensor, unsigned int most)
{
	int result = 0;

	for (size_t i = 0; i < sensor->source.streams.count && result >= 0; i++) {
		unsigned int n = 0;

		do {
			result = take_buffer(sensor, &sensor->source.streams.at[i]);
		} while (result > 0 && ++n < most);
	}
	return result < 0 ? result : 0;
}

/* ---- Outputs ---- */

static void send_stats(struct sensor *sensor, bool is_last)
{
	bool to_stdout = !sensor->options->socket && !sensor->options->textfile &&
			 !sensor->options->ganglia;

	if ((!to_stdout && !sensor->clients.count) || text_start(&sensor->text))
		return;
	sensor_print_stats(sensor->text.out, &sensor->state, is_last);
	if (text_end(&sensor->text))
		return;
	if (to_stdout) {
		fwrite(sensor->text.at, 1, sensor->text.bytes, stdout);
		fflush(stdout);
	}
	clients_send(&sensor->clients, NULL, sensor->text.at, sensor->text.bytes);
}

static void write_textfile(struct sensor *sensor)
{
	const struct sensor_options *options = sensor->options;
	int error = sensor_textfile_write(options->textfile, options->group, &sensor->state);

	if (error)
		sensor->state.textfile_errors++;
	else
		sensor->has_textfile = true;
	if (error && error != sensor->reported_error)
		pr_err("--textfile: %s: %s%s", options->textfile, strerror(-error),
		       sensor->has_textfile ? "; until the next write, the file has old values" : "");
	sensor->reported_error = error;
}

static void update_state(struct sensor *sensor, double seconds)
{
	struct sensor_state *state = &sensor->state;

	state->interval_s = seconds;
	state->now_ns = clock_ns(CLOCK_REALTIME);
	state->clients = sensor->clients.count;
	state->skipped = sensor->clients.skipped;
	state->dropped = sensor->clients.dropped;
	state->ganglia_errors = sensor->ganglia.errors;
}

/* Ends an interval: makes CPUs pass on their records, and outputs the results. */
static int tick(struct sensor *sensor, bool is_last)
{
	uint64_t now = now_ns();
	double seconds = (now - sensor->tick_ns) / 1e9;
	int error;

	named_source_ask(&sensor->source);
	error = take_all(sensor, is_last ? UINT32_MAX : BUFFERS_MOST);
	if (error)
		return error;
	clients_drop_idle(&sensor->clients);
	clients_retry(&sensor->clients);
	sensor_table_tick(sensor->table, seconds);
	update_state(sensor, seconds);
	send_stats(sensor, is_last);
	if (sensor->options->textfile && !is_last)
		write_textfile(sensor);
	if (sensor->options->ganglia)
		ganglia_send(&sensor->ganglia, &sensor->state, now);
	sensor->tick_ns = now;
	sensor->ticks++;
	return 0;
}

/* ---- The loop ---- */

static int serve(struct sensor *sensor)
{
	struct epoll_event events[32];
	int count = epoll_wait(sensor->epoll, events, 32, 0), error = 0;

	for (int i = 0; i < count && error >= 0; i++) {
		uint32_t number = events[i].data.u64;

		/* One buffer per turn, so that all CPUs and clients get a turn. */
		if (events[i].data.u64 & OF_CPU)
			error = take_buffer(sensor, &sensor->source.streams.at[number]);
		else
			clients_ready(&sensor->clients, number, events[i].events,
				      sensor->hello.at, sensor->hello.bytes);
	}
	return error < 0 ? error : 0;
}

static int loop(struct sensor *sensor)
{
	uint64_t interval = sensor->options->interval_ms * (NS / 1000);
	uint64_t next = now_ns() + interval;
	int error = 0;

	sensor->tick_ns = now_ns();

	while (!error && sensor->source.streams.left && !workload_interrupted() &&
	       (!sensor->options->count || sensor->ticks < sensor->options->count)) {
		uint64_t now = now_ns();
		uint64_t left = next > now ? next - now : 0;

		if (left && workload_wait_fd(sensor->epoll, (left + 999999) / 1000000))
			error = serve(sensor);
		now = now_ns();
		if (error || now < next)
			continue;
		error = tick(sensor, false);
		/* Skip intervals that were missed. */
		next += (now - next) / interval * interval + interval;
	}
	return error;
}

static int open_outputs(struct sensor *sensor)
{
	const struct sensor_options *options = sensor->options;
	int error = text_start(&sensor->hello);

	if (!error) {
		sensor_print_hello(sensor->hello.out, &sensor->state);
		error = text_end(&sensor->hello);
	}
	if (error)
		pr_err("sensor: no memory");
	if (!error && options->ganglia)
		error = ganglia_open(&sensor->ganglia, options->ganglia, options->interval_ms);
	if (!error && options->textfile) {
		write_textfile(sensor);
		error = sensor->reported_error;
	}
	if (!error && options->socket)
		error = clients_listen(&sensor->clients, options->socket, options->group,
				       sensor->epoll, OF_CLIENTS);
	return error;
}

static int open_all(struct sensor *sensor)
{
	const struct sensor_options *options = sensor->options;
	int error = named_source_open(&sensor->source, options->wanted.buffer.name, 0);

	if (error)
		return error;
	if (sensor->source.overwrites) {
		pr_err("named buffer %s: it overwrites, so it can be read only after it has ended: add it without --overwrite, or record it with evtlog buffer record",
		       sensor->source.name);
		return -EINVAL;
	}
	sensor->table = sensor_table_new(options->fields, options->histograms);
	if (!sensor->table) {
		pr_err("sensor: no memory");
		return -ENOMEM;
	}
	sensor->state.table = sensor->table;
	sensor->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (sensor->epoll < 0) {
		pr_err("sensor: %s", strerror(errno));
		return -errno;
	}
	learn_list(sensor);
	error = streams_watch(&sensor->source.streams, sensor->epoll, OF_CPU);
	if (error)
		pr_err("sensor: %s", strerror(-error));
	return error ? error : open_outputs(sensor);
}

static void close_all(struct sensor *sensor)
{
	clients_close(&sensor->clients);
	ganglia_close(&sensor->ganglia);
	if (sensor->has_textfile)
		unlink(sensor->options->textfile);
	if (sensor->epoll >= 0)
		close(sensor->epoll);
	named_source_close(&sensor->source);
	sensor_table_free(sensor->table);
	text_free(&sensor->text);
	text_free(&sensor->hello);
}

int sensor_run(struct sensor_options *options)
{
	struct sensor_setup setup;
	struct sensor sensor = {
		.options = options, .epoll = -1, .ganglia.fd = -1,
	};
	uint64_t lost = 0;
	int error;

	sensor.state = (struct sensor_state){ .source = &sensor.source,
					      .interval_ms = options->interval_ms,
					      .start_ns = clock_ns(CLOCK_REALTIME) };
	clients_init(&sensor.clients);
	workload_signals();
	error = sensor_setup(&setup, &options->wanted);
	if (!error)
		error = open_all(&sensor);
	if (!error && !options->count)
		pr_info("named buffer %s: rates every %g s; press Ctrl-C to stop",
			options->wanted.buffer.name, options->interval_ms / 1e3);
	if (!error)
		error = loop(&sensor);
	if (!error) {
		sensor_setup_end(&setup);
		error = tick(&sensor, true);
		lost = sensor_lost(&sensor.state);
	}
	close_all(&sensor);
	sensor_setup_undo(&setup);
	if (lost)
		pr_info("named buffer %s: %" PRIu64 " events lost", options->wanted.buffer.name, lost);
	return error ? EXIT_FAILED : lost ? EXIT_EVENTS_LOST : EXIT_OK;
}
