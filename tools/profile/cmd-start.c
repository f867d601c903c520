// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog profile start, stop: start empty profiles of all tasks, or stop and keep them; and begin
 * or delete traces of tasks.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "control/control.h"
#include "control/file.h"
#include "profile/profile.h"
#include "profile/subcommands.h"
#include "profile/trace.h"

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
		pr_err(CONTROL_DIRECTORY "/" PROFILE_FILE ": %s: this needs root, or CAP_PERFMON and the group of evtlog.gid; evtlog profile report --pid PID shows a process of yours",
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

/* ---- start ---- */

#define KEEP_MAX	100000

/*
 * @events:	length of a trace to begin; 0: not given
 * @keep:	UINT64_MAX: not given
 */
struct start_request {
	const char *groups;
	uint64_t events, keep;
	bool with_tree;
};

enum { GROUPS = 256, TREE, KEEP };

static int take_start_option(void *context, int option, char *value)
{
	struct start_request *request = context;

	switch (option) {
	case GROUPS:
		request->groups = value;
		return words_is_one(value) ? 0 : -EINVAL;
	case 'n':
		return number_parse(&request->events, value, 1, TRACE_EVENTS_MAX);
	case TREE:
		request->with_tree = true;
		return 0;
	case KEEP:
		return number_parse(&request->keep, value, 0, KEEP_MAX);
	}
	return -EINVAL;
}

static const struct option_desc start_table[] = {
	{ GROUPS, "groups", "LIST", .help = "measure these groups, at this and each later start: "
	  "sched, syscall, irq, softirq, exception, signal, net, block; all (without net and "
	  "block); or none",
	  .valid = "names of groups, separated by commas" },
	{ 'n', "events", "N", .help = "with PID: keep the last N events of this task from now on",
	  .valid = "a number from 1 to 65536" },
	{ TREE, "tree", .help = "with PID: also of all threads of its process, and all tasks that "
	  "they fork" },
	{ KEEP, "keep", "N", .help = "keep the traces of at most N ended tasks (at boot 64); "
	  "starts nothing",
	  .valid = "a number from 0 to 100000" },
	{ }
};

static const struct options start_options = {
	.command = "profile start",
	.usage = "[--groups LIST]\n"
		 "--events N [--tree] PID\n"
		 "--keep N",
	.about = "Start the profiles of all tasks and CPUs, empty. If profiles are already on, "
		 "nothing changes. With PID, also keep a trace: what this task entered and left, "
		 "when it went to user mode, and when and how it left its CPU and came back. Each "
		 "traced task has its own ring, which stays after the task has ended.",
	.table = start_table,
	.notes =
	"PID is the id of a thread.\n"
	"\n"
	"Exit status: 0 success; 1 failed; 2 misuse.\n"
	"\n"
	"Examples:\n"
	"  evtlog profile start --groups all,net,block\n"
	"  evtlog profile start --events 256 --tree 4711\n"
	"  evtlog profile report --trace 4711\n",
	.take = take_start_option,
};

/* Takes at most one argument, the id of a task. @pid: 0 if there is none. Returns an exit status. */
static int take_task(const char *command, char **argv, uint64_t *pid)
{
	*pid = 0;
	if (!*argv)
		return EXIT_OK;
	if (number_parse(pid, *argv, 1, INT32_MAX))
		return misuse(command, "%s: not the number of a task", *argv);
	return argv[1] ? misuse(command, "%s: only one task can be given", argv[1]) : EXIT_OK;
}

static int start(const struct start_request *request, uint64_t pid)
{
	int result = request->groups ? choose_groups(request->groups) : EXIT_OK;

	if (result == EXIT_OK)
		result = profile_turn("1");
	if (result == EXIT_OK && pid)
		result = trace_begin(pid, request->events, request->with_tree);
	return result;
}

static int run_start(int argc, char **argv)
{
	struct start_request request = { .keep = UINT64_MAX };
	int result = options_take(&start_options, argc, argv, &request);
	uint64_t pid;

	if (result != OPTIONS_TAKEN)
		return result;
	result = take_task("profile start", argv + optind, &pid);
	if (result != EXIT_OK)
		return result;
	if (!pid != !request.events)
		return misuse("profile start", pid ? "a trace of PID needs --events" :
						     "--events: no task is given");
	if (request.with_tree && !pid)
		return misuse("profile start", "--tree is for --events");
	if (request.keep == UINT64_MAX)
		return finish(start(&request, pid));
	if (pid || request.groups)
		return misuse("profile start", "--keep takes no task and no --groups");
	return finish(traces_keep(request.keep));
}

const struct evtlog_command profile_start = {
	.name = "start",
	.summary = "start empty profiles of all tasks, or a trace of a task",
	.run = run_start,
};

/* ---- stop ---- */

static const struct option_desc stop_table[] = {
	{ }
};

static const struct options stop_options = {
	.command = "profile stop",
	.usage = "[PID]",
	.about = "Stop the profiles. Their contents can be read until the next start. With PID, "
		 "only stop tracing this task, and delete its trace.",
	.table = stop_table,
	.notes = "Exit status: 0 success; 1 failed; 2 misuse.\n",
};

static int run_stop(int argc, char **argv)
{
	int result = options_take(&stop_options, argc, argv, NULL);
	uint64_t pid;

	if (result != OPTIONS_TAKEN)
		return result;
	result = take_task("profile stop", argv + optind, &pid);
	if (result != EXIT_OK)
		return result;
	return finish(pid ? trace_delete(pid) : profile_turn("0"));
}

const struct evtlog_command profile_stop = {
	.name = "stop",
	.summary = "stop the profiles and keep their contents, or end a trace",
	.run = run_stop,
};
