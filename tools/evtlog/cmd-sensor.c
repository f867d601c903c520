// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog sensor: rates, histograms and last values of events while they happen, for programs.
 */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "control/control.h"
#include "sensor/sensor.h"

enum { TEXTFILE = 256, GANGLIA, HISTOGRAM, GLOBAL, URGENT, IF, BUFFERS, INTERVAL, FIELDS,
       SOCKET, GROUP };

#define NAME_DEFAULT	"sensor"

/* 500ms or 2s */
static int parse_interval(uint64_t *ms, const char *text)
{
	uint64_t number;

	if (number_read(&number, &text, SENSOR_INTERVAL_MS_MAX))
		return -EINVAL;
	if (!strcmp(text, "s"))
		number *= 1000;
	else if (strcmp(text, "ms"))
		return -EINVAL;
	if (number < SENSOR_INTERVAL_MS_MIN || number > SENSOR_INTERVAL_MS_MAX)
		return -EINVAL;
	*ms = number;
	return 0;
}

static int take_probe(struct sensor_wanted *wanted, char *value)
{
	if (wanted->probe_count == sizeof(wanted->probes) / sizeof(*wanted->probes))
		return misuse("sensor", "--probe: at most %zu probes; add more with evtlog probe add --buffer",
			      wanted->probe_count);
	wanted->probes[wanted->probe_count++] = value;
	return 0;
}

static int take_group(gid_t *group, const char *name)
{
	const struct group *entry = getgrnam(name);

	if (!entry)
		return misuse("sensor", "--group: there is no group %s", name);
	*group = entry->gr_gid;
	return 0;
}

static int take_buffer_option(struct sensor_wanted *wanted, int option, char *value)
{
	switch (option) {
	case 'e':
		wanted->buffer.events = value;
		return 0;
	case URGENT:
		wanted->buffer.urgent = value;
		return 0;
	case IF:
		wanted->buffer.condition = value;
		return 0;
	case BUFFERS:
		control_buffers_size(value, &wanted->buffer.buffers, &wanted->buffer.kb);
		return 0;
	case GLOBAL:
		wanted->buffer.is_global = true;
		return 0;
	default:
		return take_probe(wanted, value);
	}
}

static int take_option(void *context, int option, char *value)
{
	struct sensor_options *options = context;

	switch (option) {
	case INTERVAL:
		return parse_interval(&options->interval_ms, value);
	case 'n':
		return number_parse(&options->count, value, 1, UINT64_MAX);
	case FIELDS:
		options->fields = value;
		return 0;
	case HISTOGRAM:
		options->histograms = value;
		return 0;
	case SOCKET:
		options->socket = value;
		return 0;
	case GROUP:
		return take_group(&options->group, value);
	case TEXTFILE:
		options->textfile = value;
		return 0;
	case GANGLIA:
		options->ganglia = value;
		return 0;
	default:
		return take_buffer_option(&options->wanted, option, value);
	}
}

static const struct option_desc table[] = {
	{ 'p', "probe", "PROBE", .help = "insert this probe, as evtlog probe add does; can be "
	  "repeated" },
	{ 'e', "events", "LIST", .help = "record these events into the named buffer: names "
	  "separated by commas; udp_* is all events of modules with this beginning" },
	{ URGENT, "urgent", "LIST", .help = "send these events to clients at once, not after the "
	  "interval" },
	{ IF, "if", "FILTER", .help = "count only events that pass FILTER: cpu==1 && pid!=4711" },
	{ BUFFERS, "buffers", "SIZE", .help = "use this number of buffers per CPU, and this size in "
	  "KiB: 8, 8x512 or x512 (default 4x256)" },
	{ GLOBAL, "global", .help = "use one ring for all CPUs, with records in the order of "
	  "writing" },
	{ INTERVAL, "interval", "TIME", .help = "set the interval of rates to TIME (default 1s)",
	  .kind = VALUE_TEXT, .valid = "a time from 10ms to 3600s, such as 500ms" },
	{ 'n', "count", "N", .help = "end after N intervals", .kind = VALUE_TEXT,
	  .valid = "a number from 1 on" },
	{ FIELDS, "fields", "LIST", .help = "compute only these fields: EVENT.FIELD with * and ?, "
	  "separated by commas (default all amounts)" },
	{ HISTOGRAM, "histogram", "LIST", .help = "keep histograms of these fields, named as for "
	  "--fields; '*' is all" },
	{ SOCKET, "socket", "PATH", .help = "serve lines of JSON to clients of the unix socket "
	  "PATH", .kind = VALUE_FILE },
	{ TEXTFILE, "textfile", "FILE", .help = "write FILE for Prometheus' node_exporter; its "
	  "name ends with .prom",
	  .kind = VALUE_FILE },
	{ GANGLIA, "ganglia", "TARGET", .help = "send metrics to the gmond at TARGET, HOST:PORT, "
	  "by UDP without encryption" },
	{ GROUP, "group", "NAME", .help = "allow this group, not only root, to use the socket and "
	  "read the file" },
	{ }
};

