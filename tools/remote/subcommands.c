// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses the options of the commands of `evtlog remote`.
 *
 * Stage: between argv and these commands.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/error.h"
#include "common/number.h"
#include "input/event-filter.h"
#include "key.h"
#include "subcommands.h"

#define CGROUP_ROOT	"/sys/fs/cgroup"

/* ---- Options that several commands share ---- */

const struct option_desc remote_send_options[] = {
	{ REMOTE_KEY, "key", "FILE", "sign messages with the key of FILE (default "
	  REMOTE_KEY_FILE ")", .kind = VALUE_FILE },
	{ REMOTE_RETRIES, "retries", "N", "send again N times to hosts that do not answer "
	  "(default 2; sched: 0)", .kind = VALUE_TEXT, .valid = "a number from 0 to 100" },
	{ }
};

const struct option_desc remote_broadcast_options[] = {
	{ REMOTE_BROADCAST, "broadcast", "WHERE", "first send one broadcast to an address or a "
	  "network interface", .kind = VALUE_INTERFACE },
	{ }
};

const struct option_desc remote_hosts_options[] = {
	{ REMOTE_EXCLUDE, "exclude", "HOSTS", "leave out these hosts; can be repeated",
	  .kind = VALUE_TEXT },
	{ }
};

const struct option_desc remote_result_options[] = {
	{ REMOTE_TIMEOUT, "timeout", "TIME", "wait TIME for answers after each message (default "
	  "1s); gather: give up a host that sends nothing for TIME (default 60s)",
	  .kind = VALUE_TEXT, .valid = "a time such as .5 or 200ms, from 1ms to 3600s" },
	{ 'j', "json", .help = "print the result as JSON" },
	{ }
};

/* ---- The options of commands that send messages ---- */

static int set_name(struct remote_arguments *arguments, const char *name, const char *option)
{
	if (strlen(name) > EVTLOG_REMOTE_NAME_MAX)
		return misuse(arguments->command, "%s: longer than %d characters", option,
			      EVTLOG_REMOTE_NAME_MAX);
	strcpy(arguments->order.message.name, name);
	return 0;
}

/* Users copy the full path.  The kernel's path begins at the root of the hierarchy. */
static const char *below_cgroup_root(const char *path)
{
	size_t length = strlen(CGROUP_ROOT);

	if (strncmp(path, CGROUP_ROOT, length) || (path[length] && path[length] != '/'))
		return path;
	return path[length] ? path + length : "/";
}

/* "pgid:4711", "sid:4711" or "cgroup:/job1" */
static int set_group(struct remote_arguments *arguments, const char *text)
{
	static const char *const kinds[] = { "pgid", "sid", "cgroup", NULL };
	static const enum evtlog_remote_group groups[] = {
		EVTLOG_REMOTE_PGID, EVTLOG_REMOTE_SID, EVTLOG_REMOTE_CGROUP,
	};
	struct message *message = &arguments->order.message;
	const char *value = strchr(text, ':');
	char word[8];
	unsigned int number;
	int kind;

	if (message->group_kind)
		return misuse(arguments->command, "--tasks: one group at a time");
	if (!value || (size_t)(value - text) >= sizeof(word))
		return -EINVAL;
	snprintf(word, sizeof(word), "%.*s", (int)(value++ - text), text);
	kind = options_word(kinds, word);
	if (kind < 0)
		return kind;
	message->group_kind = groups[kind];
	if (groups[kind] == EVTLOG_REMOTE_CGROUP) {
		if (*value != '/')
			return misuse(arguments->command, "--tasks %s: the path must start with '/', the root of the hierarchy",
				      text);
		return set_name(arguments, below_cgroup_root(value), "--tasks");
	}
	if (number_parse_u32(&number, value, 1, (1u << EVTLOG_PID_BITS) - 1))
		return misuse(arguments->command, "--tasks %s: not a process id", text);
	message->group = number;
	return 0;
}

int remote_take_timeout(unsigned int *ms, const char *text)
{
	uint64_t ns;

	if (filter_time(&ns, text) || ns < 1000000 || ns > UINT64_C(3600000000000))
		return -EINVAL;
	*ms = ns / 1000000;
	return 0;
}

int remote_take(void *context, int option, char *value)
{
	struct remote_arguments *arguments = context;
	struct remote_order *order = &arguments->order;

	switch (option) {
	case REMOTE_NAME:
		return set_name(arguments, value, "--name");
	case REMOTE_TASKS:
		return set_group(arguments, value);
	case REMOTE_FOR:
		arguments->duration = value;
		return 0;
	case REMOTE_BROADCAST:
		order->broadcast = value;
		return 0;
	case REMOTE_EXCLUDE:
		return hosts_exclude(&arguments->hosts, value, arguments->command);
	case REMOTE_KEY:
		order->key_path = value;
		return 0;
	case REMOTE_TIMEOUT:
		return remote_take_timeout(&order->timeout_ms, value);
	case REMOTE_RETRIES:
		arguments->has_retries = true;
		return number_parse_u32(&order->retries, value, 0, 100);
	case REMOTE_ARM:
		arguments->arm = true;
		return 0;
	case REMOTE_CANCEL:
		arguments->cancel = true;
		return 0;
	case REMOTE_SCHED:
		arguments->sched = true;
		return 0;
	case 'f':
		arguments->force = true;
		return 0;
	case REMOTE_IF_EXISTS:
		arguments->if_exists = true;
		return 0;
	case REMOTE_FOLD:
		arguments->fold = true;
		return 0;
	case 'j':
		order->as_json = true;
		return 0;
	}
	return -EINVAL;
}

int remote_run(const struct options *options, int argc, char **argv,
	       int (*act)(struct remote_arguments *arguments, char **rest))
{
	struct remote_arguments arguments = {
		.command = options->command,
		.order = { .key_path = REMOTE_KEY_FILE, .timeout_ms = 1000, .retries = 2 },
	};
	int result = options_take(options, argc, argv, &arguments);

	if (result == OPTIONS_TAKEN)
		result = finish(act(&arguments, argv + optind));
	hosts_choice_free(&arguments.hosts);
	return result;
}
