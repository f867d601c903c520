// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog buffer: adds, lists, records, ends and deletes named buffers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/options.h"
#include "control/buffers.h"
#include "control/control.h"
#include "control/file.h"
#include "record/named.h"
#include "record/workload.h"

/* @flight: of record --when; @flight.rule: NULL: it is not given */
struct request {
	struct control_buffer_wanted wanted;
	struct flight_options flight;
	const char *output;
	bool as_json;
};

static int order(char sign, const char *name)
{
	int error = control_buffer_order(sign, name);

	if (error)
		control_buffer_say_refused(name, error);
	return error ? EXIT_FAILED : EXIT_OK;
}

/* "*" */
static int order_each(char sign)
{
	struct control_buffers buffers;
	int result = EXIT_OK, error = control_buffers_read(&buffers);

	if (error) {
		control_buffer_say_refused("*", error);
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < buffers.count; i++)
		if (order(sign, buffers.at[i].name) != EXIT_OK)
			result = EXIT_FAILED;
	control_buffers_free(&buffers);
	return result;
}

static int order_all(char sign, char **names)
{
	int result = EXIT_OK;

	for (; *names; names++)
		if ((strcmp(*names, "*") ? order(sign, *names) : order_each(sign)) != EXIT_OK)
			result = EXIT_FAILED;
	return result;
}

static bool names_builtin(const char *begin, size_t length)
{
	struct control_event event;
	char *now = control_events_now();
	const char *at = now;
	bool found = false;

	while (now && !found && control_events_next(&at, &event))
		found = event.length >= length && !strncmp(event.name, begin, length);
	free(now);
	return found;
}

/* "sched_*" looks as if it were sched. */
static void warn_of_patterns(const struct control_buffer_wanted *wanted)
{
	const char *word = wanted->events;
	size_t length;

	for (; word && *word; word += length + (word[length] == ',')) {
		length = strcspn(word, ",");
		if (length > 1 && word[length - 1] == '*' && names_builtin(word, length - 1))
			pr_warn("%s: the buffer records no built-in events by %.*s, which matches only events of probes and modules; give names, or a group, such as sched",
				wanted->name, (int)length, word);
	}
}

static int add(const struct control_buffer_wanted *wanted)
{
	int error = control_buffer_add(NULL, wanted);

	if (error)
		control_buffer_say_refused(wanted->name, error);
	else
		warn_of_patterns(wanted);
	return error ? EXIT_FAILED : EXIT_OK;
}

static void print_json(const struct control_buffers *buffers)
{
	struct json json;

	json_start(&json, stdout, false);
	json_array(&json, NULL);
	for (size_t i = 0; i < buffers->count; i++) {
		const struct control_buffer *b = &buffers->at[i];

		json_object(&json, NULL);
		json_string(&json, "name", b->name);
		json_u64(&json, "run", b->run);
		json_string(&json, "state", b->state);
		json_u64(&json, "buffers", b->buffers);
		json_u64(&json, "kb", b->kb);
		json_u64(&json, "records", b->records);
		json_u64(&json, "rejected", b->rejected);
		json_u64(&json, "lost", b->lost);
		json_u64(&json, "waiting", b->waiting);
		if (b->overwrites)
			json_u64(&json, "overwritten", b->overwritten);
		else
			json_null(&json, "overwritten");
		json_string(&json, "events", strcmp(b->events, "-") ? b->events : NULL);
		json_string(&json, "urgent", strcmp(b->urgent, "-") ? b->urgent : NULL);
		json_bool(&json, "global", b->is_global);
		json_string(&json, "filter", *b->condition ? b->condition : NULL);
		json_end(&json);
	}
	json_end(&json);
}

static void print_text(const struct control_buffers *buffers)
{
	if (buffers->count)
		printf("%-16s %-9s %11s %12s %10s %8s %7s %s\n", "name", "state", "size",
		       "records", "rejected", "lost", "waiting", "events");
	for (size_t i = 0; i < buffers->count; i++) {
		const struct control_buffer *b = &buffers->at[i];
		char size[32];

		snprintf(size, sizeof(size), "%" PRIu64 "x%" PRIu64 "K", b->buffers, b->kb);
		printf("%-16s %-9s %11s %12" PRIu64 " %10" PRIu64 " %8" PRIu64 " %7" PRIu64 " %s",
		       b->name, b->state, size, b->records, b->rejected, b->lost, b->waiting,
		       b->events);
		if (b->is_global)
			printf(", global");
		if (strcmp(b->urgent, "-"))
			printf(", urgent %s", b->urgent);
		if (b->overwrites)
			printf(", overwrites, %" PRIu64 " buffers so far", b->overwritten);
		printf("%s%s\n", *b->condition ? " if " : "", b->condition);
	}
}

static int list(bool as_json)
{
	struct control_buffers buffers;
	int error = control_buffers_read(&buffers);

	if (error) {
		control_buffer_say_refused("list", error);
		return EXIT_FAILED;
	}
	if (as_json)
		print_json(&buffers);
	else
		print_text(&buffers);
	control_buffers_free(&buffers);
	return EXIT_OK;
}

