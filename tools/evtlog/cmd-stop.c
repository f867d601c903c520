// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog stop: ends the run, and waits until its file is complete.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "common/number.h"
#include "common/options.h"
#include "control/control.h"
#include "record/logger.h"

static void print_result(const struct control_status *status, const struct logger_file *file,
			 bool as_json)
{
	uint64_t lost = control_lost(status);
	struct json json;

	if (as_json) {
		json_start(&json, stdout, false);
		json_object(&json, NULL);
		json_u64(&json, "run", status->run);
		json_string(&json, "file", file->path[0] ? file->path : NULL);
		json_bool(&json, "complete", file->is_complete);
		json_u64(&json, "lost", lost);
		json_end(&json);
		return;
	}
	printf("run %" PRIu64 ": stopped, %" PRIu64 " events lost\n", status->run, lost);
	if (file->path[0])
		printf("%s: %" PRIu64 " buffers%s\n", file->path, file->buffers,
		       file->is_complete ? "" : ", not complete yet");
}

static bool logger_is_there(void *context)
{
	const struct control_status *status = context;

	return kill(status->logger, 0) == 0 || errno != ESRCH;
}

static int wait_for_file(struct control_status *status, unsigned int timeout_s,
			 struct logger_file *file)
{
	struct logger_directory directory;
	int error;

	error = logger_directory_open(&directory, status->logger);
	if (error) {
		pr_warn("logd (pid %d): directory unknown: %s", status->logger,
		       strerror(-error));
		return EXIT_FAILED;
	}
	error = logger_wait_complete(&directory, status, timeout_s, logger_is_there, status, file);
	logger_directory_close(&directory);
	if (!error)
		return EXIT_OK;
	if (error == -ETIME)
		pr_err("%s: not complete after %u s; see logd's messages",
		       file->path[0] ? file->path : directory.path, timeout_s);
	else
		pr_err("logd (pid %d) ended before the run's file was complete; restart it to save the rest",
		       status->logger);
	return EXIT_FAILED;
}

struct stop_options {
	unsigned int timeout_s;
	bool disarms;
	bool as_json;
};

static int stop(const struct stop_options *opts)
{
	struct logger_file file = { .path = "" };
	struct control_status status;
	int error, result = EXIT_OK;

	error = control_write("enable", "0");
	if (error == -EALREADY) {
		pr_err("no run is being recorded");
		return EXIT_FAILED;
	}
	if (error) {
		control_say_failed("enable", error);
		return EXIT_FAILED;
	}
	if (control_status_or_say(&status))
		return EXIT_FAILED;
	if (!status.logger)
		pr_warn("no logger is running: the last %u buffers of the run stay in the kernel until logd starts",
		       control_waiting(&status));
	else if (opts->timeout_s)
		result = wait_for_file(&status, opts->timeout_s, &file);
	print_result(&status, &file, opts->as_json);
	if (!result && control_lost(&status))
		result = EXIT_EVENTS_LOST;
	control_status_free(&status);
	return result;
}

/* Without a run there is nothing to stop. */
static int stop_and_disarm(const struct stop_options *opts)
{
	struct control_status status;
	int stopped = EXIT_OK, disarmed;
	bool is_recording;

	if (control_status_or_say(&status))
		return EXIT_FAILED;
	is_recording = status.is_recording;
	control_status_free(&status);
	if (is_recording)
		stopped = stop(opts);
	if (stopped != EXIT_OK && stopped != EXIT_EVENTS_LOST)
		return stopped;
	disarmed = control_arm(false, opts->as_json);
	return disarmed ? disarmed : stopped;
}

enum { DISARM = 256, TIMEOUT };

static int take_option(void *context, int option, char *value)
{
	struct stop_options *opts = context;

	switch (option) {
	case TIMEOUT:
		return number_parse_u32(&opts->timeout_s, value, 0, 86400);
	case DISARM:
		opts->disarms = true;
		return 0;
	case 'j':
		opts->as_json = true;
		return 0;
	}
	return -EINVAL;
}

static const struct option_desc table[] = {
	{ TIMEOUT, "timeout", "SECONDS", "wait at most SECONDS for the file; 0 does not wait "
	  "(default 10)", .kind = VALUE_TEXT, .valid = "a number from 0 to 86400" },
	{ DISARM, "disarm", .help = "after the stop, switch the hooks off, so that each costs one "
	  "NOP again; without a run, only switch them off" },
	{ 'j', "json", .help = "print the result as JSON, with a second object for --disarm" },
	{ }
};

static const struct options options = {
	.command = "stop",
	.usage = "[OPTION...]",
	.about = "Stop the run that is being recorded, and wait until logd has closed its "
		 "file.",
	.table = table,
	.notes =
	"Exit status: 0 done, 1 failed (without --disarm also if nothing is being\n"
	"recorded), 2 misuse, 4 done, but events were lost.\n"
	"\n"
	"Examples:\n"
	"  evtlog stop\n"
	"  evtlog stop --timeout 60 --json\n"
	"  evtlog stop --disarm\n",
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct stop_options opts = { .timeout_s = 10 };
	int result = options_take_only(&options, argc, argv, &opts);

	if (result != OPTIONS_TAKEN)
		return result;
	return finish(opts.disarms ? stop_and_disarm(&opts) : stop(&opts));
}

const struct evtlog_command command_stop = {
	.name = "stop",
	.summary = "stop the run and wait for its file",
	.run = run,
};
