// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog profile trace: show the last events of a task, even if it has ended.
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
#include "profile/subcommands.h"
#include "profile/trace.h"

#define KEEP_MAX	100000

/* @events: length of a trace to begin; 0: none. @keep: UINT64_MAX if not given */
struct request {
	uint64_t events, keep, pid, hz;
	bool with_tree, deletes, as_json;
};

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
		if (request->events)
			pr_info("%" PRIu64 ": from now on its last %" PRIu64 " events are kept; evtlog profile trace %" PRIu64 " shows them",
				request->pid, request->events, request->pid);
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
		pr_err("%" PRIu64 ": has no profile; evtlog profile start starts profiles", request->pid);
		break;
	case -ENOMEM:
		pr_err("%" PRIu64 ": there is no memory for its trace; all traces together have 64 MiB: use fewer --events, or delete traces",
		       request->pid);
		break;
	default:
		return traces_say_failed(error);
	}
	return EXIT_FAILED;
}

static void print_all(const struct traces *traces, const struct request *request)
{
	struct json json;

	if (request->as_json) {
		json_start(&json, stdout, false);
		json_array(&json, NULL);
	}
	for (size_t i = 0; i < traces->count; i++) {
		const struct trace *trace = &traces->at[i];

		if (request->pid && trace->pid != request->pid)
			continue;
		if (request->as_json) {
			json_object(&json, NULL);
			trace_print_json(&json, trace, trace->count);
			json_end(&json);
		} else {
			trace_print(stdout, trace, trace->count, request->hz);
		}
	}
	if (request->as_json)
		json_end(&json);
}

static bool has_trace(const struct traces *traces, uint64_t pid)
{
	for (size_t i = 0; i < traces->count; i++) {
		if (traces->at[i].pid == pid)
			return true;
	}
	return false;
}

static int show(struct request *request)
{
	struct control_status status;
	struct traces traces;
	int error;
	bool found;

	if (control_status_or_say(&status))
		return EXIT_FAILED;
	request->hz = status.ticks_hz;
	control_status_free(&status);
	error = traces_read(&traces);
	if (!error)
		print_all(&traces, request);
	found = has_trace(&traces, request->pid);
	traces_free(&traces);
	if (error)
		return traces_say_failed(error);
	if (!found && request->pid)
		pr_err("%" PRIu64 ": has no trace; evtlog profile trace --events 256 %" PRIu64 " starts one",
		       request->pid, request->pid);
	return found || !request->pid ? EXIT_OK : EXIT_FAILED;
}

enum { TREE = 256, KEEP, DELETE };

static int take_option(void *context, int option, char *value)
{
	struct request *request = context;

	switch (option) {
	case 'n':
		return number_parse(&request->events, value, 1, TRACE_EVENTS_MAX);
	case KEEP:
		return number_parse(&request->keep, value, 0, KEEP_MAX);
	case TREE:
		request->with_tree = true;
		break;
	case DELETE:
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
	{ TREE, "tree", .help = "with --events: also for all threads of its process, and all tasks "
	  "that they fork" },
	{ KEEP, "keep", "N", .help = "keep the traces of at most N ended tasks (at boot 64)",
	  .valid = "a number from 0 to 100000" },
	{ DELETE, "delete", .help = "delete the trace of PID, and stop tracing PID" },
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
		 "and when and how it left its CPU and came back. Each traced task has its own "
		 "ring, which stays after the task has ended. The ring is filled while profiles "
		 "are on.",
	.table = table,
	.notes =
	"PID is the id of a thread. Without PID, all traces are shown.\n"
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
		return misuse("profile trace", "%s: only one task can be given", argv[1]);
	if (!!request.events + request.deletes + keeps > 1)
		return misuse("profile trace", "--events, --delete and --keep exclude each other");
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
	.name = "trace",
	.summary = "show the last events of a task, also after its end",
	.run = run,
};