static int record(const char *name, const char *path)
{
	struct named_totals totals;
	int error;

	workload_signals();
	error = named_record(name, path, &totals);
	if (error && !totals.buffers)
		return EXIT_FAILED;
	if (totals.is_cut)
		pr_err("%s: cut after %" PRIu64 " buffers, %" PRIu64 " bytes: the next buffer is lost, and later buffers are still in named buffer %s; free disk space and record them to another file",
		       path, totals.buffers, totals.bytes, name);
	else
		pr_info("%s: %" PRIu64 " buffers, %" PRIu64 " bytes, %" PRIu64 " events lost", path,
			totals.buffers, totals.bytes, totals.lost);
	if (error)
		return EXIT_FAILED;
	return totals.lost || totals.was_deleted ? EXIT_EVENTS_LOST : EXIT_OK;
}

enum { WHEN = 256, LAST, AFTER, URGENT, IF, KB, BUFFERS, GLOBAL, OVERWRITE };

static int take_option(void *context, int option, char *value)
{
	struct request *request = context;
	struct control_buffer_wanted *wanted = &request->wanted;
	struct flight_options *flight = &request->flight;

	switch (option) {
	case 'e':
		wanted->events = value;
		return 0;
	case URGENT:
		wanted->urgent = value;
		return 0;
	case IF:
		wanted->condition = value;
		return 0;
	case KB:
		wanted->kb = value;
		return 0;
	case BUFFERS:
		wanted->buffers = value;
		return 0;
	case GLOBAL:
		wanted->is_global = true;
		return 0;
	case 'o':
		request->output = value;
		return 0;
	case 'p':
		if (flight->probe_count == FLIGHT_PROBES_MAX)
			return misuse("buffer", "at most %d probes", FLIGHT_PROBES_MAX);
		flight->probes[flight->probe_count++] = value;
		return 0;
	case WHEN:
		flight->rule = value;
		return 0;
	case LAST:
		flight->last = value;
		return 0;
	case AFTER:
		flight->after = value;
		return 0;
	case OVERWRITE:
		wanted->overwrites = true;
		return 0;
	default:
		request->as_json = true;
		return 0;
	}
}

static const struct option_desc table[] = {
	{ 'e', "events", "LIST", .help = "record these events: names separated by commas; udp_* is "
	  "all events with this beginning" },
	{ URGENT, "urgent", "LIST", .help = "wake the reader at once for these events" },
	{ IF, "if", "FILTER", .help = "record only events that pass FILTER: cpu==1 && pid!=4711" },
	{ KB, "kb", "KIB", .help = "use buffers of KIB KiB (default 256)" },
	{ BUFFERS, "buffers", "N", .help = "use N buffers per CPU, 2 to 64 "
	  "(default 4; with --when 8)" },
	{ GLOBAL, "global", .help = "use one ring for all CPUs, "
	  "with records in the order of writing" },
	{ OVERWRITE, "overwrite", .help = "overwrite the oldest buffer when all are full; read "
	  "them after the end" },
	{ 'o', "output", "FILE", .kind = VALUE_FILE, .help = "record to FILE" },
	{ WHEN, "when", "RULE", .help = "record: wait until events match RULE, then record the "
	  "time before the match; RULE is as for evtlog watch add, without in and do" },
	{ LAST, "last", "TIME", .help = "with --when: record TIME before the match, such as "
	  "200ms (default 100ms)" },
	{ AFTER, "after", "TIME", .help = "with --when: record TIME after the match "
	  "(default none)" },
	{ 'p', "probe", "PROBE", .help = "with --when: insert this probe for the recording, see "
	  "evtlog probe --help; can be repeated" },
	{ 'j', "json", .help = "print the list, or the match, as JSON" },
	{ }
};

static const struct options options = {
	.command = "buffer",
	.usage = "add NAME [OPTION...]\nrecord NAME -o FILE\nrecord -o FILE --when RULE [OPTION...]\nend NAME...\ndel NAME...\nlist [-j]",
	.about = "Add, record, end, delete or list named buffers. A named buffer is a set of "
		 "buffers per CPU for selected events, with its own size, filter and reader. The "
		 "events are those of probes and modules, and built-in events such as sched_switch "
		 "and softirq. They are recorded with or without a run, and are missing in runs.",
	.table = table,
	.notes =
	"record writes a file for evtlog dump until the buffer is ended or deleted, or\n"
	"until Ctrl-C. del discards unread events: end the buffer first to read them all.\n"
	"For end and del, '*' is all named buffers.\n"
	"\n"
	"record --when is a flight recorder. It adds a buffer for the given events and\n"
	"probes. The newest events replace the oldest in memory, and nothing is written\n"
	"to disk until events match RULE. Then it writes the file and deletes the buffer\n"
	"and the probes. It prints a message if the buffer was too small for --last.\n"
	"\n"
	"Exit status: 0 success; 1 failure; 2 misuse; 4 recorded, but events were lost.\n"
	"\n"
	"Examples:\n"
	"  evtlog buffer add net --kb 512 --events 'udp_*,ip_send_skb'\n"
	"  evtlog probe add --buffer net 'udp_sendmsg(len)'\n"
	"  evtlog buffer record net -o net.evl\n"
	"  evtlog buffer add lat --events sched_switch,softirq\n"
	"  evtlog buffer add order --global --events 'my_*'\n"
	"  evtlog buffer list --json | jq '.[].lost'\n"
	"  evtlog buffer end net\n"
	"  evtlog buffer del net\n"
	"  evtlog buffer record -o slow.evl --last 200ms -p 'udp_sendmsg(sk)' \\\n"
	"    -p 'ip_send_skb(sk=skb->sk)' \\\n"
	"    --when 'udp_sendmsg then ip_send_skb after 2ms within 1s, same sk'\n",
	.take = take_option,
};

