// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog profile run -- CMD: show the profile of a command and of all that it forks.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/atomic-file.h"
#include "common/error.h"
#include "common/json.h"
#include "common/options.h"
#include "control/control.h"
#include "control/file.h"
#include "profile/profile.h"
#include "profile/subcommands.h"
#include "record/workload.h"

/* ---- /proc/evtlog/profile/family: the profiles of a command and of all that it forks ---- */

#define PROFILE_FAMILY_FILE	"profile/family"
#define TRIES		2000
#define PAUSE_NS	5000000

/* Opens an empty family; profiles are kept while it is open. Returns a descriptor or -errno. */
static int profile_family_open(void)
{
	int fd = open(CONTROL_DIRECTORY "/" PROFILE_FAMILY_FILE, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Makes this process the first member of the family. Returns 0 or an errno. */
static int profile_family_join(int family)
{
	return -control_file_write(family, "join");
}

/* Reads live members and the sum of ended ones, when none is just ending. 0 or -errno. */
static int profile_family_read(int family, struct evtlog_profile **profilep)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };

	for (int i = 0;; i++) {
		size_t bytes;
		char *text;
		int error = control_file_read(family, &text, &bytes);

		if (!error)
			error = profile_parse(profilep, text);
		if (error)
			return error;
		if ((*profilep)->about.members == (*profilep)->about.listed || i == TRIES)
			return 0;
		evtlog_profile_free(*profilep);
		nanosleep(&pause, NULL);
	}
}

/* ---- The command ---- */

/*
 * @given:	a bit for each of --tree, --folded and --json that is given; only one is allowed
 * @output:	NULL: standard error, as time(1) does
 * @wall_ns:	run time of the command
 * @status:	exit status as in a shell
 */
struct request {
	enum profile_form form;
	unsigned int given;
	bool as_json, compensate;
	const char *output;
	const char *command;
	uint64_t hz, wall_ns;
	int status;
};

static const struct {
	const char *name, *text, *key;
} kinds[PROFILE_KINDS] = {
	[PROFILE_USER] = { "user", "in user mode", "user_ticks" },
	[PROFILE_KERNEL] = { "kernel", "in the kernel", "kernel_ticks" },
	[PROFILE_TASK] = { "either", "in user mode or in the kernel: unknown", "task_ticks" },
	[PROFILE_RUNQUEUE] = { "waiting", "for a CPU, after it was blocked or new", "runqueue_ticks" },
	[PROFILE_PREEMPTED] = { "preempted", "and waiting for a CPU; also if it yielded", "preempted_ticks" },
	[PROFILE_INTERRUPTIBLE] = { "blocked", "interruptible", "interruptible_ticks" },
	[PROFILE_UNINTERRUPTIBLE] = { "blocked", "uninterruptible", "uninterruptible_ticks" },
	[PROFILE_IO] = { "blocked", "for I/O", "io_ticks" },
	[PROFILE_STOPPED] = { "stopped", "stopped or traced", "stopped_ticks" },
	[PROFILE_WAITING] = { "waiting", "for causes without a path of their own", "waiting_ticks" },
	[PROFILE_IDLE] = { "idle", "", "idle_ticks" },
};

static void print_kinds(FILE *out, const struct profile_slot *sum, const struct request *request,
			uint64_t alive)
{
	uint64_t ticks[PROFILE_KINDS], all = 0;

	profile_kinds_of(sum, ticks);
	for (int i = 0; i < PROFILE_KINDS; i++)
		all += ticks[i];
	fprintf(out, "%-10s %14.6f s\n", "wall", request->wall_ns / 1e9);
	for (int i = 0; i < PROFILE_KINDS; i++) {
		if (ticks[i] || i <= PROFILE_KERNEL)
			fprintf(out, "%-10s %14.6f s %6.2f %%  %s\n", kinds[i].name,
				(double)ticks[i] / request->hz,
				all ? ticks[i] * 100.0 / all : 0, kinds[i].text);
	}
	fprintf(out, "%-10s %14" PRIu64 " ended, %" PRIu64 " alive\n\n", "tasks", sum->entry.ended, alive);
}

static void print_json(FILE *out, const struct profile_slot *sum, const struct request *request,
		       const struct evtlog_profile *family)
{
	uint64_t ticks[PROFILE_KINDS];
	struct json json;

	profile_kinds_of(sum, ticks);
	json_start(&json, out, false);
	json_object(&json, NULL);
	json_string(&json, "command", request->command);
	json_s64(&json, "exit_status", request->status);
	json_u64(&json, "ticks_hz", request->hz);
	json_u64(&json, "wall_ns", request->wall_ns);
	for (int i = 0; i < PROFILE_IDLE; i++)
		json_u64(&json, kinds[i].key, ticks[i]);
	json_u64(&json, "tasks_ended", sum->entry.ended);
	json_u64(&json, "tasks_alive", family->about.listed);
	json_u64(&json, "tasks_ending", family->about.members - family->about.listed);
	json_u64(&json, "tasks_without", family->about.tasks_without);
	profile_print_json_compensated(&json, &family->about);
	profile_print_json_paths(&json, sum);
	json_end(&json);
}

