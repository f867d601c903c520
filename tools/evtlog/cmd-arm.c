// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog arm, evtlog disarm: make the kernel ready for a start, or not any more.
 */
#include <errno.h>
#include <inttypes.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/options.h"
#include "control/control.h"

static void say_failed(const char *order, int error, const struct control_status *status)
{
	switch (error) {
	case -EINVAL:
		pr_err(CONTROL_DIRECTORY "/enable: this kernel does not support '%s': boot a newer one; it arms at each start",
		       order);
		break;
	case -EBUSY:
		pr_err("run %" PRIu64 " is being recorded; end it with evtlog stop", status->run);
		break;
	default:
		control_say_order_failed(error);
	}
}

static void print_result(const struct control_status *status, bool as_json)
{
	struct json json;

	if (as_json) {
		json_start(&json, stdout, false);
		json_object(&json, NULL);
		json_bool(&json, "armed", status->is_armed);
		json_u64(&json, "buffers", status->buffers);
		json_u64(&json, "buffer_kb", status->buffer_kb);
		json_u64(&json, "logger", status->logger);
		json_end(&json);
	} else if (status->is_armed && status->is_recording) {
		printf("armed: run %" PRIu64 " is being recorded, and its stop leaves it armed\n",
		       status->run);
	} else if (status->is_armed) {
		printf("armed: %u x %u KiB per CPU; ready for evtlog start\n",
		       status->buffers, status->buffer_kb);
	} else {
		printf("disarmed\n");
		if (status->logger)
			pr_info("logd does not arm it again; use evtlog arm; a start arms it for one run");
	}
}

static int order(const char *text, bool as_json)
{
	struct control_status status;
	int error;

	if (control_status_or_say(&status))
		return EXIT_FAILED;
	control_status_free(&status);
	error = control_write("enable", text);
	if (error) {
		say_failed(text, error, &status);
		return EXIT_FAILED;
	}
	if (control_status_or_say(&status))
		return EXIT_FAILED;
	control_status_free(&status);
	print_result(&status, as_json);
	return EXIT_OK;
}

static int take_option(void *context, int option, char *value)
{
	bool *as_json = context;

	*as_json = true;
	return 0;
}

static const struct option_desc table[] = {
	{ 'j', "json", .help = "print the result as JSON" },
	{ }
};

static const struct options arm_options = {
	.command = "arm",
	.usage = "[OPTION...]",
	.about = "Arm the kernel: switch the hooks on and allocate the buffers, so that a "
		 "start interrupts no CPU. logd arms the kernel when it starts, unless its "
		 "configuration has arm = no.",
	.table = table,
	.notes =
	"Exit status: 0 armed, also if it was already; 1 failed; 2 misuse.\n"
	"\n"
	"Examples:\n"
	"  evtlog arm\n"
	"  evtlog arm --json | jq .buffer_kb\n",
	.take = take_option,
};

static const struct options disarm_options = {
	.command = "disarm",
	.usage = "[OPTION...]",
	.about = "Disarm the kernel: switch the hooks off. A disarmed hook costs a NOP.",
	.table = table,
	.notes =
	"Exit status: 0 disarmed, also if it was already; 1 failed (also if a run is\n"
	"being recorded); 2 misuse.\n"
	"\n"
	"Examples:\n"
	"  evtlog disarm\n"
	"  evtlog stop && evtlog disarm\n",
	.take = take_option,
};

static int run_order(const struct options *options, int argc, char **argv)
{
	bool as_json = false;
	int result = options_take_only(options, argc, argv, &as_json);

	return result == OPTIONS_TAKEN ? finish(order(options->command, as_json)) : result;
}

static int run_arm(int argc, char **argv)
{
	return run_order(&arm_options, argc, argv);
}

static int run_disarm(int argc, char **argv)
{
	return run_order(&disarm_options, argc, argv);
}

const struct evtlog_command command_arm = {
	.name = "arm",
	.summary = "prepare the kernel for a fast start",
	.run = run_arm,
};

const struct evtlog_command command_disarm = {
	.name = "disarm",
	.summary = "switch the hooks of the kernel off",
	.run = run_disarm,
};