/* An exit status */
static int check_names(char **names)
{
	for (; *names; names++)
		if (!words_is_one(*names))
			return misuse("buffer", "\"%s\": not a valid name of a named buffer: a letter, then letters, digits and ._-, at most 31",
				      *names);
	return EXIT_OK;
}

static int check_wanted(const struct control_buffer_wanted *wanted)
{
	const char *bad = control_buffer_bad(wanted);

	return bad ? misuse("buffer", "%s: is empty, or has blanks: give one word, such as udp_*,vfs_read for --events",
			    bad) : EXIT_OK;
}

static bool has_flight_options(const struct flight_options *flight)
{
	return flight->rule || flight->last || flight->after || flight->probe_count;
}

/* record --when */
static int fly(struct request *request, int count)
{
	struct control_buffer_wanted *wanted = &request->wanted;
	struct flight_options *flight = &request->flight;
	int result;

	if (!flight->rule)
		return misuse("buffer", "--last, --after and --probe need --when");
	if (count)
		return misuse("buffer", "record --when makes its own buffer: leave out the name");
	if (wanted->urgent || wanted->is_global || wanted->overwrites)
		return misuse("buffer", "record --when: leave out --urgent, --global and --overwrite");
	if (!flight->probe_count && !wanted->events)
		return misuse("buffer", "record --when: no events are given: use --probe or --events");
	result = check_wanted(wanted);
	if (result != EXIT_OK)
		return result;
	flight->output = request->output;
	wanted->buffers = wanted->buffers ? wanted->buffers : "8";
	flight->buffer = wanted;
	flight->last = flight->last ? flight->last : "100ms";
	flight->as_json = request->as_json;
	return finish(flight_record(flight));
}

static int record_args(struct request *request, char **names, int count)
{
	if (!request->output)
		return misuse("buffer", "record: no file is given: use -o FILE");
	if (has_flight_options(&request->flight))
		return fly(request, count);
	return finish(record(*names, request->output));
}

/* An exit status */
static int check_verb(const struct request *request, const char *verb, int count)
{
	const struct control_buffer_wanted *wanted = &request->wanted;
	bool adds = !strcmp(verb, "add"), records = !strcmp(verb, "record");
	bool flies = records && has_flight_options(&request->flight);

	if (!adds && !flies &&
	    (wanted->events || wanted->urgent || wanted->condition || wanted->kb ||
	     wanted->buffers || wanted->is_global || wanted->overwrites))
		return misuse("buffer", "options of buffers and events are for add and record --when");
	if (!records && (request->output || has_flight_options(&request->flight)))
		return misuse("buffer", "--output, --when, --last, --after and --probe are for record");
	if (!strcmp(verb, "list"))
		return count ? misuse("buffer", "list takes no names") : EXIT_OK;
	if (request->as_json && !flies)
		return misuse("buffer", "--json is for list and for record --when");
	if (!adds && !records && strcmp(verb, "end") && strcmp(verb, "del"))
		return misuse("buffer", "give an action: add, record, end, del or list");
	if (count < 1 && !flies)
		return misuse("buffer", "%s: no name is given", verb);
	if ((adds || records) && count > 1)
		return misuse("buffer", "%s takes one name", verb);
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct request request = { 0 };
	struct control_buffer_wanted *wanted = &request.wanted;
	int result = options_take(&options, argc, argv, &request);
	const char *verb = optind < argc ? argv[optind] : "";
	char **names = argv + optind + 1;
	int count = argc - optind - 1;

	if (result != OPTIONS_TAKEN)
		return result;
	result = check_verb(&request, verb, count);
	if (result == EXIT_OK && count > 0)
		result = check_names(names);
	if (result != EXIT_OK)
		return result;
	if (!strcmp(verb, "list"))
		return finish(list(request.as_json));
	if (!strcmp(verb, "record"))
		return record_args(&request, names, count);
	if (strcmp(verb, "add"))
		return finish(order_all(*verb == 'e' ? '!' : '-', names));
	wanted->name = *names;
	result = check_wanted(wanted);
	return result == EXIT_OK ? finish(add(wanted)) : result;
}

const struct evtlog_command command_buffer = {
	.name = "buffer",
	.summary = "record selected events into separate buffers",
	.run = run,
};
