// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog remote hosts: prints the hosts of a list.
 *
 * Stage: outside the data path.  It sends no messages.
 */
#include <stdio.h>
#include <stdlib.h>

#include "common/error.h"
#include "common/hostlist.h"
#include "subcommands.h"

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
	OPTION_GROUP(targets_options),
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
