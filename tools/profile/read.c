// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Converts profiles of libevtlog to profiles of these commands, and back.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/log.h>

#include "common/error.h"
#include "profile/profile.h"

/* Limit of tasks that cannot be read: after each one, the whole text is read again. */
#define SKIPPED_MAX	100

const struct profile_entry profile_no_entry = { .head = { .cpu = -1, .comm = "" } };

static int take_entry(struct profile *profile, const struct evtlog_profile *loaded, size_t number)
{
	struct profile_entry entry = profile_no_entry;
	int error;

	entry.head = *evtlog_profile_entry_at(loaded, number);
	entry.count = entry.capacity = entry.head.paths;
	entry.at = malloc((entry.count + 1) * sizeof(*entry.at));
	if (!entry.at)
		return -ENOMEM;
	if (entry.count)
		memcpy(entry.at, evtlog_profile_path_at(loaded, number, 0),
		       entry.count * sizeof(*entry.at));
	/* A newer kernel may have more values: only the first are shown. */
	while (entry.values.count < entry.head.values && entry.values.count < PROFILE_VALUES_MAX) {
		entry.values.at[entry.values.count] =
			*evtlog_profile_value_at(loaded, number, entry.values.count);
		entry.values.count++;
	}
	profile_entry_finish(&entry);
	error = profile_append(profile, &entry);
	if (error)
		profile_entry_free(&entry);
	return error;
}

int profile_take(struct profile *profile, struct evtlog_profile *loaded)
{
	int error = 0;

	*profile = (struct profile){ .loaded = loaded, .about = *evtlog_profile_about(loaded) };
	for (size_t i = 0; i < profile->about.entries && !error; i++)
		error = take_entry(profile, loaded, i);
	if (error)
		profile_free(profile);
	return error;
}

int profile_give(const struct profile *profile, struct evtlog_profile **givenp)
{
	struct evtlog_profile *given;
	int error = evtlog_profile_new(&profile->about, &given);

	if (error)
		return error;
	for (size_t i = 0; i < profile->count && !error; i++) {
		const struct profile_entry *entry = &profile->at[i];
		struct evtlog_profile_entry head = entry->head;

		head.paths = entry->count;
		head.values = entry->values.count;
		error = evtlog_profile_add(given, &head, entry->at, entry->values.at);
	}
	if (error)
		evtlog_profile_free(given);
	else
		*givenp = given;
	return error;
}

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

static bool has_task(const struct evtlog_profile *loaded)
{
	const struct evtlog_profile_entry *entry;

	for (size_t i = 0; (entry = evtlog_profile_entry_at(loaded, i)); i++) {
		if (entry->cpu < 0)
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

int profile_parse(struct profile *profile, char *text)
{
	struct evtlog_profile *loaded;
	size_t skipped = 0;
	int error = load_without_bad(text, &loaded, &skipped);

	free(text);
	if (!error && skipped && !has_task(loaded)) {
		evtlog_profile_free(loaded);
		error = -EBADMSG;
	}
	if (error == -EBADMSG || error == -EMEDIUMTYPE)
		return -EINVAL;
	if (error)
		return error;
	error = profile_take(profile, loaded);
	if (error)
		return error;
	profile->skipped = skipped;
	if (skipped)
		pr_warn("%zu tasks are left out: their lines are none of a profile", skipped);
	return 0;
}

int profile_read(struct profile *profile)
{
	struct evtlog_profile *loaded;
	int error = evtlog_profile_all(&loaded);

	if (error)
		return error == -EPROTO ? -EINVAL : error;
	return profile_take(profile, loaded);
}
