// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Identifies runs, and makes file names from the names of runs.
 *
 * Names come from the kernel, and from users who may start a run: only a plain word becomes a
 * part of a path.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "run-id.h"

bool run_id_name_is_good(const char *name)
{
	size_t length = strnlen(name, EVTLOG_RUN_NAME_LEN);

	if (!isalpha((unsigned char)*name) || length == EVTLOG_RUN_NAME_LEN)
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("._-", *name))
			return false;
	return true;
}

void run_id_of_buffer(struct run_id *run, const struct evtlog_buffer_header *buffer)
{
	memset(run, 0, sizeof(*run));
	run->number = buffer->run;
	run->reference_ticks = buffer->reference_ticks;
	run->tree_pid = buffer->flags & EVTLOG_BUFFER_TREE ? buffer->tree_pid : 0;
	memcpy(run->boot_id, buffer->boot_id, sizeof(run->boot_id));
	if (run_id_name_is_good(buffer->run_name))
		strcpy(run->name, buffer->run_name);
}

static int stem(const struct run_id *run, const char *host, char *to)
{
	if (run->name[0])
		return snprintf(to, NAME_MAX + 1, "%s-%s", host, run->name);
	return snprintf(to, NAME_MAX + 1, "%s-%" PRIu64, host, run->number);
}

int run_id_file_name(const struct run_id *run, const char *host, unsigned int part,
		     char *name)
{
	char numbered[16] = "";
	int length = stem(run, host, name);

	if (part > 1)
		snprintf(numbered, sizeof(numbered), ".%u", part);
	if (length + strlen(numbered) + strlen(RUN_ID_SUFFIX) > NAME_MAX)
		return -ENAMETOOLONG;
	strcat(strcat(name, numbered), RUN_ID_SUFFIX);
	return 0;
}

bool run_id_owns_name(const struct run_id *run, const char *host, const char *name)
{
	char expected[NAME_MAX + 1];
	int length = stem(run, host, expected);

	if (length > NAME_MAX || strncmp(name, expected, length))
		return false;
	name += length;
	if (*name == '.' && isdigit((unsigned char)name[1]))
		name += 1 + strspn(name + 1, "0123456789");
	return !strcmp(name, RUN_ID_SUFFIX);
}
