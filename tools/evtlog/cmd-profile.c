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

static const struct command_table table = {
	.of = "profile",
	.about = "Show how often and how long tasks were in system calls, interrupts, softirqs, "
		 "exceptions and user mode, waited for a CPU and were blocked. The kernel sums "
		 "this up without writing records, and counts each tick exactly once.",
	.notes =
	"'evtlog profile [OPTION...] -- COMMAND' is evtlog profile run, and\n"
	"'evtlog profile --every TIME [OPTION...]' is evtlog profile record.\n"
	"\n"
	"Examples:\n"
	"  evtlog profile -- dd if=/dev/zero of=/tmp/x bs=1M count=100\n"
	"  evtlog profile start\n"
	"  evtlog profile show --tree --pid 4711\n"
	"  evtlog profile show --per-cpu\n"
	"  evtlog profile top\n",
	.at = commands,
	.count = sizeof(commands) / sizeof(commands[0]),
};

/* Without a command's name: evtlog profile --tree -- CMD */
static const struct evtlog_command *unnamed(int argc, char **argv)
{
	if (argc < 2 || argv[1][0] != '-' || !strcmp(argv[1], "-h") || !strncmp(argv[1], "--help", 6))
		return NULL;
	if (!strcmp(argv[1], "--every") || !strncmp(argv[1], "--every=", 8))
		return &profile_record;
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
