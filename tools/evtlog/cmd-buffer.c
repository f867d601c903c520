// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog buffer: named buffers, and rules that act when events match.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "control/buffers.h"
#include "control/control.h"
#include "control/file.h"
#include "input/event-filter.h"
#include "record/named.h"
#include "record/workload.h"

#define PERIOD_MS_MAX	1000
#define TIMEOUT_MS_MAX	UINT32_MAX

/* What the user wants; record --when differs from record in its options. */
enum verb { ADD, WHEN, RECORD, WAIT, END, DEL, LIST, FLIGHT };

static const char *const verbs[] = {
	"add", "when", "record", "wait", "end", "del", "list", "record --when", NULL
};

/*
 * @given:	a bit for each option, by its place in uses
 * @flight:	of record --when; @flight.rule: NULL: it is not given
 * @count, @timeout_ms: of wait; @timeout_ms: 0: no limit
 * @period_ms:	of when; 0: as it is
 */
struct request {
	unsigned int given;
	struct control_buffer_wanted wanted;
	struct flight_options flight;
	const char *output;
	uint64_t count;
	uint32_t timeout_ms, period_ms;
	bool as_json;
};

static bool has_buffer(const char *name)
{
	struct control_buffers buffers;
	bool found = false;

	if (control_buffers_read(&buffers))
		return false;
	for (size_t i = 0; i < buffers.count; i++)
		found |= !strcmp(buffers.at[i].name, name);
	control_buffers_free(&buffers);
	return found;
}

static int order(char sign, const char *name)
{
	int error = control_buffer_order(sign, name);

	if (error)
		control_buffer_say_refused(name, error);
	return error ? EXIT_FAILED : EXIT_OK;
}

/* Deletes the rule and the named buffer of this name. */
static int delete(const char *name)
{
	if (rules_has(name)) {
		if (rules_delete(name) != EXIT_OK)
			return EXIT_FAILED;
		if (!has_buffer(name))
			return EXIT_OK;
	}
	return order('-', name);
}

static int end(const char *name)
{
	return order('!', name);
}

/* "*": all named buffers; del deletes all rules, too. */
static int each(int (*act)(const char *name))
{
	struct control_buffers buffers;
	int result = EXIT_OK, error;

	if (act == delete && rules_has(NULL))
		result = rules_delete("*");
	error = control_buffers_read(&buffers);
	if (error) {
		control_buffer_say_refused("*", error);
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < buffers.count; i++)
		if (order(act == delete ? '-' : '!', buffers.at[i].name) != EXIT_OK)
			result = EXIT_FAILED;
	control_buffers_free(&buffers);
	return result;
}

