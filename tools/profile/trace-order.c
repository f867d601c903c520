// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Begins, deletes and shows traces, the last events of tasks, for evtlog profile start, stop and
 * report --trace.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/error.h"
#include "common/json.h"
#include "control/control.h"
#include "profile/subcommands.h"
#include "profile/trace.h"

static int order(const char *text, uint64_t pid)
{
	int error = control_write(TRACE_FILE, text);

	switch (error) {
	case 0:
		return EXIT_OK;
	case -ESRCH:
		pr_err("%" PRIu64 ": %s", pid,
		       *text == '-' ? "has no trace" : "there is no such task");
		break;
	case -EEXIST:
		pr_err("%" PRIu64 ": has a trace; delete it first: evtlog profile stop %" PRIu64,
		       pid, pid);
		break;
	case -ENODATA:
		pr_err("%" PRIu64 ": has no profile; evtlog profile start starts profiles", pid);
		break;
	default:
		return traces_say_failed(error);
	}
	return EXIT_FAILED;
}

int trace_begin(uint64_t pid, uint64_t events, bool with_tree)
{
	char text[64];

	snprintf(text, sizeof(text), "%" PRIu64 " %" PRIu64 "%s", pid, events,
		 with_tree ? " tree" : "");
	if (order(text, pid) != EXIT_OK)
		return EXIT_FAILED;
	pr_info("%" PRIu64 ": from now on its last %" PRIu64 " events are kept; evtlog profile report --trace %" PRIu64 " shows them",
		pid, events, pid);
	return EXIT_OK;
}

int trace_delete(uint64_t pid)
{
	char text[64];

	snprintf(text, sizeof(text), "-%" PRIu64, pid);
	return order(text, pid);
}

int traces_keep(uint64_t tasks)
{
	char text[64];

	snprintf(text, sizeof(text), "keep %" PRIu64, tasks);
	return order(text, 0);
}

static void print_all(const struct traces *traces, uint64_t pid, uint64_t hz, bool as_json)
{
	struct json json;

	if (as_json) {
		json_start(&json, stdout, false);
		json_array(&json, NULL);
	}
	for (size_t i = 0; i < traces->count; i++) {
		const struct trace *trace = &traces->at[i];

		if (pid && trace->pid != pid)
			continue;
		if (as_json) {
			json_object(&json, NULL);
			trace_print_json(&json, trace, trace->count);
			json_end(&json);
		} else {
			trace_print(stdout, trace, trace->count, hz);
		}
	}
	if (as_json)
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

int traces_show(uint64_t pid, bool as_json)
{
	struct traces traces;
	uint64_t hz;
	int error;
	bool found;

	if (profile_hz_or_say(&hz) != EXIT_OK)
		return EXIT_FAILED;
	error = traces_read(&traces);
	if (error)
		return traces_say_failed(error);
	print_all(&traces, pid, hz, as_json);
	found = !pid || has_trace(&traces, pid);
	traces_free(&traces);
	if (!found)
		pr_err("%" PRIu64 ": has no trace; evtlog profile start --events 256 %" PRIu64 " starts one",
		       pid, pid);
	return found ? EXIT_OK : EXIT_FAILED;
}
