/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of `evtlog remote`, and what they share: their options, and one way to go
 * through them.
 *
 * Stage: the outermost layer of the tools.
 */
#ifndef EVTLOG_REMOTE_SUBCOMMANDS_H
#define EVTLOG_REMOTE_SUBCOMMANDS_H

#include "command.h"
#include "common/command.h"
#include "common/options.h"
#include "targets.h"

/*
 * Each is a const struct evtlog_command remote_NAME, and a line here, in the order
 * `evtlog remote --help` shows them.  Its messages are of "remote NAME".
 */
#define REMOTE_COMMANDS(X) \
	X(status) \
	X(prepare) \
	X(start) \
	X(stop) \
	X(sched) \
	X(cancel) \
	X(keygen) \
	X(key) \
	X(hosts)

#define X(name) extern const struct evtlog_command remote_##name;
REMOTE_COMMANDS(X)
#undef X

/*
 * argv as it was understood.
 * @command:	for misuse()
 * @duration:	of --for; NULL: not given
 * @has_retries: --retries was given
 */
struct remote_arguments {
	const char *command;
	struct remote_order order;
	struct hosts_choice hosts;
	const char *duration;
	bool has_retries;
	bool undo;
	bool sched;
	bool force;
	bool if_exists;
	bool all;
	bool fold;
};

/* The vals of options that have no letter */
enum {
	REMOTE_PGID = 256,
	REMOTE_SID,
	REMOTE_CGROUP,
	REMOTE_FOR,
	REMOTE_UNDO,
	REMOTE_SCHED,
	REMOTE_IF_EXISTS,
	REMOTE_ALL,
	REMOTE_FOLD,
};

/* --key */
extern const struct option_desc remote_key_options[];

#define REMOTE_HOST_ABOUT \
	"HOST is a list such as node[001-128,140],login1, or @FILE with one list per line. " \
	"Without HOST, the hosts of the Slurm job (SLURM_JOB_NODELIST) are used."

/* Takes an option of any of these commands: for struct options. */
int remote_take(void *arguments, int option, char *value);

/*
 * remote_run() - take the options, then let @act do it with the other arguments, up to NULL
 *
 * Returns an exit status.
 */
int remote_run(const struct options *options, int argc, char **argv,
	       int (*act)(struct remote_arguments *arguments, char **rest));

#endif /* EVTLOG_REMOTE_SUBCOMMANDS_H */
