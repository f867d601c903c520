// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog profile: finds the command of its own that the user named and runs it.
 */
#include <stddef.h>
#include <string.h>

#include "common/command.h"
#include "profile/subcommands.h"

static const struct evtlog_command *const commands[] = {
#define X(name) &profile_##name,
	PROFILE_COMMANDS(X)
#undef X
};

/* Commands of version 0.11; this list goes with the next version. */
static const struct moved_command moved[] = {
	{ "check", "check --profile" },
	{ "show", "profile report" },
	{ "trace", "profile start --events, stop PID or report --trace" },
	{ }
};

static const struct command_table table = {
	.of = "profile",
	.about = "Show how often and how long tasks were in system calls, interrupts, softirqs, "
		 "exceptions and user mode, waited for a CPU and were blocked. The kernel sums "
		 "this up without writing records, and counts each tick exactly once.",
	.notes =
	"'evtlog profile [OPTION...] -- COMMAND' is evtlog profile run.\n"
	"\n"
	"Examples:\n"
	"  evtlog profile -- dd if=/dev/zero of=/tmp/x bs=1M count=100\n"
	"  evtlog profile start\n"
	"  evtlog profile top\n"
	"  evtlog profile report --tree --pid 4711\n",
	.at = commands,
	.count = sizeof(commands) / sizeof(commands[0]),
	.moved = moved,
};

/* Without a command's name: evtlog profile --tree -- CMD */
static const struct evtlog_command *unnamed(int argc, char **argv)
{
	static const char *const of_run[] = {
		"--tree", "--folded", "--compensate", "--json", "--output",
	};

	if (argc < 2 || argv[1][0] != '-' || !strcmp(argv[1], "-h") || !strncmp(argv[1], "--help", 6))
		return NULL;
	/* A former spelling of evtlog profile record --interval */
	if (!strncmp(argv[1], "--every", 7))
		return &profile_record;
	for (size_t i = 0; i < sizeof(of_run) / sizeof(of_run[0]); i++) {
		if (!strncmp(argv[1], of_run[i], strlen(of_run[i])))
			return &profile_run;
	}
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--"))
			return &profile_run;
	}
	/* evtlog profile -j CMD: an option of run, or one of its former letters */
	return argv[1][1] && argv[1][1] != '-' && strchr("Cjtfo", argv[1][1]) ? &profile_run : NULL;
}

static int run(int argc, char **argv)
{
	const struct evtlog_command *command = unnamed(argc, argv);

	if (command)
		return command->run(argc, argv);
	return table_run(&table, argc, argv);
}

const struct evtlog_command command_profile = {
	.name = "profile",
	.summary = "show each task's time per system call, interrupt and wait",
	.run = run,
};
