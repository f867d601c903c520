// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Entries of profiles: frees them, sorts their paths, finds them in another reading, decodes names.
 *
 * profile.c creates them.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/profile/model.h"

void profile_slot_free(struct profile_slot *slot)
{
	free(slot->paths);
	free(slot->values);
	*slot = (struct profile_slot){ 0 };
}

int profile_path_compare(const char *one, const char *two)
{
	/* '>' is the smallest character. */
	for (; *one && *one == *two; one++, two++)
		;
	if (!*one || !*two)
		return (unsigned char)*one - (unsigned char)*two;
	return (*one == '>' ? 1 : (unsigned char)*one) - (*two == '>' ? 1 : (unsigned char)*two);
}

/* ---- The same task in another reading ---- */

static int by_task(const void *a, const void *b)
{
	const struct evtlog_profile_entry *one = &(*(const struct profile_slot *const *)a)->entry;
	const struct evtlog_profile_entry *two = &(*(const struct profile_slot *const *)b)->entry;

	if (one->cpu != two->cpu)
		return one->cpu < two->cpu ? -1 : 1;
	if (one->pid != two->pid)
		return one->pid < two->pid ? -1 : 1;
	/* Ended threads are identified by their process. */
	if (!one->pid && one->tgid != two->tgid)
		return one->tgid < two->tgid ? -1 : 1;
	return one->begin < two->begin ? -1 : one->begin > two->begin;
}

/* Idle tasks and ended tasks of families all have pid 0: they are matched by their order. */
static bool is_idle(const struct evtlog_profile_entry *entry)
{
	return entry->cpu < 0 && !entry->pid && !entry->tgid;
}

/* Returns the next idle task or sum from @at on, and moves @at after it. */
static const struct profile_slot *next_idle(const struct evtlog_profile *profile, size_t *at)
{
	while (*at < profile->about.entries) {
		const struct profile_slot *slot = &profile->slots[(*at)++];

		if (is_idle(&slot->entry))
			return slot;
	}
	return NULL;
}

static const struct profile_slot *find_task(const struct profile_slot *const *sorted, size_t count,
					    const struct profile_slot *wanted)
{
	const struct profile_slot *const *found =
		bsearch(&wanted, sorted, count, sizeof(*sorted), by_task);

	return found ? *found : NULL;
}

int profile_match(const struct evtlog_profile *profile, const struct evtlog_profile *other,
		  const struct profile_slot **found)
{
	size_t count = other->about.entries, idle = 0;
	const struct profile_slot **sorted = calloc(count + 1, sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		sorted[i] = &other->slots[i];
	qsort(sorted, count, sizeof(*sorted), by_task);
	for (size_t i = 0; i < profile->about.entries; i++) {
		const struct profile_slot *slot = &profile->slots[i], *same;

		if (is_idle(&slot->entry)) {
			same = next_idle(other, &idle);
			found[i] = same && same->entry.begin == slot->entry.begin ? same : NULL;
		} else {
			found[i] = find_task(sorted, count, slot);
		}
	}
	free(sorted);
	return 0;
}

/* ---- Names: the reverse of seq_escape() in profile/show.c of the kernel ---- */

static bool is_octal(const char *at)
{
	return at[0] >= '0' && at[0] <= '3' && at[1] >= '0' && at[1] <= '7' && at[2] >= '0' &&
	       at[2] <= '7';
}

size_t profile_comm_decode(const char *text, size_t length, char *comm, size_t room)
{
	const char *end = text + length;
	size_t bytes = 0;

	while (text < end && bytes < room) {
		if (*text == '\\' && end - text > 3 && is_octal(text + 1)) {
			comm[bytes++] = (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
			text += 4;
		} else {
			comm[bytes++] = *text++;
		}
	}
	return bytes;
}
