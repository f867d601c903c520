// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog profile trace: the last events of a task, also when it is no more.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/json.h"
#include "common/number.h"
#include "common/options.h"
#include "control/control.h"
#include "lib/profile/comm.h"
#include "profile/profile.h"
#include "profile/subcommands.h"

#define TRACE_FILE	"profile/trace"
#define EVENTS_MAX	65536
#define KEEP_MAX	100000

/* @events: to begin; 0: none.  @keep: UINT64_MAX: not given */
struct request {
	uint64_t events, keep, pid, hz;
	bool with_tree, deletes, as_json;
};

static int say_failed(int error)
{
	if (error == -ENOENT)
		pr_err(CONTROL_DIRECTORY "/" TRACE_FILE ": this kernel keeps no profiles; boot one with this evtlog's patches and CONFIG_EVTLOG_PROFILE");
	else
		control_say_failed(TRACE_FILE, error);
	return EXIT_FAILED;
}

static int order(const struct request *request)
{
	char text[64];
	int error;

	if (request->keep != UINT64_MAX)
		snprintf(text, sizeof(text), "keep %" PRIu64, request->keep);
	else if (request->deletes)
		snprintf(text, sizeof(text), "-%" PRIu64, request->pid);
	else
		snprintf(text, sizeof(text), "%" PRIu64 " %" PRIu64 "%s", request->pid,
			 request->events, request->with_tree ? " tree" : "");
	error = control_write(TRACE_FILE, text);
	switch (error) {
	case 0:
		return EXIT_OK;
	case -ESRCH:
		pr_err("%" PRIu64 ": %s", request->pid,
		       request->deletes ? "has no trace" : "there is no such task");
		break;
	case -EEXIST:
		pr_err("%" PRIu64 ": has a trace; delete it first: evtlog profile trace --delete %" PRIu64,
		       request->pid, request->pid);
		break;
	case -ENODATA:
		pr_err("%" PRIu64 ": has no profile; evtlog profile start begins them", request->pid);
		break;
	case -ENOMEM:
		pr_err("%" PRIu64 ": there is no memory for its trace; all of them have 64 MiB: ask for fewer events, or delete some",
		       request->pid);
		break;
	default:
		return say_failed(error);
	}
	return EXIT_FAILED;
}

struct event {
	uint64_t ticks;
	unsigned int cpu;
	char kind[16], name[64];
};

/* "  TICKS CPU KIND [EVENT]" */
static bool parse_event(const char *line, struct event *event)
{
	char words[128], text[64] = "";

	snprintf(words, sizeof(words), "%.*s", (int)strcspn(line, "\n"), line);
	if (sscanf(words, " %" SCNu64 " %u %15s %63s", &event->ticks, &event->cpu, event->kind,
		   text) < 3)
		return false;
	profile_event_name(text, strlen(text), event->name, sizeof(event->name));
	return true;
}

static uint64_t newest_of(const char *text)
{
	const char *line = text, *next;
	struct event event = { 0 };

	while ((next = strchr(line, '\n')) && next[1] == ' ')
		line = next + 1;
	return parse_event(line, &event) ? event.ticks : 0;
}

static void print_events(const char *text, const struct request *request, struct json *json)
{
	uint64_t newest = newest_of(text);
	const char *line = text;
	struct event event;

	while ((line = strchr(line, '\n')) && line[1] == ' ') {
		line++;
		if (!parse_event(line, &event))
			continue;
		if (!json) {
			printf("%14.3f  %4u  %-5s %s\n",
			       (double)(int64_t)(event.ticks - newest) * 1e6 / request->hz, event.cpu,
			       event.kind, event.name);
			continue;
		}
		json_object(json, NULL);
		json_u64(json, "ticks", event.ticks);
		json_u64(json, "cpu", event.cpu);
		json_string(json, "kind", event.kind);
		if (*event.name)
			json_string(json, "event", event.name);
		else
			json_null(json, "event");
		json_end(json);
	}
}

