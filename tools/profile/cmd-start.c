// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog profile start, stop: all tasks' profiles begin, all empty; or end, and can be read.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "common/error.h"
#include "common/options.h"
#include "control/control.h"
#include "profile/profile.h"
#include "profile/subcommands.h"

static int say_failed(const char *file, int error)
{
	if (error == -ENOENT)
		pr_err(CONTROL_DIRECTORY "/%s: this kernel keeps no profiles; boot one with this evtlog's patches and CONFIG_EVTLOG_PROFILE",
		       file);
	else if (error == -ENOMEM)
		pr_err("%s", strerror(ENOMEM));
	else if (error == -EINVAL)
		pr_err(CONTROL_DIRECTORY "/%s: has a line that is none of a profile; use the evtlog of this kernel",
		       file);
	else
		control_say_failed(file, error);
	return EXIT_FAILED;
}

int profile_say_failed(int error)
{
	return say_failed(PROFILE_FILE, error);
}

int profile_turn(const char *value)
{
	int error = control_write(PROFILE_CONTROL, value);

	return error ? say_failed(PROFILE_CONTROL, error) : EXIT_OK;
}

static const struct option_desc table[] = {
	{ }
};

static const struct options start_options = {
	.command = "profile start",
	.usage = "[OPTION]...",
	.about = "Start the profiles of all tasks and CPUs, all of them empty. Nothing changes if "
		 "they are kept already.",
	.table = table,
	.notes = "Exit status: 0 success; 1 failed; 2 misuse.\n",
};

static const struct options stop_options = {
	.command = "profile stop",
	.usage = "[OPTION]...",
	.about = "Stop the profiles. What they have can be read until they are started again.",
	.table = table,
	.notes = "Exit status: 0 success; 1 failed; 2 misuse.\n",
};

static int run(const struct options *options, int argc, char **argv, const char *value)
{
	int result = options_take_only(options, argc, argv, NULL);

	return result == OPTIONS_TAKEN ? finish(profile_turn(value)) : result;
}

static int run_start(int argc, char **argv)
{
	return run(&start_options, argc, argv, "1");
}

static int run_stop(int argc, char **argv)
{
	return run(&stop_options, argc, argv, "0");
}

const struct evtlog_command profile_start = {
	"start", "begin the profiles of all tasks, empty", run_start,
};

const struct evtlog_command profile_stop = {
	"stop", "end the profiles, and keep what they have", run_stop,
};
