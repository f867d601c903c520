// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog start: start a run.
 *
 * Runs nothing itself: that is evtlog record.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/options.h"
#include "control/control.h"
#include "record/logger.h"

static void say_start_failed(int error, const struct control_status *status)
{
	/* One of another name is in the way as much. */
	if (error == -EBUSY && status->is_recording)
		error = -EALREADY;
	switch (error) {
	case -EINVAL:
		pr_err(CONTROL_DIRECTORY "/enable: this kernel does not support run names: boot a newer one, or omit --name");
		break;
	case -EALREADY:
		pr_err("run %" PRIu64 " is already being recorded; end it with evtlog stop", status->run);
		break;
	case -EBUSY:
		pr_err("the last buffers of run %" PRIu64 " are still in the kernel: start logd to save them",
		       status->run);
		break;
	default:
		control_say_order_failed(error);
	}
}

static void print_result(const struct control_status *status, const char *name, bool as_json)
{
	struct logger_directory directory;
	bool is_known = status->logger && !logger_directory_open(&directory, status->logger);
	struct json json;

	if (as_json) {
		json_start(&json, stdout, false);
		json_object(&json, NULL);
		json_u64(&json, "run", status->run);
		json_string(&json, "run_name", name);
		json_u64(&json, "logger", status->logger);
		json_string(&json, "directory", is_known ? directory.path : NULL);
		json_end(&json);
	} else if (is_known) {
		printf("run %" PRIu64 ": recording; its file will be in %s\n", status->run,
		       directory.path);
	} else {
		printf("run %" PRIu64 ": recording\n", status->run);
	}
	if (is_known)
		logger_directory_close(&directory);
}

static int choose_events(const char *choice)
{
	char *text = control_events(choice);
	int error = text ? control_write("events", text) : -ENOMEM;

	free(text);
	if (error == -EINVAL) {
		control_say_events_unknown(choice);
		return EXIT_MISUSE;
	}
	if (error) {
		control_say_failed("events", error);
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

/* @events, @name: NULL if not given */
struct start_options {
	const char *events;
	const char *name;
	bool arms;
	bool as_json;
};

static int start(const struct start_options *opts)
{
	const char *name = opts->name;
	char order[2 + EVTLOG_RUN_NAME_LEN];
	struct control_status status;
	int error, result;

	if (control_status_or_say(&status))
		return EXIT_FAILED;
	control_status_free(&status);
	if (opts->events && !status.is_recording) {
		result = choose_events(opts->events);
		if (result)
			return result;
	}
	snprintf(order, sizeof(order), "1%s%s", name ? " " : "", name ? name : "");
	error = control_write("enable", order);
	if (error) {
		say_start_failed(error, &status);
		return EXIT_FAILED;
	}
	if (control_status_or_say(&status))
		return EXIT_FAILED;
	control_status_free(&status);
	if (!status.logger)
		pr_warn("no logger is running: start logd before the buffers are full (%u x %u KiB per CPU), or events are lost",
		       status.buffers, status.buffer_kb);
	control_say_events_off(opts->events);
	control_say_tree();
	control_say_sampler();
	print_result(&status, name, opts->as_json);
	return EXIT_OK;
}

enum { ARM = 256, NAME };

static int take_option(void *context, int option, char *value)
{
	struct start_options *opts = context;

	switch (option) {
	case 'e':
		opts->events = value;
		return control_events_is_choice(value) ? 0 : -EINVAL;
	case NAME:
		opts->name = value;
		return runname_is_good(value) ? 0 : -EINVAL;
	case ARM:
		opts->arms = true;
		return 0;
	case 'j':
		opts->as_json = true;
		return 0;
	}
	return -EINVAL;
}

static const struct option_desc table[] = {
	{ 'e', "events", "LIST", "record these types of events in this and later runs: names from "
	  "evtlog status, groups (softirq, sched), or all; +NAME and -NAME change the present "
	  "choice, or the names before them",
	  .kind = VALUE_TYPE_CHANGES, .valid = "types of events, as evtlog status lists them" },
	{ NAME, "name", "NAME", "name the run NAME, and its file HOST-NAME.evl",
	  .kind = VALUE_TEXT, .valid = RUNNAME_RULE },
	{ ARM, "arm", .help = "switch the hooks on and allocate the buffers, but do not start: a "
	  "later start then interrupts no CPU" },
	{ 'j', "json", .help = "print the result as JSON" },
	{ }
};

static const struct options options = {
	.command = "start",
	.usage = "[OPTION...]",
	.about = "Start a run: the kernel records from now on, and logd writes the log to a file. "
		 "Types with a pid also switch on the types that name tasks: sched_process_fork, "
		 "_exec, _exit and task_rename. To leave out such a type, remove it: "
		 "--events=sched_switch,-task_rename. logd arms the kernel when it starts, unless "
		 "its configuration contains arm = no.",
	.table = table,
	.notes =
	"Exit status: 0 started or armed, 1 failed (also if a run is being recorded),\n"
	"2 misuse.\n"
	"\n"
	"Examples:\n"
	"  evtlog start\n"
	"  evtlog start --name before-the-fix\n"
	"  evtlog start -e sched_switch,softirq\n"
	"  evtlog start -e -sched_waking\n"
	"  evtlog start --arm\n",
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct start_options opts = { 0 };
	int result = options_take(&options, argc, argv, &opts);

	if (result == OPTIONS_TAKEN && optind < argc)
		return misuse("start", "%s: takes no arguments; the run's name is given by --name=%s",
			      argv[optind], argv[optind]);
	if (result != OPTIONS_TAKEN)
		return result;
	if (opts.arms && (opts.events || opts.name))
		return misuse("start", "--arm starts no run: leave out --events and --name");
	return finish(opts.arms ? control_arm(true, opts.as_json) : start(&opts));
}

const struct evtlog_command command_start = {
	.name = "start",
	.summary = "start a run",
	.run = run,
};