static const struct options options = {
	.command = "sensor",
	.usage = "[OPTION...] [NAME]",
	.about = "Compute rates, last values, sums and histograms of the events of the named buffer "
		 "NAME while they happen, without writing events to a file. Serve the results to "
		 "clients of a unix socket, to Prometheus or to Ganglia; without any of these, "
		 "print lines of JSON to standard output. With --probe or --events, create the "
		 "named buffer (default " NAME_DEFAULT ") and the probes, and delete them at the "
		 "end. Else the named buffer must exist: see evtlog buffer.",
	.table = table,
	.notes =
	"A client of the socket gets a line every interval. If it sends a line 'subscribe\n"
	"EVENT,EVENT...', it also gets a line for each record of these events: at once if\n"
	"the event is --urgent.\n"
	"\n"
	"Exit status: 0 success; 1 failure; 2 misuse; 4 done, but events were lost.\n"
	"\n"
	"Examples:\n"
	"  evtlog sensor --probe 'udp_sendmsg(len)' | jq .events.udp_sendmsg.rate\n"
	"  evtlog sensor -p 'vfs_read%return(retval)' --histogram '*' \\\n"
	"    --group prometheus --textfile /var/lib/prometheus/node-exporter/e.prom\n"
	"  evtlog sensor -p 'oom_kill_process()' --urgent '*' --socket /run/evtlog.sock &\n"
	"  (echo 'subscribe *'; cat) | socat - /run/evtlog.sock\n"
	"  evtlog sensor --events sched_switch,softirq | jq .events.sched_switch.rate\n"
	"  evtlog sensor -p 'tcp_retransmit_skb()' --interval 10s --ganglia 10.0.0.1:8649\n",
	.take = take_option,
};

static bool makes_buffer(const struct sensor_wanted *wanted)
{
	return wanted->buffer.events || wanted->probe_count;
}

/* An exit status; EXIT_OK: they can be. */
static int check(const struct sensor_options *o)
{
	size_t length = o->textfile ? strlen(o->textfile) : 0;
	const struct control_buffer_wanted *buffer = &o->wanted.buffer;

	if (control_buffer_bad(buffer))
		return misuse("sensor", "%s: is empty, or has blanks: give one word",
			      control_buffer_bad(buffer));
	if (!makes_buffer(&o->wanted) && (buffer->urgent || buffer->condition || buffer->kb ||
					  buffer->buffers || buffer->is_global))
		return misuse("sensor", "--urgent, --if, --buffers and --global need --probe or --events, which make a named buffer");
	if (o->textfile && (length < 6 || strcmp(o->textfile + length - 5, ".prom")))
		return misuse("sensor", "--textfile: %s: node_exporter reads only names that end with .prom",
			      o->textfile);
	if (o->group != (gid_t)-1 && !o->socket && !o->textfile)
		return misuse("sensor", "--group is for --socket and --textfile");
	if (o->socket && !*o->socket)
		return misuse("sensor", "--socket: the name is empty");
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct sensor_options request = { .interval_ms = 1000, .group = -1 };
	int result = options_take(&options, argc, argv, &request);

	if (result != OPTIONS_TAKEN)
		return result;
	if (argc - optind > 1)
		return misuse("sensor", "only one named buffer can be given");
	if (argc == optind && !makes_buffer(&request.wanted))
		return misuse("sensor", "no named buffer is given; give one, or use --probe or --events");
	request.wanted.buffer.name = argc > optind ? argv[optind] : NAME_DEFAULT;
	if (strlen(request.wanted.buffer.name) > 31 || strchr(request.wanted.buffer.name, '/'))
		return misuse("sensor", "%s: not a valid name of a named buffer", request.wanted.buffer.name);
	result = check(&request);
	if (result != EXIT_OK)
		return result;
	return finish(sensor_run(&request));
}

const struct evtlog_command command_sensor = {
	.name = "sensor",
	.summary = "serve rates and histograms of events while they happen",
	.run = run,
};
