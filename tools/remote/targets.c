// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collects the hosts that a command was given.
 */
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/error.h"
#include "targets.h"

static int add(struct hostlist *list, const char *text, const char *command)
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

const struct option_desc targets_options[] = {
	{ TARGETS_EXCLUDE, "exclude", "HOSTS", "leave out these hosts; can be repeated",
	  .kind = VALUE_TEXT },
	{ TARGETS_FILE, "hosts-file", "FILE", "read hosts from FILE, the same as @FILE",
	  .kind = VALUE_FILE },
	{ }
};

int hosts_exclude(struct hosts_choice *choice, const char *text, const char *command)
{
	return add(&choice->excluded, text, command);
}

int hosts_file(struct hosts_choice *choice, const char *path, const char *command)
{
	char why[HOSTLIST_WHY_BYTES];

	if (!hostlist_add_file(&choice->included, path, why))
		return 0;
	pr_err("%s", why);
	return EXIT_FAILED;
}

int hosts_choose(struct hostlist *list, struct hosts_choice *choice, char **arguments,
		 const char *command)
{
	const char *job = getenv("SLURM_JOB_NODELIST");
	int result = 0;

	*list = choice->included;
	memset(&choice->included, 0, sizeof(choice->included));
	for (; *arguments && !result; arguments++)
		result = add(list, *arguments, command);
	if (!result && !list->count && job && *job)
		result = add(list, job, command);
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

void targets_filter_free(struct hosts_choice *choice)
{
	hostlist_free(&choice->included);
	hostlist_free(&choice->excluded);
}
