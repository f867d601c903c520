// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog flight: records the last milliseconds before events follow each other in a given way.
 *
 * Makes a named buffer that overwrites, sends probes and events there, adds the rule that ends it,
 * writes the file, and takes all away again.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "common/options.h"
#include "control/buffers.h"
#include "control/control.h"
#include "control/probes.h"
#include "control/session.h"
#include "control/watches.h"
#include "record/named.h"
#include "record/workload.h"

#define PROBES_MAX	64
#define ORDER_BYTES	4096

/*
 * @name:	of the named buffer, and of the watch
 * @matches:	descriptor of the file, open since before the watch
 * @made: of @probes
 * @session:	that has the named buffer, the probes and the watch
 */
struct flight {
	const char *output, *last, *after, *events, *kb, *buffers;
	char *probes[PROBES_MAX + 1];
	struct control_probe_texts made;
	int probes_count;
	bool as_json;
	char name[32];
	int matches;
	struct control_session session;
};

/* The kernel's sentence about the last order, of @what, of a control file, whose first line it is. */
static int say_refused(const char *file, const char *what, int error)
{
	char *text, *end;

	/* The kernel has not seen it: its sentence is of another order. */
	if (error == -E2BIG) {
		pr_err("%s: too long; make it shorter", what);
		return EXIT_FAILED;
	}
	if (error == -EPERM || error == -EACCES || control_read(file, &text)) {
		control_say_failed(file, error);
		return EXIT_FAILED;
	}
	end = strchr(text, '\n');
	if (end)
		*end = '\0';
	if (!strncmp(text, "error ", 6))
		pr_err("%s: %s", what, text + 6);
	else
		control_say_failed(file, error);
	free(text);
	return EXIT_FAILED;
}

/* Adds something that has the flight's name. */
__attribute__((format(printf, 4, 5)))
static int order(struct flight *flight, const char *file, const char *what, const char *format, ...)
{
	char text[ORDER_BYTES], undo[sizeof(flight->name) + 1];
	va_list args;
	size_t used;
	int error;

	va_start(args, format);
	used = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(undo, sizeof(undo), "-%s", flight->name);
	error = used < sizeof(text) ? control_session_order(&flight->session, file, text, undo, NULL) :
				      -E2BIG;
	return error ? say_refused(file, what, error) : EXIT_OK;
}

static int add_buffer(struct flight *flight)
{
	return order(flight, CONTROL_BUFFERS, flight->events ? flight->events : "flight",
		     "+%s mode=overwrite kb=%s buffers=%s%s%s", flight->name, flight->kb,
		     flight->buffers, flight->events ? " events=" : "",
		     flight->events ? flight->events : "");
}

/* All or none. */
static int add_probes(struct flight *flight)
{
	struct control_probe_texts *made = &flight->made;
	int count = flight->probes_count, error;
	char reason[512];

	if (!count)
		return EXIT_OK;
	if (control_probe_texts_make(made, flight->name, flight->probes, (size_t)count, reason,
				     sizeof(reason))) {
		pr_err("--probe: %s", reason);
		return EXIT_FAILED;
	}
	error = control_probes_add(&flight->session, made);
	if (error)
		say_refused("probes", count == 1 ? flight->probes[0] : "--probe", error);
	else
		control_probe_texts_say_clones(made);
	return error ? EXIT_FAILED : EXIT_OK;
}

static int add_watch(struct flight *flight, char **words)
{
	char rule[ORDER_BYTES / 2] = "";
	size_t used = 0;

	for (; *words && used < sizeof(rule); words++)
		used += snprintf(rule + used, sizeof(rule) - used, " %s", *words);
	if (used >= sizeof(rule)) {
		pr_err("flight: the rule is too long: at most 511 characters");
		return EXIT_FAILED;
	}
	flight->matches = open(CONTROL_DIRECTORY "/" CONTROL_MATCHES,
			       O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (flight->matches < 0) {
		control_say_failed(CONTROL_MATCHES, -errno);
		return EXIT_FAILED;
	}
	return order(flight, CONTROL_WATCHES, "flight", "+%s in %s%s do keep %s%s%s%s",
		     flight->name, flight->name, rule, flight->last, flight->after ? " and " : "",
		     flight->after ? flight->after : "", flight->after ? " after" : "");
}

/* The match that ended it, of all that were told. */
static bool print_match(const struct flight *flight)
{
	static char text[CONTROL_MATCH_BYTES + 1];
	bool is_whole = false;
	ssize_t bytes;
	char *line, *rest;

	while ((bytes = read(flight->matches, text, CONTROL_MATCH_BYTES)) > 0) {
		text[bytes] = '\0';
		for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
			struct control_match match;

			if (control_match_parse(&match, line) || strcmp(match.watch, flight->name))
				continue;
			match_print(&match, flight->as_json);
			is_whole = match.is_whole;
		}
	}
	return is_whole;
}

