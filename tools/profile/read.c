// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads profiles from the kernel and from texts.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/log.h>

#include "common/error.h"
#include "profile/profile.h"

/* Limit of tasks that cannot be read: after each one, the whole text is read again. */
#define SKIPPED_MAX	100

/*
 * Removes the task whose line is at @from, with its paths and values. Returns the new length, or
 * @length if this is not the line of a task.
 */
static size_t without_task(char *text, size_t length, size_t from)
{
	char *begin = text + from, *end = begin;

	if (strncmp(begin, "task ", 5))
		return length;
	do {
		end = strchr(end, '\n');
		end = end ? end + 1 : text + length;
	} while (*end == ' ' || !strncmp(end, "value ", 6));
	memmove(begin, end, text + length - end + 1);
	return length - (end - begin);
}

static bool has_task(const struct evtlog_profile *profile)
{
	for (size_t i = 0; i < profile->about.entries; i++) {
		if (profile->slots[i].entry.cpu < 0)
			return true;
	}
	return false;
}

/* Leaves out tasks that cannot be read, as all other tasks are still good. */
static int load_without_bad(char *text, struct evtlog_profile **loaded, size_t *skipped)
{
	size_t length = strlen(text);

	for (;;) {
		struct evtlog_error why;
		int error = evtlog_profile_load_bytes(text, length, loaded, &why);
		size_t left;

		if (error != -EBADMSG || *skipped == SKIPPED_MAX)
			return error;
		left = without_task(text, length, why.offset);
		if (left == length)
			return error;
		length = left;
		++*skipped;
	}
}

int profile_parse(struct evtlog_profile **profilep, char *text)
{
	size_t skipped = 0;
	int error = load_without_bad(text, profilep, &skipped);

	free(text);
	if (!error && skipped && !has_task(*profilep)) {
		evtlog_profile_free(*profilep);
		error = -EBADMSG;
	}
	if (error == -EBADMSG || error == -EMEDIUMTYPE)
		return -EINVAL;
	if (error)
		return error;
	profile_finish(*profilep);
	if (skipped)
		pr_warn("%zu tasks are left out: their lines are not valid in a profile", skipped);
	return 0;
}

int profile_read(struct evtlog_profile **profilep)
{
	int error = evtlog_profile_all(profilep);

	if (error)
		return error == -EPROTO ? -EINVAL : error;
	profile_finish(*profilep);
	return 0;
}