/* @text: its line and all below; returns whether it is wanted */
static bool print_trace(const char *text, const struct request *request, struct json *json)
{
	char state[16], comm[80], plain[64];
	unsigned int pid, tgid;
	uint64_t written;
	int at = 0;

	if (sscanf(text, "trace %u %u %15s %" SCNu64 "%n", &pid, &tgid, state, &written, &at) != 4 ||
	    text[at] != ' ' || (request->pid && pid != request->pid))
		return false;
	text += at + 1;
	comm[profile_comm_decode(text, strcspn(text, "\n"), comm, sizeof(comm) - 1)] = '\0';
	if (json) {
		json_object(json, NULL);
		json_u64(json, "pid", pid);
		json_u64(json, "tgid", tgid);
		json_string(json, "comm", comm);
		json_bool(json, "has_ended", !strcmp(state, "ended"));
		json_u64(json, "written", written);
		json_array(json, "events");
	} else {
		printf("%s-%u, %s, %" PRIu64 " events so far\n",
		       profile_plain(comm, "", plain, sizeof(plain)), pid, state, written);
		printf("%14s  %4s  %-5s %s\n", "us before end", "CPU", "what", "event");
	}
	print_events(text, request, json);
	if (json) {
		json_end(json);
		json_end(json);
	}
	return true;
}

static int show(struct request *request)
{
	struct control_status status;
	bool found = false;
	struct json json;
	char *text;
	int error;

	if (control_status_or_say(&status))
		return EXIT_FAILED;
	request->hz = status.ticks_hz;
	control_status_free(&status);
	error = control_read(TRACE_FILE, &text);
	if (error)
		return say_failed(error);
	if (request->as_json) {
		json_start(&json, stdout, false);
		json_array(&json, NULL);
	}
	for (const char *at = text; (at = strstr(at, "\ntrace ")); at++)
		found |= print_trace(at + 1, request, request->as_json ? &json : NULL);
	if (request->as_json)
		json_end(&json);
	free(text);
	if (!found && request->pid)
		pr_err("%" PRIu64 ": has no trace; evtlog profile trace --events 256 %" PRIu64 " begins one",
		       request->pid, request->pid);
	return found || !request->pid ? EXIT_OK : EXIT_FAILED;
}

static int take_option(void *context, int option, char *value)
{
	struct request *request = context;

	switch (option) {
	case 'n':
		return number_parse(&request->events, value, 1, EVENTS_MAX);
	case 'k':
		return number_parse(&request->keep, value, 0, KEEP_MAX);
	case 't':
		request->with_tree = true;
		break;
	case 'd':
		request->deletes = true;
		break;
	case 'j':
		request->as_json = true;
		break;
	}
	return 0;
}

static const struct option_desc table[] = {
	{ 'n', "events", "N", .help = "keep the last N events of task PID from now on",
	  .valid = "a number from 1 to 65536" },
	{ 't', "tree", .help = "with --events: also of all threads of its process, and of all that these fork" },
	{ 'k', "keep", "N", .help = "of how many tasks that have ended traces are kept (at boot 64)",
	  .valid = "a number from 0 to 100000" },
	{ 'd', "delete", .help = "forget the trace of PID, and keep none any more" },
	{ 'j', "json", .help = "print JSON" },
	{ }
};

static const struct options options = {
	.command = "profile trace",
	.usage = "[-j] [PID]\n"
		 "--events N [--tree] PID\n"
		 "--delete PID\n"
		 "--keep N",
	.about = "Show the last events of a task: what it entered and left, when it went to user mode, "
		 "and when and how it left and came to its CPU. They are in a ring of the task's own, "
		 "which is also there when the task is no more. It is filled while profiles are kept.",
	.table = table,
	.notes =
	"PID is the number of a thread; without it, all traces are shown.\n"
	"\n"
	"Exit status: 0 success; 1 failed; 2 misuse.\n"
	"\n"
	"Examples:\n"
	"  evtlog profile start\n"
	"  evtlog profile trace --events 256 --tree 4711\n"
	"  evtlog profile trace 4711\n",
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct request request = { .keep = UINT64_MAX };
	int result = options_take(&options, argc, argv, &request);
	bool keeps;

	if (result != OPTIONS_TAKEN)
		return result;
	keeps = request.keep != UINT64_MAX;
	argv += optind;
	if (*argv && number_parse(&request.pid, *argv, 1, INT32_MAX))
		return misuse("profile trace", "%s: not the number of a task", *argv);
	if (*argv && argv[1])
		return misuse("profile trace", "%s: one task is taken", argv[1]);
	if (!!request.events + request.deletes + keeps > 1)
		return misuse("profile trace", "--events, --delete and --keep are not taken together");
	if (request.with_tree && !request.events)
		return misuse("profile trace", "--tree is for --events");
	if (keeps && *argv)
		return misuse("profile trace", "--keep takes no task");
	if ((request.events || request.deletes) && !request.pid)
		return misuse("profile trace", "no task is given");
	return finish(request.events || request.deletes || keeps ? order(&request) :
								    show(&request));
}

const struct evtlog_command profile_trace = {
	"trace", "show the last events of a task, also when it has ended", run,
};
