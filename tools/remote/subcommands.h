/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of `evtlog remote`, and what they share: their options, and one way to go
 * through them.
 *
 * Stage: the outermost layer of the tools.
 */
#ifndef EVTLOG_REMOTE_SUBCOMMANDS_H
#define EVTLOG_REMOTE_SUBCOMMANDS_H

#include <stdbool.h>

#include "common/command.h"
#include "common/options.h"
#include "exchange.h"
#include "message.h"
#include "targets.h"

/* ---- What is asked, and what came of it on each host: report.c tells ---- */

/*
 * @broadcast:	where to send it first, or NULL
 * @timeout_ms, @retries: as of struct exchange
 */
struct remote_order {
	struct message message;
	const char *broadcast;
	const char *key_path;
	unsigned int timeout_ms;
	unsigned int retries;
	bool as_json;
};

/** remote_has_acted() - the host did what was ordered, or it was so already */
bool remote_has_acted(const struct remote_order *order, const struct exchange_host *host);

/** remote_is_as_ordered() - its status says that it heard the broadcast */
bool remote_is_as_ordered(const struct remote_order *order, const struct exchange_host *host);

/**
 * remote_report() - print what came of it, folded or as JSON
 *
 * Returns EXIT_OK if all acted, EXIT_SOME if some did, else EXIT_FAILED; of a stop
 * EXIT_EVENTS_LOST if all acted and some lost events.
 */
int remote_report(const struct remote_order *order, const struct exchange *exchange);

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
	X(hosts) \
	X(gather)

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
