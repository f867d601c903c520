// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses the options of the commands of `evtlog remote`.
 *
 * Stage: between argv and these commands.
 */
#include <errno.h>
#include <string.h>

#include "common/error.h"
#include "common/number.h"
#include "input/event-filter.h"
#include "key.h"
#include "subcommands.h"

#define CGROUP_ROOT	"/sys/fs/cgroup"

const struct option_desc remote_key_options[] = {
	{ REMOTE_KEY, "key", "FILE", "use this key file "
	  "(default " REMOTE_KEY_FILE ")", .kind = VALUE_FILE },
	{ }
};

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

static int set_group(struct remote_arguments *arguments, enum evtlog_remote_group kind,
		     const char *text)
{
	struct message *message = &arguments->order.message;
	unsigned int number;

	if (message->group_kind)
		return misuse(arguments->command, "sched: one group at a time");
	message->group_kind = kind;
	if (kind == EVTLOG_REMOTE_CGROUP) {
		if (*text != '/')
			return misuse(arguments->command, "--cgroup %s: must start with '/', the root of the hierarchy",
				      text);
		return set_name(arguments, below_cgroup_root(text), "--cgroup");
	}
	if (number_parse_u32(&number, text, 1, (1u << EVTLOG_PID_BITS) - 1))
		return misuse(arguments->command, "%s: not a process id", text);
	message->group = number;
	return 0;
}

static int set_timeout(unsigned int *ms, const char *text)
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
	case REMOTE_PGID:
		return set_group(arguments, EVTLOG_REMOTE_PGID, value);
	case REMOTE_SID:
		return set_group(arguments, EVTLOG_REMOTE_SID, value);
	case REMOTE_CGROUP:
		return set_group(arguments, EVTLOG_REMOTE_CGROUP, value);
	case REMOTE_FOR:
		arguments->duration = value;
		return 0;
	case REMOTE_BROADCAST:
		order->broadcast = value;
		return 0;
	case HOSTS_EXCLUDE:
		return hosts_exclude(&arguments->hosts, value, arguments->command);
	case HOSTS_FILE:
		return hosts_file(&arguments->hosts, value);
	case REMOTE_KEY:
		order->key_path = value;
		return 0;
	case REMOTE_TIMEOUT:
		return set_timeout(&order->timeout_ms, value);
	case REMOTE_RETRIES:
		arguments->has_retries = true;
		return number_parse_u32(&order->retries, value, 0, 100);
	case REMOTE_UNDO:
		arguments->undo = true;
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
	case REMOTE_ALL:
		arguments->all = true;
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
