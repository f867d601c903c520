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

#include "control/status.h"
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
	run->is_named = buffer->flags & EVTLOG_BUFFER_NAMED;
	memcpy(run->boot_id, buffer->boot_id, sizeof(run->boot_id));
	if (run_id_name_is_good(buffer->run_name))
		strcpy(run->name, buffer->run_name);
}

static void parse_boot_id(const char *text, uint8_t *boot_id)
{
	for (int i = 0; i < 16; i++) {
		unsigned int byte;

		text += *text == '-';
		if (sscanf(text, "%2x", &byte) != 1)
			return;
		boot_id[i] = byte;
		text += 2;
	}
}

void run_id_of_status(struct run_id *run, const struct control_status *status)
{
	memset(run, 0, sizeof(*run));
	run->number = status->run;
	run->reference_ticks = status->reference_ticks;
	run->tree_pid = status->tree_pid;
	parse_boot_id(status->boot_id, run->boot_id);
	if (run_id_name_is_good(status->run_name))
		strcpy(run->name, status->run_name);
}

bool run_id_is_same(const struct run_id *a, const struct run_id *b)
{
	return a->number == b->number && a->is_named == b->is_named &&
	       !memcmp(a->boot_id, b->boot_id, sizeof(a->boot_id));
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