static int record(struct flight *flight)
{
	struct named_totals totals;
	bool is_whole;
	int error = named_record(flight->name, flight->output, &totals);

	if (error)
		return EXIT_FAILED;
	if (workload_interrupted()) {
		unlink(flight->output);
		pr_err("flight: interrupted before a match: nothing is recorded");
		return EXIT_FAILED;
	}
	is_whole = print_match(flight);
	pr_info("%s: %" PRIu64 " buffers, %" PRIu64 " bytes, %" PRIu64 " events lost",
		flight->output, totals.buffers, totals.bytes, totals.lost);
	return totals.lost || totals.was_deleted || !is_whole ? EXIT_EVENTS_LOST : EXIT_OK;
}

static int fly(struct flight *flight, char **words)
{
	int result;

	snprintf(flight->name, sizeof(flight->name), "flight.%d", (int)getpid());
	workload_signals();
	if (control_session_open(&flight->session))
		return EXIT_FAILED;
	/* The named buffer is first, because events go there as long as the watch exists. */
	result = add_buffer(flight);
	if (result == EXIT_OK)
		result = add_probes(flight);
	if (result == EXIT_OK)
		result = add_watch(flight, words);
	if (result == EXIT_OK)
		result = record(flight);
	control_session_close(&flight->session);
	control_probe_texts_free(&flight->made);
	if (flight->matches >= 0)
		close(flight->matches);
	return result;
}

static int take_option(void *context, int option, char *value)
{
	struct flight *flight = context;

	switch (option) {
	case 'o':
		flight->output = value;
		return 0;
	case 'l':
		flight->last = value;
		return 0;
	case 'a':
		flight->after = value;
		return 0;
	case 'e':
		flight->events = value;
		return 0;
	case 'k':
		flight->kb = value;
		return 0;
	case 'b':
		flight->buffers = value;
		return 0;
	case 'p':
		if (flight->probes_count == PROBES_MAX)
			return misuse("flight", "at most %d probes", PROBES_MAX);
		flight->probes[flight->probes_count++] = value;
		return 0;
	default:
		flight->as_json = true;
		return 0;
	}
}

static const struct option_desc table[] = {
	{ 'o', "output", "FILE", .kind = VALUE_FILE, .help = "the file to record to" },
	{ 'l', "last", "TIME", .help = "how much before the match, as 200ms (default 100ms)" },
	{ 'a', "after", "TIME", .help = "how much behind it (default none)" },
	{ 'p', "probe", "PROBE", .help = "insert this probe meanwhile, as evtlog probe add; can be repeated" },
	{ 'e', "events", "LIST", .help = "names of events to record, separated by commas" },
	{ 'k', "kb", "KIB", .help = "size of a buffer (default 256)" },
	{ 'b', "buffers", "N", .help = "buffers of each CPU, 2 to 64 (default 8)" },
	{ 'j', "json", .help = "print the match as JSON" },
	{ }
};

static const struct options options = {
	.command = "flight",
	.usage = "-o FILE [OPTION...] RULE",
	.about = "Wait until events follow each other as RULE says, and record the last "
		 "milliseconds before. Meanwhile events stay in memory, the newest in place of the "
		 "oldest, and nothing is written to disk. RULE is what evtlog watch add takes, "
		 "without in and do.",
	.table = table,
	.notes =
	"The file is for evtlog dump and the others. How much of the past fits depends on\n"
	"how many events come: if it is less than --last, the command says so.\n"
	"Probes are deleted at the end. Ctrl-C ends without a file.\n"
	"\n"
	"Exit status: 0 success; 1 failure; 2 misuse; 4 recorded, but not all was there.\n"
	"\n"
	"Examples:\n"
	"  evtlog flight -o slow.evl --last 200ms -p 'udp_sendmsg(sk)' \\\n"
	"    -p 'ip_send_skb(sk=skb->sk)' \\\n"
	"    'udp_sendmsg then ip_send_skb after 2ms within 1s, same sk'\n"
	"  evtlog dump slow.evl\n",
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct flight flight = { .last = "100ms", .kb = "256", .buffers = "8", .matches = -1 };
	int result = options_take(&options, argc, argv, &flight);

	if (result != OPTIONS_TAKEN)
		return result;
	if (!flight.output)
		return misuse("flight", "no file is given: use -o FILE");
	if (optind == argc)
		return misuse("flight", "no rule is given");
	if (!flight.probes_count && !flight.events)
		return misuse("flight", "no events are given: use --probe or --events");
	return finish(fly(&flight, argv + optind));
}

const struct evtlog_command command_flight = {
	.name = "flight",
	.summary = "record what was before events follow each other",
	.run = run,
};
