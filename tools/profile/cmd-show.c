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
#include "profile/compensate.h"
#include "profile/profile.h"
#include "profile/subcommands.h"

/* ---- The kernel's profiles ---- */

/* Reads all profiles; returns an exit status. */
static int read_all(struct profile *profile, uint64_t *hz)
{
	int error;

	if (profile_hz_or_say(hz) != EXIT_OK)
		return EXIT_FAILED;
	error = profile_read(profile);
	return error ? profile_say_failed(error) : EXIT_OK;
}

/* Reads one process, with the rights of ptrace(); returns an exit status. */
static int read_process(struct profile *profile, int pid, uint64_t *hz)
{
	struct evtlog_profile *loaded;
	int error = evtlog_profile_others(&pid, 1, &loaded);

	if (!error)
		error = profile_take(profile, loaded);
	if (!error)
		*hz = profile->about.ticks_hz;
	else if ((error == -EPERM || error == -EACCES) && !control_is_locked_down())
		pr_err("%d: %s: its profile is for its user, and root", pid, strerror(-error));
	else if (error == -ESRCH)
		pr_err("%d: there is no such process", pid);
	else if (error == -ENODATA)
		pr_err("profiles are not kept; evtlog profile start, as root, begins them");
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

int profile_read_live(struct profile *profile, int pid, uint64_t *hz)
{
	return pid && !may_read_all() ? read_process(profile, pid, hz) : read_all(profile, hz);
}

/* ---- The command ---- */

int profile_print_all(const struct profile *profile, const struct profile_request *request, uint64_t hz)
{
	size_t shown = 0;
	struct json json;
	int error = 0;

	if (request->shape.as_json) {
		json_start(&json, stdout, false);
		json_object(&json, NULL);
		json_u64(&json, "ticks_hz", hz);
		profile_print_json_compensated(&json, &profile->about);
		json_array(&json, "profiles");
	}
	if (!request->shape.as_json && request->shape.form != PROFILE_FOLDED)
		profile_print_compensated(stdout, &profile->about, hz);
	for (size_t i = 0; !error && i < profile->count; i++) {
		const struct profile_entry *entry = &profile->at[i];

		if (request->shape.as_json) {
			profile_print_json(&json, entry);
		} else {
			if (shown && request->shape.form != PROFILE_FOLDED)
				putchar('\n');
			error = profile_print(stdout, entry, request->shape.form, hz);
		}
		shown++;
	}
	if (request->shape.as_json) {
		json_end(&json);
		json_end(&json);
	}
	if (!shown && !request->shape.as_json)
		pr_err("no such task has a profile%s", profile->about.is_on ? ": it has ended, or never was" :
		       "; evtlog profile start begins them");
	return error ? profile_say_failed(error) : shown ? EXIT_OK : EXIT_FAILED;
}

static int show(const struct profile_request *request)
{
	struct profile profile;
	uint64_t hz;
	int result = profile_read_live(&profile, request->pid, &hz);

	if (result != EXIT_OK)
		return result;
	/* Choose first, to subtract and report only the cost in these entries. */
	profile_choose(&profile, request->cpus, request->pid);
	result = request->shape.compensate ? profile_compensate_or_say(&profile) : EXIT_OK;
	if (result == EXIT_OK)
		result = profile_print_all(&profile, request, hz);
	profile_free(&profile);
	return result;
}

enum { PID = 256, PER_CPU };

static int take_option(void *context, int option, char *value)
{
	struct profile_request *request = context;

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
	struct profile_request request = { 0 };
	int result = options_take_only(&options, argc, argv, &request);

	if (result != OPTIONS_TAKEN)
		return result;
	if (request.pid && request.cpus)
		return misuse("profile show", "--pid and --per-cpu are not taken together");
	if (request.shape.given & (request.shape.given - 1))
		return misuse("profile show", "--tree, --folded and --json are not taken together");
	return finish(show(&request));
}

const struct evtlog_command profile_show = {
	.name = "show",
	.summary = "show the profiles of live tasks, or of CPUs",
	.run = run,
};
