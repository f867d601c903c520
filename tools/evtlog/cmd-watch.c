// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog watch: adds, lists and deletes rules over the stream of events, and waits for matches.
 *
 * The kernel interprets rules, and reports their errors.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/number.h"
#include "common/options.h"
#include "control/control.h"
#include "control/file.h"
#include "control/watches.h"
#include "record/workload.h"

#define ORDER_BYTES	4096
#define PERIOD_MS_MAX	1000

struct request {
	bool as_json;
	uint64_t count;
	uint32_t timeout_ms;
	uint32_t period_ms;
};

static int order(const char *text, const char *name)
{
	int error = control_write(CONTROL_WATCHES, text);

	if (error)
		control_say_refused(CONTROL_WATCHES, name, error);
	return error ? EXIT_FAILED : EXIT_OK;
}

static int add(const char *name, char **words, uint32_t period_ms)
{
	char text[ORDER_BYTES];
	size_t used;

	if (period_ms) {
		snprintf(text, sizeof(text), "period %" PRIu32, period_ms);
		if (order(text, "period") != EXIT_OK)
			return EXIT_FAILED;
	}
	used = snprintf(text, sizeof(text), "+%s", name);
	for (; *words && used < sizeof(text); words++)
		used += snprintf(text + used, sizeof(text) - used, " %s", *words);
	if (used < sizeof(text))
		return order(text, name);
	pr_err("%s: the rule is too long: at most 511 characters", name);
	return EXIT_FAILED;
}

static int delete_all(char **names)
{
	char text[ORDER_BYTES];
	int result = EXIT_OK;

	for (; *names; names++) {
		snprintf(text, sizeof(text), "-%.64s", *names);
		if (order(text, *names) != EXIT_OK)
			result = EXIT_FAILED;
	}
	return result;
}

static void print_json(const struct control_watches *watches)
{
	struct json json;

	json_start(&json, stdout, false);
	json_array(&json, NULL);
	for (size_t i = 0; i < watches->count; i++) {
		const struct control_watch *w = &watches->at[i];

		json_object(&json, NULL);
		json_string(&json, "name", w->name);
		json_string(&json, "state", w->state);
		json_u64(&json, "matches", w->matches);
		json_u64(&json, "untold", w->untold);
		json_u64(&json, "forgotten", w->forgotten);
		json_u64(&json, "missed", w->missed);
		json_u64(&json, "lost", w->lost);
		json_u64(&json, "records", w->records);
		json_string(&json, "rule", w->rule);
		json_end(&json);
	}
	json_end(&json);
}

static void print_text(const struct control_watches *watches)
{
	if (watches->count)
		printf("%-16s %-6s %10s %8s %9s %7s %8s %s\n", "name", "state", "matches",
		       "untold", "forgotten", "missed", "lost", "rule");
	for (size_t i = 0; i < watches->count; i++) {
		const struct control_watch *w = &watches->at[i];

		printf("%-16s %-6s %10" PRIu64 " %8" PRIu64 " %9" PRIu64 " %7" PRIu64 " %8" PRIu64
		       " %s\n", w->name, w->state, w->matches, w->untold, w->forgotten, w->missed,
		       w->lost, w->rule);
	}
}

static int list(bool as_json)
{
	struct control_watches watches;
	int error = control_watches_read(&watches);

	if (error) {
		control_say_failed(CONTROL_WATCHES, error);
		return EXIT_FAILED;
	}
	if (as_json)
		print_json(&watches);
	else
		print_text(&watches);
	control_watches_free(&watches);
	return EXIT_OK;
}

