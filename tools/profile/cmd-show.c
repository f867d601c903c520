// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog profile show: show the profiles that the kernel has now.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/error.h"
#include "common/json.h"
#include "common/number.h"
#include "common/options.h"
#include "control/control.h"
#include "control/file.h"
#include "profile/profile.h"
#include "profile/subcommands.h"

/* ---- The kernel's profiles ---- */

/* Reads all profiles; returns an exit status. */
static int read_all(struct evtlog_profile **profilep)
{
	uint64_t hz;
	int error;

	if (profile_hz_or_say(&hz) != EXIT_OK)
		return EXIT_FAILED;
	error = profile_read(profilep);
	if (error)
		return profile_say_failed(error);
	(*profilep)->about.ticks_hz = hz;
	return EXIT_OK;
}

/* Reads one process, with the rights of ptrace(); returns an exit status. */
static int read_process(struct evtlog_profile **profilep, int pid)
{
	int error = evtlog_profile_others(&pid, 1, profilep);

	if (!error)
		profile_finish(*profilep);
	else if ((error == -EPERM || error == -EACCES) && !control_is_locked_down())
		pr_err("%d: %s: only its user and root may read its profile", pid, strerror(-error));
	else if (error == -ESRCH)
		pr_err("%d: there is no such process", pid);
	else if (error == -ENODATA)
		pr_err("profiles are off; evtlog profile start, as root, starts them");
	else
		profile_say_failed(error);
	return error ? EXIT_FAILED : EXIT_OK;
}

/* Opening the file fails with EACCES because of its mode, or with EPERM without CAP_PERFMON. */
static bool may_read_all(void)
{
	int fd = open(CONTROL_DIRECTORY "/" PROFILE_FILE, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errno != EACCES && errno != EPERM;
	close(fd);
	return true;
}

int profile_read_live(struct evtlog_profile **profilep, int pid)
{
	return pid && !may_read_all() ? read_process(profilep, pid) : read_all(profilep);
}

int profile_compensate_or_say(struct evtlog_profile *profile)
{
	int error = evtlog_profile_compensate(profile);

	if (error == -ENODATA)
		pr_err("--compensate: the profile does not contain the cost of a measurement (profiles of regions do not); leave out the option");
	else if (error == -EALREADY)
		pr_err("--compensate: the profile is compensated already; leave out the option");
	else if (error)
		pr_err("--compensate: %s", strerror(-error));
	return error ? EXIT_FAILED : EXIT_OK;
}

/* ---- Options of commands that print profiles ---- */

enum { TREE = PROFILE_COMPENSATE_OPTION + 1, FOLDED };

const struct option_desc profile_shape_options[] = {
	{ TREE, "tree", .help = "print the tree of nested events instead of a sum per event" },
	{ FOLDED, "folded", .help = "print folded stacks in us, for flame graphs" },
	PROFILE_COMPENSATE,
	{ 'j', "json", .help = "print JSON" },
	{ }
};

void profile_shape_option(struct profile_shape *shape, int option)
{
	switch (option) {
	case TREE:
		shape->form = PROFILE_TREE;
		shape->given |= 1;
		break;
	case FOLDED:
		shape->form = PROFILE_FOLDED;
		shape->given |= 2;
		break;
	case PROFILE_COMPENSATE_OPTION:
		shape->compensate = true;
		break;
	case 'j':
		shape->as_json = true;
		shape->given |= 4;
		break;
	}
}

/* ---- The command ---- */

/*
 * @cpus:	profiles of CPUs, else of tasks
 * @pid:	only tasks of this process; 0: all tasks
 */
struct request {
	struct profile_shape shape;
	bool cpus;
	uint64_t pid;
};

static void print_json(const struct evtlog_profile *profile)
{
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_u64(&json, "ticks_hz", profile->about.ticks_hz);
	profile_print_json_compensated(&json, &profile->about);
	json_array(&json, "profiles");
	for (size_t i = 0; i < profile->about.entries; i++)
		profile_print_json(&json, &profile->slots[i]);
	json_end(&json);
	json_end(&json);
}

static int print_text(const struct evtlog_profile *profile, enum profile_form form)
{
	uint64_t hz = profile->about.ticks_hz;
	int error = 0;

	if (form != PROFILE_FOLDED)
		profile_print_compensated(stdout, &profile->about, hz);
	for (size_t i = 0; !error && i < profile->about.entries; i++) {
		if (i && form != PROFILE_FOLDED)
			putchar('\n');
		error = profile_print(stdout, &profile->slots[i], form, hz);
	}
	if (!profile->about.entries)
		pr_err("no such task has a profile%s", profile->about.is_on ? ": it has ended, or never existed" :
		       "; evtlog profile start starts profiles");
	return error;
}

static int print(const struct evtlog_profile *profile, const struct profile_shape *shape)
{
	int error = 0;

	if (shape->as_json)
		print_json(profile);
	else
		error = print_text(profile, shape->form);
	if (error)
		return profile_say_failed(error);
	return profile->about.entries ? EXIT_OK : EXIT_FAILED;
}

static int show(const struct request *request)
{
	struct evtlog_profile *profile;
	int result = profile_read_live(&profile, request->pid);

	if (result != EXIT_OK)
		return result;
	/* Choose first, to subtract and report only the cost in these entries. */
	profile_choose(profile, request->cpus, request->pid);
	result = request->shape.compensate ? profile_compensate_or_say(profile) : EXIT_OK;
	if (result == EXIT_OK)
		result = print(profile, &request->shape);
	evtlog_profile_free(profile);
	return result;
}

enum { PID = 256, PER_CPU };

static int take_option(void *context, int option, char *value)
{
	struct request *request = context;

	switch (option) {
	case PER_CPU:
		request->cpus = true;
		break;
	case PID:
		return number_parse(&request->pid, value, 1, INT32_MAX);
	default:
		profile_shape_option(&request->shape, option);
	}
	return 0;
}

static const struct option_desc table[] = {
	{ PID, "pid", "PID", .help = "show only the tasks of this process",
	  .valid = "a process's number" },
	{ PER_CPU, "per-cpu", .help = "show CPUs instead of tasks" },
	OPTION_GROUP(profile_shape_options),
	{ }
};

static const struct options options = {
	.command = "profile show",
	.usage = "[OPTION]...",
	.about = "Show the profiles of all live tasks, or of all CPUs. For each process there is "
		 "also the sum of its ended threads.",
	.table = table,
	.notes =
	"Other users than root can use --pid for processes that they may trace.\n"
	"\n"
	"Exit status: 0 success; 1 failed; 2 misuse.\n"
	"\n"
	"Examples:\n"
	"  evtlog profile show --tree --pid 4711\n"
	"  evtlog profile show --per-cpu\n",
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct request request = { 0 };
	int result = options_take_only(&options, argc, argv, &request);

	if (result != OPTIONS_TAKEN)
		return result;
	if (request.pid && request.cpus)
		return misuse("profile show", "--pid and --per-cpu exclude each other");
	if (request.shape.given & (request.shape.given - 1))
		return misuse("profile show", "--tree, --folded and --json exclude each other");
	return finish(show(&request));
}

const struct evtlog_command profile_show = {
	.name = "show",
	.summary = "show the profiles of live tasks, or of CPUs",
	.run = run,
};
