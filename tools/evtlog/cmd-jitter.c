// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog jitter: finds the command of its own that the user named and runs it.
 *
 * It measures and reads nothing itself.
 */
#include "common/command.h"
#include "jitter/subcommands.h"

/* NULL: this program was linked without it. */
static const struct evtlog_command *const commands[] = {
#define X(name) &jitter_##name,
	JITTER_COMMANDS(X)
#undef X
};

static const struct command_table table = {
	.of = "jitter",
	.about = "Measure OS jitter: find which tasks and interrupts took a program's time. The "
		 "program measures its interruptions in user mode while the kernel logs their "
		 "causes.",
	.notes =
	"\n"
	"Examples:\n"
	"  evtlog jitter run -o quiet --duration 60s\n"
	"  evtlog jitter report quiet\n"
	"  evtlog jitter diff quiet after-the-upgrade\n",
	.at = commands,
	.count = sizeof(commands) / sizeof(commands[0]),
};

static int run(int argc, char **argv)
{
	return table_run(&table, argc, argv);
}

const struct evtlog_command command_jitter = {
	.name = "jitter",
	.summary = "measure OS jitter and its sources",
	.run = run,
};
