/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of `evtlog remote` and their options.
 *
 * Stage: the outermost layer of the tools.
 */
#ifndef EVTLOG_REMOTE_SUBCOMMANDS_H
#define EVTLOG_REMOTE_SUBCOMMANDS_H

#include <stdbool.h>

#include "common/command.h"
#include "common/hostlist.h"
#include "common/options.h"
#include "exchange.h"

/* ---- Requests, and their results on each host, which report.c prints ---- */

/*
 * @broadcast:	where to send a broadcast first, NULL for none
 * @timeout_ms, @retries: as in struct exchange
 */
struct remote_order {
	struct message message;
	const char *broadcast;
	const char *key_path;
	unsigned int timeout_ms;
	unsigned int retries;
	bool as_json;
};

/** remote_is_as_ordered() - returns true if its status shows that it received the broadcast */
bool remote_is_as_ordered(const struct remote_order *order, const struct exchange_host *host);

/**
 * remote_report() - print the results, folded or as JSON
 *
 * Returns EXIT_OK if all hosts acted, EXIT_SOME if some did, else EXIT_FAILED.  After a stop,
 * returns EXIT_EVENTS_LOST if all acted and some lost events.
 */
int remote_report(const struct remote_order *order, const struct exchange *exchange);

/*
 * ---- cmd-hosts.c: the hosts of a command, from arguments, files and the Slurm job ----
 *
 * Functions print errors and return 0 or an exit status.
 */

struct hosts_choice {
	struct hostlist excluded;
};

/** hosts_exclude() - exclude hosts: a list, or @FILE */
int hosts_exclude(struct hosts_choice *choice, const char *text, const char *command);

/**
 * hosts_choose() - get all selected hosts without the excluded ones
 * @arguments:	lists and @FILEs, NULL-terminated
 * @command:	for messages
 *
 * An empty result is an error.  Free @list in both cases.
 */
int hosts_choose(struct hostlist *list, struct hosts_choice *choice, char **arguments,
		 const char *command);

void hosts_choice_free(struct hosts_choice *choice);

/* ---- The commands, and the options that they share ---- */

/*
 * Each command is a const struct evtlog_command remote_NAME and a line here, in the order of
 * `evtlog remote --help`.  Its name in messages is "remote NAME".
 */
#define REMOTE_COMMANDS(X) \
	X(status) \
	X(start) \
	X(stop) \
	X(sched) \
	X(key) \
	X(hosts) \
	X(gather)

#define X(name) extern const struct evtlog_command remote_##name;
REMOTE_COMMANDS(X)
#undef X

/*
 * The parsed arguments.
 * @command:	for misuse()
 * @duration:	value of --for, NULL if not given
 * @has_retries: True: --retries was given
 * @arm:	True: --arm or --disarm was given
 */
struct remote_arguments {
	const char *command;
	struct remote_order order;
	struct hosts_choice hosts;
	const char *duration;
	bool has_retries;
	bool arm;
	bool cancel;
	bool sched;
	bool force;
	bool if_exists;
	bool fold;
};

/* Values of options that have no letter. */
enum {
	REMOTE_TASKS = 256,
	REMOTE_FOR,
	REMOTE_ARM,
	REMOTE_CANCEL,
	REMOTE_SCHED,
	REMOTE_IF_EXISTS,
	REMOTE_FOLD,
	REMOTE_NAME,
	REMOTE_BROADCAST,
	REMOTE_KEY,
	REMOTE_TIMEOUT,
	REMOTE_RETRIES,
	REMOTE_EXCLUDE,
};

/*
 * Groups that several commands share; `evtlog remote --help` lists them: --key and --retries,
 * --broadcast, --exclude, --timeout and --json
 */
extern const struct option_desc remote_send_options[];
extern const struct option_desc remote_broadcast_options[];
extern const struct option_desc remote_hosts_options[];
extern const struct option_desc remote_result_options[];

/** remote_take_timeout() - parse the value of --timeout; returns 0 or -EINVAL */
int remote_take_timeout(unsigned int *ms, const char *text);

#define REMOTE_HOST_ABOUT \
	"HOST is a list such as node[001-128,140],login1, or @FILE with one list per line. " \
	"Without HOST, the hosts of the Slurm job (SLURM_JOB_NODELIST) are used."

/* Parses an option of any of these commands: for struct options. */
int remote_take(void *arguments, int option, char *value);

/*
 * remote_run() - parse the options, then call @act with the other arguments, NULL-terminated
 *
 * Returns an exit status.
 */
int remote_run(const struct options *options, int argc, char **argv,
	       int (*act)(struct remote_arguments *arguments, char **rest));

#endif /* EVTLOG_REMOTE_SUBCOMMANDS_H */