static bool is_among(char **names, const char *name)
{
	if (!*names)
		return true;
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

/* How many of the lines are matches of these watches; each is printed, up to @left. */
static uint64_t print_lines(char *text, char **names, const struct request *request,
			    uint64_t left)
{
	uint64_t printed = 0;
	char *line, *rest;

	for (line = strtok_r(text, "\n", &rest); line && printed < left;
	     line = strtok_r(NULL, "\n", &rest)) {
		struct control_match match;
		uint64_t missed;

		if (sscanf(line, "missed %" SCNu64, &missed) == 1)
			pr_warn("%" PRIu64 " matches were lost: they came faster than this evtlog reads them", missed);
		else if (control_match_parse(&match, line))
			pr_warn("this evtlog cannot read a match: use the evtlog of this kernel");
		else if (is_among(names, match.watch)) {
			match_print(&match, request->as_json);
			printed++;
		}
	}
	return printed;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* A watch that is not there never matches. */
static int check_names(char **names)
{
	struct control_watches watches;
	int error = control_watches_read(&watches), result = EXIT_OK;

	if (error) {
		control_say_failed(CONTROL_WATCHES, error);
		return EXIT_FAILED;
	}
	if (!watches.count && !*names) {
		pr_err("there are no watches; add one first");
		result = EXIT_FAILED;
	}
	for (; *names; names++) {
		bool found = false;

		for (size_t i = 0; i < watches.count; i++)
			found |= !strcmp(watches.at[i].name, *names);
		if (!found) {
			pr_err("%s: there is no such watch; see evtlog watch list", *names);
			result = EXIT_FAILED;
		}
	}
	control_watches_free(&watches);
	return result;
}

static int wait_for(char **names, const struct request *request)
{
	int fd = open(CONTROL_DIRECTORY "/" CONTROL_MATCHES, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int64_t until = now_ms() + request->timeout_ms;
	uint64_t left = request->count;
	static char text[CONTROL_MATCH_BYTES + 1];
	int result;

	if (fd < 0) {
		control_say_failed(CONTROL_MATCHES, -errno);
		return EXIT_FAILED;
	}
	result = check_names(names);
	workload_signals();
	while (result == EXIT_OK && left) {
		int64_t wait = request->timeout_ms ? until - now_ms() : -1;
		ssize_t bytes;

		if (workload_interrupted() || (request->timeout_ms && wait <= 0)) {
			pr_err("no match%s", workload_interrupted() ? "" : " in time");
			result = EXIT_FAILED;
		} else if (workload_wait_fd(fd, wait)) {
			bytes = read(fd, text, CONTROL_MATCH_BYTES);
			if (bytes > 0) {
				text[bytes] = '\0';
				left -= print_lines(text, names, request, left);
			} else if (errno != EAGAIN && errno != EINTR) {
				control_say_failed(CONTROL_MATCHES, -errno);
				result = EXIT_FAILED;
			}
		}
	}
	close(fd);
	return result;
}

/* Takes seconds, with or without digits after the point. */
static int take_timeout(struct request *request, const char *value)
{
	char *end;
	double seconds = strtod(value, &end);

	if (end == value || *end || !(seconds > 0) || seconds > 4000000)
		return misuse("watch", "--timeout %s: not a number of seconds", value);
	request->timeout_ms = seconds * 1000 + 0.5;
	return 0;
}

enum { PERIOD = 256, TIMEOUT };

static int take_option(void *context, int option, char *value)
{
	struct request *request = context;

	switch (option) {
	case TIMEOUT:
		return take_timeout(request, value);
	case 'n':
		if (number_parse(&request->count, value, 1, UINT32_MAX))
			return misuse("watch", "--count %s: not a number from 1 on", value);
		return 0;
	case PERIOD:
		if (number_parse_u32(&request->period_ms, value, 1, PERIOD_MS_MAX))
			return misuse("watch", "--period %s: not 1 to 1000", value);
		return 0;
	default:
		request->as_json = true;
		return 0;
	}
}

static const struct option_desc table[] = {
	{ PERIOD, "period", "MS", .help = "check all watches every MS milliseconds, 1 to 1000 "
	  "(default 10)" },
	{ 'n', "count", "N", .help = "wait for N matches (default 1)" },
	{ TIMEOUT, "timeout", "SECONDS", .help = "wait at most SECONDS" },
	{ 'j', "json", .help = "print a JSON object per match, or the list as JSON" },
	{ }
};

static const struct options options = {
	.command = "watch",
	.usage = "add NAME [--period MS] RULE\nwait [NAME...] [OPTION...]\ndel NAME...\nlist [-j]",
	.about = "Make the kernel check the stream of events and act when events match a RULE. A "
		 "RULE for one event is [in BUFFER] EVENT [if FILTER] do ACTION. In a RULE for two "
		 "events, A [if FILTER] then B [if FILTER] [after TIME] within TIME[, same FIELD], "
		 "or A without B within TIME, takes the place of EVENT.\n"
		 "\n"
		 "The ACTION is wake, start or stop (a run), or keep TIME [and TIME after] (end a "
		 "named buffer that overwrites). Without in BUFFER, the rule is for the events of "
		 "the run that is being recorded.",
	.table = table,
	.notes =
	"wait prints matches as they come. evtlog buffer record --when is a complete\n"
	"flight recorder in one command.\n"
	"\n"
	"Exit status: 0 success; 1 failure, or no match in time; 2 misuse.\n"
	"\n"
	"Examples:\n"
	"  evtlog watch add late 'sched_waking then sched_switch after 5ms within 1s,\n"
	"    same pid=next_pid do wake'\n"
	"  evtlog watch wait late --timeout 60 --json\n"
	"  evtlog watch add stuck 'in net udp_sendmsg without ip_send_skb within 2ms,\n"
	"    same sk do start'\n"
	"  evtlog watch list\n"
	"  evtlog watch del late stuck\n",
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct request request = { .count = 1 };
	int result = options_take(&options, argc, argv, &request);
	const char *verb = optind < argc ? argv[optind] : "";
	char **names = argv + optind + 1;
	int count = argc - optind - 1;
	bool waits = !strcmp(verb, "wait"), adds = !strcmp(verb, "add");

	if (result != OPTIONS_TAKEN)
		return result;
	if (!waits && (request.timeout_ms || request.count != 1))
		return misuse("watch", "--timeout and --count are for wait");
	if (!adds && request.period_ms)
		return misuse("watch", "--period is for add");
	if (waits)
		return finish(wait_for(names, &request));
	if (!strcmp(verb, "list"))
		return count ? misuse("watch", "list takes no names") :
			       finish(list(request.as_json));
	if (request.as_json)
		return misuse("watch", "--json is for wait and list");
	if (!adds && strcmp(verb, "del"))
		return misuse("watch", "give an action: add, wait, del or list");
	if (count < 1)
		return misuse("watch", "%s: no name is given", verb);
	if (!adds)
		return finish(delete_all(names));
	if (count < 2)
		return misuse("watch", "add: no rule is given");
	if (!words_is_one(*names))
		return misuse("watch", "\"%s\": not a valid name of a watch: a letter, then letters, digits and ._-, at most 31",
			      *names);
	return finish(add(*names, names + 1, request.period_ms));
}

const struct evtlog_command command_watch = {
	.name = "watch",
	.summary = "act when events match a rule",
	.run = run,
};