static int act_on(char **names, int (*act)(const char *name))
{
	int result = EXIT_OK;

	for (; *names; names++)
		if ((strcmp(*names, "*") ? act(*names) : each(act)) != EXIT_OK)
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

static int record(const char *name, const char *path)
{
	struct named_result result;

	workload_signals();
	if (named_record(name, path, &result))
		return EXIT_FAILED;
	return result.lost || result.was_deleted ? EXIT_EVENTS_LOST : EXIT_OK;
}

/* ---- The command line ---- */

enum { RULE = 256, URGENT, IF, BUFFERS, GLOBAL, OVERWRITE, INTERVAL, TIMEOUT };

#define FOR(verb)	(1u << (verb))

/* Which verbs take an option */
static const struct {
	int option;
	unsigned int verbs;
} uses[] = {
	{ 'e', FOR(ADD) | FOR(FLIGHT) }, { IF, FOR(ADD) | FOR(FLIGHT) },
	{ BUFFERS, FOR(ADD) | FOR(FLIGHT) }, { URGENT, FOR(ADD) }, { GLOBAL, FOR(ADD) },
	{ OVERWRITE, FOR(ADD) }, { 'o', FOR(RECORD) | FOR(FLIGHT) }, { RULE, FOR(FLIGHT) },
	{ 'p', FOR(FLIGHT) }, { INTERVAL, FOR(WHEN) }, { 'n', FOR(WAIT) }, { TIMEOUT, FOR(WAIT) },
	{ 'j', FOR(FLIGHT) | FOR(WAIT) | FOR(LIST) },
};
#define USES	(sizeof(uses) / sizeof(*uses))

static int take_ms(uint32_t *ms, const char *value, uint64_t most_ms)
{
	uint64_t ns;

	if (filter_time(&ns, value) || ns < 1000000 || ns > most_ms * 1000000)
		return -EINVAL;
	*ms = ns / 1000000;
	return 0;
}

static int take_option(void *context, int option, char *value)
{
	struct request *request = context;
	struct control_buffer_wanted *wanted = &request->wanted;
	struct flight_options *flight = &request->flight;

	for (size_t i = 0; i < USES; i++)
		if (uses[i].option == option)
			request->given |= 1u << i;
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
	case BUFFERS:
		control_buffers_size(value, &wanted->buffers, &wanted->kb);
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
	case RULE:
		flight->rule = value;
		return 0;
	case OVERWRITE:
		wanted->overwrites = true;
		return 0;
	case INTERVAL:
		return take_ms(&request->period_ms, value, PERIOD_MS_MAX);
	case TIMEOUT:
		return take_ms(&request->timeout_ms, value, TIMEOUT_MS_MAX);
	case 'n':
		return number_parse(&request->count, value, 1, UINT32_MAX);
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
	{ BUFFERS, "buffers", "SIZE", .help = "use this number of buffers per CPU, and this size in "
	  "KiB: 8, 8x512 or x512 (default 4x256; with --when 8x256)" },
	{ GLOBAL, "global", .help = "use one ring for all CPUs, "
	  "with records in the order of writing" },
	{ OVERWRITE, "overwrite", .help = "overwrite the oldest buffer when all are full; read "
	  "them after the end" },
	{ 'o', "output", "FILE", .kind = VALUE_FILE, .help = "record to FILE" },
	{ RULE, "when", "RULE", .help = "record: wait until events match RULE, then record the "
	  "time before the match. RULE is as for the verb when, without in; its action can only "
	  "be keep (default do keep 100ms)" },
	{ 'p', "probe", "PROBE", .help = "with --when: insert this probe for the recording, see "
	  "evtlog probe --help; can be repeated" },
	{ INTERVAL, "interval", "TIME", .help = "when: apply all rules every TIME, 1ms to 1s "
	  "(default 10ms)", .valid = "a time from 1ms to 1s" },
	{ 'n', "count", "N", .help = "wait: wait for N matches (default 1)",
	  .valid = "a number from 1 on" },
	{ TIMEOUT, "timeout", "TIME", .help = "wait: wait at most TIME",
	  .valid = "a time such as 60s or 100ms" },
	{ 'j', "json", .help = "print the list, or each match, as JSON" },
	{ }
};

static const struct options options = {
	.command = "buffer",
	.usage = "add NAME [OPTION...]\n"
		 "when NAME [--interval TIME] RULE\n"
		 "record NAME -o FILE\n"
		 "record -o FILE --when RULE [OPTION...]\n"
		 "wait [-j] [-n N] [--timeout TIME] [NAME...]\n"
		 "end NAME...\n"
		 "del NAME...\n"
		 "list [-j]",
	.about = "Record selected events into separate buffers, and act when events match a rule. "
		 "A named buffer is a set of buffers per CPU for selected events, with its own "
		 "size, filter and reader. The events are those of probes and modules, and "
		 "built-in events such as sched_switch and softirq. They are recorded with or "
		 "without a run, and are missing in runs.\n"
		 "\n"
		 "A RULE for one event is [in BUFFER] EVENT [if FILTER] do ACTION. In a RULE for two "
		 "events, A [if FILTER] then B [if FILTER] [after TIME] within TIME[, same FIELD], "
		 "or A without B within TIME, takes the place of EVENT. The ACTION is wake, start "
		 "or stop (a run), or keep TIME [and TIME after] (end a named buffer that "
		 "overwrites). Without in BUFFER, the rule is for the events of the run that is "
		 "being recorded.",
	.table = table,
	.notes =
	"Verbs:\n"
	"  add     adds a named buffer\n"
	"  when    adds a rule: when events match, the kernel does ACTION\n"
	"  record  writes a file for evtlog dump until the buffer is ended or deleted, or\n"
	"          until Ctrl-C; with --when it is a flight recorder, see below\n"
	"  wait    prints matches of rules as they come\n"
	"  end     ends buffers: readers get the remaining records\n"
	"  del     deletes buffers, with their unread records, and rules; '*' is all\n"
	"  list    prints all buffers, then all rules\n"
	"\n"
	"record --when adds a buffer for the given events and probes. The newest events\n"
	"replace the oldest in memory, and nothing is written to disk until events match\n"
	"RULE. Then it writes the file and deletes the buffer and the probes.\n"
	"\n"
	"Exit status: 0 success; 1 failure, or no match in time; 2 misuse; 4 recorded,\n"
	"but events were lost.\n"
	"\n"
	"Examples:\n"
	"  evtlog buffer add net --buffers 4x512 --events 'udp_*,ip_send_skb'\n"
	"  evtlog probe add --buffer net 'udp_sendmsg(len)'\n"
	"  evtlog buffer record net -o net.evl\n"
	"  evtlog buffer del net\n"
	"  evtlog buffer when late 'sched_waking then sched_switch after 5ms within 1s,\n"
	"    same pid=next_pid do wake'\n"
	"  evtlog buffer wait late --timeout 60s --json\n"
	"  evtlog buffer record -o slow.evl -p 'udp_sendmsg(sk)' \\\n"
	"    -p 'ip_send_skb(sk=skb->sk)' --when 'udp_sendmsg then ip_send_skb\n"
	"    after 2ms within 1s, same sk do keep 200ms'\n",
	.take = take_option,
};

/* An exit status */
static int check_names(char **names, int count)
{
	for (int i = 0; i < count; i++)
		if (!words_is_one(names[i]))
			return misuse("buffer", "\"%s\": not a valid name of a named buffer or rule: a letter, then letters, digits and ._-, at most 31",
				      names[i]);
	return EXIT_OK;
}

static int check_wanted(const struct control_buffer_wanted *wanted)
{
	const char *bad = control_buffer_bad(wanted);

	return bad ? misuse("buffer", "%s: is empty, or has blanks: give one word, such as udp_*,vfs_read for --events",
			    bad) : EXIT_OK;
}

/* Finds an option that is not for this verb. Returns an exit status. */
static int check_options(unsigned int given, enum verb verb)
{
	char names[128] = "";
	size_t length = 0, i = 0;

	while (i < USES && (!(given & 1u << i) || uses[i].verbs & FOR(verb)))
		i++;
	if (i == USES)
		return EXIT_OK;
	for (int k = 0; verbs[k]; k++)
		if (uses[i].verbs & FOR(k))
			length += snprintf(names + length, sizeof(names) - length, "%s%s",
					   length ? ", " : "", verbs[k]);
	return misuse("buffer", "--%s: is not for %s; it is for %s",
		      options_name(table, uses[i].option), verbs[verb], names);
}

/* Checks the number of names. Returns an exit status. */
static int check_count(enum verb verb, int count)
{
	switch (verb) {
	case LIST:
		return count ? misuse("buffer", "list takes no names") : EXIT_OK;
	case FLIGHT:
		return count ? misuse("buffer", "record --when makes its own buffer: leave out the name") :
			       EXIT_OK;
	case WAIT:
		return EXIT_OK;
	default:
		break;
	}
	if (!count)
		return misuse("buffer", "%s: no name is given", verbs[verb]);
	if (verb == WHEN && count < 2)
		return misuse("buffer", "when: no rule is given");
	if ((verb == ADD || verb == RECORD) && count > 1)
		return misuse("buffer", "%s takes one name", verbs[verb]);
	return EXIT_OK;
}

/* record --when */
static int fly(struct request *request)
{
	struct control_buffer_wanted *wanted = &request->wanted;
	struct flight_options *flight = &request->flight;
	/* Texts in quotes are those of filters. */
	const char *quote = strrchr(flight->rule, '"');
	const char *action = strstr(quote ? quote : flight->rule, " do ");
	int result;

	if (action && strncmp(action, " do keep ", strlen(" do keep ")))
		return misuse("buffer", "--when %s: the action can only be keep TIME, or keep TIME and TIME after",
			      flight->rule);
	if (!flight->probe_count && !wanted->events)
		return misuse("buffer", "record --when: no events are given: use --probe or --events");
	result = check_wanted(wanted);
	if (result != EXIT_OK)
		return result;
	flight->output = request->output;
	flight->action = action ? "" : " do keep 100ms";
	wanted->buffers = wanted->buffers ? wanted->buffers : "8";
	flight->buffer = wanted;
	flight->as_json = request->as_json;
	return finish(flight_record(flight));
}

static int act(struct request *request, enum verb verb, char **names)
{
	struct control_buffer_wanted *wanted = &request->wanted;
	int result;

	if ((verb == RECORD || verb == FLIGHT) && !request->output)
		return misuse("buffer", "record: no file is given: use -o FILE");
	switch (verb) {
	case ADD:
		wanted->name = *names;
		result = check_wanted(wanted);
		return result == EXIT_OK ? finish(add(wanted)) : result;
	case WHEN:
		return finish(rules_add(*names, names + 1, request->period_ms));
	case RECORD:
		return finish(record(*names, request->output));
	case FLIGHT:
		return fly(request);
	case WAIT:
		return finish(rules_wait(names, request->count, request->timeout_ms,
					 request->as_json));
	case END:
		return finish(act_on(names, end));
	case DEL:
		return finish(act_on(names, delete));
	case LIST:
		break;
	}
	return finish(named_list(request->as_json));
}

static int run(int argc, char **argv)
{
	struct request request = { .count = 1 };
	int result = options_take(&options, argc, argv, &request), verb, count;
	char **names;

	if (result != OPTIONS_TAKEN)
		return result;
	verb = optind < argc ? options_word(verbs, argv[optind++]) : -EINVAL;
	if (verb < 0 || verb == FLIGHT)
		return misuse("buffer", "give an action: add, when, record, wait, end, del or list");
	if (verb == RECORD && request.flight.rule)
		verb = FLIGHT;
	names = argv + optind;
	count = argc - optind;
	result = check_options(request.given, verb);
	if (result == EXIT_OK)
		result = check_count(verb, count);
	/* The arguments after the name of a rule are the rule. */
	if (result == EXIT_OK && count)
		result = check_names(names, verb == WHEN ? 1 : count);
	return result == EXIT_OK ? act(&request, verb, names) : result;
}

const struct evtlog_command command_buffer = {
	.name = "buffer",
	.summary = "record selected events into separate buffers, act when events match",
	.run = run,
};
