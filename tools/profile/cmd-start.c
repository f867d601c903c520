// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog profile start, stop: start empty profiles of all tasks, or stop and keep them.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/options.h"
#include "control/control.h"
#include "control/file.h"
#include "profile/profile.h"
#include "profile/subcommands.h"

static int say_failed(const char *file, int error)
{
	if (error == -ENOENT)
		pr_err(CONTROL_DIRECTORY "/%s: this kernel has no profiles; boot one with this evtlog's patches and CONFIG_EVTLOG_PROFILE",
		       file);
	else if (error == -ENOMEM)
		pr_err("%s", strerror(ENOMEM));
	else if (error == -EINVAL)
		pr_err(CONTROL_DIRECTORY "/%s: has a line that is not valid in a profile; use the evtlog of this kernel",
		       file);
	else
		control_say_failed(file, error);
	return EXIT_FAILED;
}

int profile_say_failed(int error)
{
	/* Reading needs fewer rights than control_say_failed() prints. */
	if ((error == -EPERM || error == -EACCES) && !control_is_locked_down()) {
		pr_err(CONTROL_DIRECTORY "/" PROFILE_FILE ": %s: this needs root, or CAP_PERFMON and the group of evtlog.gid; evtlog profile show --pid PID shows a process of yours",
		       strerror(-error));
		return EXIT_FAILED;
	}
	return say_failed(PROFILE_FILE, error);
}

int profile_hz_or_say(uint64_t *hz)
{
	struct control_status status;
	int error = control_status(&status);

	if (error == -EPERM || error == -EACCES)
		return profile_say_failed(error);
	if (error) {
		control_say_failed("status", error);
		return EXIT_FAILED;
	}
	*hz = status.ticks_hz;
	control_status_free(&status);
	return EXIT_OK;
}

int profile_turn(const char *value)
{
	int error = control_write(PROFILE_CONTROL, value);

	return error ? say_failed(PROFILE_CONTROL, error) : EXIT_OK;
}

enum { GROUPS = 256 };

static int take_option(void *context, int option, char *value)
{
	const char **groups = context;

	if (!words_is_one(value))
		return -EINVAL;
	*groups = value;
	return option == GROUPS ? 0 : -EINVAL;
}

static const struct option_desc start_table[] = {
	{ GROUPS, "groups", "LIST", .help = "measure these groups, at this and each later start: "
	  "sched, syscall, irq, softirq, exception, signal, net, block; all (without net and "
	  "block); or none",
	  .valid = "names of groups, separated by commas" },
	{ }
};

static const struct options start_options = {
	.command = "profile start",
	.usage = "[OPTION]...",
	.about = "Start the profiles of all tasks and CPUs, empty. If profiles are already on, "
		 "nothing changes.",
	.table = start_table,
	.notes =
	"Exit status: 0 success; 1 failed; 2 misuse.\n"
	"\n"
	"Examples:\n"
	"  evtlog profile start --groups all,net,block\n",
	.take = take_option,
};

static const struct option_desc table[] = {
	{ }
};

static const struct options stop_options = {
	.command = "profile stop",
	.usage = "[OPTION]...",
	.about = "Stop the profiles. Their contents can be read until the next start.",
	.table = table,
	.notes = "Exit status: 0 success; 1 failed; 2 misuse.\n",
};

/* The kernel's reason for the last refusal; "" if it gives none. The caller frees *@text. */
static const char *cause(char **text)
{
	char *line = NULL;

	*text = NULL;
	if (!control_read(PROFILE_CONTROL, text))
		line = strstr(*text, "\nerror ");
	if (!line)
		return "";
	line += strlen("\nerror ");
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static void say_refused(const char *groups)
{
	char *text;
	const char *why = cause(&text);

	if (*why)
		pr_err(CONTROL_DIRECTORY "/" PROFILE_CONTROL ": %s", why);
	else
		pr_err("--groups: %s: the kernel does not have one of them; evtlog-profile(1) lists all; some kernels have no net and block",
		       groups);
	free(text);
}

static int choose_groups(const char *groups)
{
	char text[256];
	int error;

	if ((size_t)snprintf(text, sizeof(text), "groups %s", groups) >= sizeof(text))
		error = -EINVAL;
	else
		error = control_write(PROFILE_CONTROL, text);
	if (error == -EINVAL)
		say_refused(groups);
	else if (error == -EBUSY)
		pr_err("--groups: profiles are on; choose groups after evtlog profile stop");
	else if (error)
		say_failed(PROFILE_CONTROL, error);
	return error ? EXIT_FAILED : EXIT_OK;
}

static int run_start(int argc, char **argv)
{
	const char *groups = NULL;
	int result = options_take_only(&start_options, argc, argv, &groups);

	if (result != OPTIONS_TAKEN)
		return result;
	result = groups ? choose_groups(groups) : EXIT_OK;
	return finish(result == EXIT_OK ? profile_turn("1") : result);
}

static int run_stop(int argc, char **argv)
{
	int result = options_take_only(&stop_options, argc, argv, NULL);

	return result == OPTIONS_TAKEN ? finish(profile_turn("0")) : result;
}

const struct evtlog_command profile_start = {
	.name = "start",
	.summary = "start empty profiles of all tasks",
	.run = run_start,
};

const struct evtlog_command profile_stop = {
	.name = "stop",
	.summary = "stop the profiles and keep their contents",
	.run = run_stop,
};
