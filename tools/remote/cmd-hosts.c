// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collects the hosts that a command was given, and prints them: evtlog remote hosts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "common/hostlist.h"
#include "subcommands.h"

static int add_hosts(struct hostlist *list, const char *text, const char *command)
{
	char why[HOSTLIST_WHY_BYTES];

	if (*text == '@') {
		if (!hostlist_add_file(list, text + 1, why))
			return 0;
		pr_err("%s", why);
		return EXIT_FAILED;
	}
	return hostlist_add(list, text, why) ? misuse(command, "%s: %s", text, why) : 0;
}

int hosts_exclude(struct hosts_choice *choice, const char *text, const char *command)
{
	return add_hosts(&choice->excluded, text, command);
}

int hosts_choose(struct hostlist *list, struct hosts_choice *choice, char **arguments,
		 const char *command)
{
	const char *job = getenv("SLURM_JOB_NODELIST");
	int result = 0;

	memset(list, 0, sizeof(*list));
	for (; *arguments && !result; arguments++)
		result = add_hosts(list, *arguments, command);
	if (!result && !list->count && job && *job)
		result = add_hosts(list, job, command);
	if (result)
		return result;
	if (!list->count)
		return misuse(command, "name the hosts; SLURM_JOB_NODELIST is not set");
	if (hostlist_remove(list, &choice->excluded)) {
		pr_err("out of memory");
		return EXIT_FAILED;
	}
	return list->count ? 0 : misuse(command, "--exclude leaves no host");
}

void hosts_choice_free(struct hosts_choice *choice)
{
	hostlist_free(&choice->excluded);
}

/* ---- The command ---- */

static int print_hosts(const struct hostlist *list, bool fold)
{
	char *folded;

	for (size_t i = 0; i < list->count && !fold; i++)
		puts(list->hosts[i]);
	if (!fold)
		return EXIT_OK;
	folded = fold_hosts((const char *const *)list->hosts, list->count);
	if (!folded) {
		pr_err("out of memory");
		return EXIT_FAILED;
	}
	puts(folded);
	free(folded);
	return EXIT_OK;
}

static int list_hosts(struct remote_arguments *arguments, char **rest)
{
	struct hostlist list;
	int result = hosts_choose(&list, &arguments->hosts, rest, arguments->command);

	if (!result)
		result = print_hosts(&list, arguments->fold);
	hostlist_free(&list);
	return result;
}

static const struct option_desc hosts_table[] = {
	{ REMOTE_FOLD, "fold", .help = "print the hosts as one list" },
	OPTION_SHARED(remote_hosts_options),
	{ }
};

static const struct options hosts_options = {
	.command = "remote hosts",
	.usage = "[OPTION...] [HOST...]",
	.about = "Print the hosts of a list, one per line. "
		 REMOTE_HOST_ABOUT,
	.table = hosts_table,
	.notes =
	"Examples:\n"
	"  evtlog remote hosts node[001-128,140] --exclude node013\n"
	"  evtlog remote hosts --fold @hosts\n",
	.take = remote_take,
};

static int run_hosts(int argc, char **argv)
{
	return remote_run(&hosts_options, argc, argv, list_hosts);
}

const struct evtlog_command remote_hosts = {
	.name = "hosts",
	.summary = "print the hosts of a list, one per line",
	.run = run_hosts,
};