static int print(FILE *out, struct evtlog_profile *family, const struct request *request)
{
	struct profile_slot sum;
	int error = profile_sum(&family, 1, &sum);

	if (error)
		return error;
	sum.entry.comm = request->command;
	if (request->as_json) {
		print_json(out, &sum, request, family);
	} else {
		if (request->form != PROFILE_FOLDED)
			print_kinds(out, &sum, request, family->about.listed);
		if (request->form != PROFILE_FOLDED)
			profile_print_compensated(out, &family->about, request->hz);
		error = profile_print(out, &sum, request->form, request->hz);
	}
	profile_slot_free(&sum);
	if (family->about.members > family->about.listed)
		pr_warn("%" PRIu64 " tasks are still ending, and their profiles are missing; a program may hold their /proc files open",
			family->about.members - family->about.listed);
	if (family->about.tasks_without)
		pr_warn("%" PRIu64 " tasks have no profile: there was no memory", family->about.tasks_without);
	return error;
}

static int report(int file, const struct request *request)
{
	struct atomic_file output = { 0 };
	struct evtlog_profile *family;
	int error, result;

	error = profile_family_read(file, &family);
	if (error) {
		control_say_failed(PROFILE_FAMILY_FILE, error);
		return EXIT_FAILED;
	}
	result = request->compensate ? profile_compensate_or_say(family) : EXIT_OK;
	if (result == EXIT_OK && request->output)
		result = atomic_file_open(&output, request->output);
	if (result == EXIT_OK) {
		error = print(request->output ? output.out : stderr, family, request);
		if (request->output)
			result = atomic_file_close(&output, error);
		else if (error)
			result = profile_say_failed(error);
	}
	evtlog_profile_free(family);
	return result;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static int join(void *family)
{
	return profile_family_join(*(int *)family);
}

/* Returns the status of the command as a shell does. */
static int run_command(char **argv, int family, struct request *request)
{
	struct workload workload;
	uint64_t begin;
	int error, status = 0;

	workload_signals();
	error = workload_prepare_with(&workload, argv, join, &family);
	begin = now_ns();
	if (!error)
		error = workload_go(&workload);
	if (error) {
		pr_err("%s: %s", argv[0], strerror(-error));
		return error == -ENOENT ? 127 : 126;
	}
	error = workload_wait(&workload, &status);
	request->wall_ns = now_ns() - begin;
	if (error) {
		pr_warn("%s: is still running; evtlog does not wait for it", argv[0]);
		request->status = 128 + SIGINT;
	} else {
		request->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
							WEXITSTATUS(status);
	}
	return report(family, request) == EXIT_OK ? request->status : EXIT_FAILED;
}

static int profile_command(char **argv, struct request *request)
{
	struct control_status status;
	int family, result;

	if (control_status_or_say(&status))
		return EXIT_FAILED;
	request->hz = status.ticks_hz;
	control_status_free(&status);
	if (request->output && output_check_place(request->output) != EXIT_OK)
		return EXIT_FAILED;
	family = profile_family_open();
	if (family < 0) {
		if (family == -ENOENT)
			return profile_say_failed(family);
		control_say_failed(PROFILE_FAMILY_FILE, family);
		return EXIT_FAILED;
	}
	request->command = argv[0];
	result = run_command(argv, family, request);
	close(family);
	return result;
}

enum { TREE = 256, FOLDED };

static int take_option(void *context, int option, char *value)
{
	struct request *request = context;

	switch (option) {
	case 'o':
		if (!*value)
			return -EINVAL;
		request->output = value;
		break;
	case TREE:
		request->form = PROFILE_TREE;
		request->given |= 1;
		break;
	case FOLDED:
		request->form = PROFILE_FOLDED;
		request->given |= 2;
		break;
	case PROFILE_COMPENSATE_OPTION:
		request->compensate = true;
		break;
	case 'j':
		request->as_json = true;
		request->given |= 4;
		break;
	}
	return 0;
}

static const struct option_desc table[] = {
	{ TREE, "tree", .help = "print the tree of nested events instead of a sum per event" },
	{ FOLDED, "folded", .help = "print folded stacks in us, for flame graphs" },
	PROFILE_COMPENSATE,
	{ 'j', "json", .help = "print JSON" },
	{ 'o', "output", "FILE", .help = "write to FILE instead of standard error; - is standard output",
	  .kind = VALUE_FILE, .valid = "a file" },
	{ }
};

static const struct options options = {
	.command = "profile run",
	.usage = "[OPTION]... [--] COMMAND [ARG...]",
	.about = "Run a command. When it ends, show how long the command, its threads and all its "
		 "descendants were in user mode, in the kernel, waiting for a CPU and blocked, and "
		 "in which system calls, interrupts and exceptions. Ended tasks are included "
		 "completely, live tasks up to now. No run is needed, and no record is written.",
	.table = table,
	.notes =
	"SIGINT, SIGTERM, SIGHUP and SIGQUIT are passed on to the command. After a second\n"
	"signal, evtlog no longer waits for the command.\n"
	"\n"
	"Exit status: the status of the command, 128 or more if a signal ended it; 126\n"
	"the command could not be run; 127 there is no such command; 1 the profile could\n"
	"not be kept or written; 2 misuse.\n"
	"\n"
	"Examples:\n"
	"  evtlog profile -- dd if=/dev/zero of=/tmp/x bs=1M count=100\n"
	"  evtlog profile --tree -- make -j8\n"
	"  evtlog profile --folded -o make.folded -- make -j8\n",
	.operands = VALUE_COMMAND,
	.stops_at_operand = true,
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct request request = { 0 };
	int result = options_take(&options, argc, argv, &request);

	if (result != OPTIONS_TAKEN)
		return result;
	if (!argv[optind])
		return misuse("profile run", "no command is given");
	if (request.given & (request.given - 1))
		return misuse("profile run", "--tree, --folded and --json exclude each other");
	result = profile_command(argv + optind, &request);
	return finish(result);
}

const struct evtlog_command profile_run = {
	.name = "run",
	.summary = "run a command, and show its profile when it ends",
	.run = run,
};
