// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog remote: finds the command of its own that the user named and runs it.
 */
#include "common/command.h"
#include "remote/key.h"
#include "remote/subcommands.h"

static const struct evtlog_command *const commands[] = {
#define X(name) &remote_##name,
	REMOTE_COMMANDS(X)
#undef X
};

/* Commands of version 0.11; this list goes with the next version. */
static const struct moved_command moved[] = {
	{ "cancel", "remote sched --cancel" },
	{ "keygen", "remote key make" },
	{ "prepare", "remote start --arm, or stop --disarm" },
	{ }
};

static const struct option_desc shared[] = {
	OPTION_GROUP(remote_send_options),
	OPTION_GROUP(remote_broadcast_options),
	OPTION_GROUP(remote_hosts_options),
	OPTION_GROUP(remote_result_options),
	{ }
};

static const struct command_table table = {
	.of = "remote",
	.about = "Control the kernels of many hosts at once with signed control messages, and copy "
		 "their files.",
	.notes =
	"\n"
	"Examples:\n"
	"  evtlog remote key make\n"
	"  scp -p " REMOTE_KEY_FILE " node1:/etc/evtlog/\n"
	"  ssh node1 evtlog remote key install\n"
	"  evtlog remote start --name job1 node[1-16]\n"
	"  evtlog remote stop node[1-16] && evtlog remote gather --run job1 node[1-16]\n",
	.at = commands,
	.count = sizeof(commands) / sizeof(commands[0]),
	.shared = shared,
	.moved = moved,
};

static int run(int argc, char **argv)
{
	return table_run(&table, argc, argv);
}

const struct evtlog_command command_remote = {
	.name = "remote",
	.group = "Cluster",
	.summary = "start and stop many hosts, schedule their tasks, copy their files",
	.run = run,
};
