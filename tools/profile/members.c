// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sets of processes, and the tasks of a cgroup.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "lib/base/array.h"
#include "profile/members.h"

/* Index of @pid, or where to insert it */
static size_t place_of(const struct pid_set *set, int pid)
{
	size_t low = 0, high = set->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (set->at[middle] < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool pid_set_has(const struct pid_set *set, int pid)
{
	size_t at = place_of(set, pid);

	return at < set->count && set->at[at] == pid;
}

int pid_set_add(struct pid_set *set, int pid)
{
	size_t at = place_of(set, pid);

	if (at < set->count && set->at[at] == pid)
		return 0;
	if (array_reserve(&set->at, &set->capacity, set->count, sizeof(*set->at)))
		return -ENOMEM;
	memmove(&set->at[at + 1], &set->at[at], (set->count - at) * sizeof(*set->at));
	set->at[at] = pid;
	set->count++;
	return 0;
}

void pid_set_free(struct pid_set *set)
{
	free(set->at);
	*set = (struct pid_set){ 0 };
}

int cgroup_read(const char *directory, struct pid_set *set)
{
	int pid, error = 0;
	char *path;
	FILE *in;

	if (asprintf(&path, "%s/cgroup.procs", directory) < 0)
		return -ENOMEM;
	in = fopen(path, "re");
	if (!in)
		pr_err("%s: %s; --cgroup takes a directory such as /sys/fs/cgroup/system.slice/ssh.service",
		       path, strerror(errno));
	free(path);
	if (!in)
		return -ENOENT;
	while (!error && fscanf(in, "%d", &pid) == 1)
		error = pid_set_add(set, pid);
	fclose(in);
	return error;
}

/* Returns true if the task's process or parent is a member, for a task that was not seen alive. */
static bool was_forked_there(const struct profile_slot *slot, const struct pid_set *members)
{
	return pid_set_has(members, slot->parent) ||
	       (slot->entry.pid != slot->entry.tgid && pid_set_has(members, slot->entry.tgid));
}

/* Repeats until nothing changes, as a parent may end after its children. */
static int mark_forked(struct evtlog_profile *next, const struct profile_slot *const *lived,
		       struct pid_set *members)
{
	bool more = true;
	int error = 0;

	while (more && !error) {
		more = false;
		for (size_t i = 0; i < next->about.entries && !error; i++) {
			struct profile_slot *slot = &next->slots[i];

			if (!slot->entry.ended || lived[i] || slot->is_wanted ||
			    !was_forked_there(slot, members))
				continue;
			more = slot->is_wanted = true;
			error = pid_set_add(members, slot->entry.tgid);
		}
	}
	return error;
}

enum place { HERE, ELSEWHERE, GONE };

/* cgroup.procs omits ending processes; /proc/PID/cgroup has their cgroup until they are reaped. */
static enum place place_of_process(const char *directory, int pid)
{
	char path[PATH_MAX], line[PATH_MAX];
	size_t bytes = strlen(directory);
	enum place place = GONE;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/cgroup", pid);
	in = fopen(path, "re");
	while (in && place != HERE && fgets(line, sizeof(line), in)) {
		char *name = strchr(line, '/');
		size_t length = name ? strcspn(name, "\n") : 0;

		place = length > 1 && length <= bytes &&
			!memcmp(directory + bytes - length, name, length) ? HERE : ELSEWHERE;
	}
	if (in)
		fclose(in);
	return place;
}

/* Marks a process that was alive when it was read, but is not in the cgroup's list. */
static void mark_unlisted(struct profile_slot *slot, const struct profile_slot *before,
			  const char *directory)
{
	enum place place;

	if (before && !before->is_wanted)
		return;
	place = place_of_process(directory, slot->entry.tgid);
	slot->is_wanted = place == HERE || (place == GONE && before);
	slot->is_open = place == GONE && !before;
}

static bool was_forked_by_one(const struct profile_slot *slot, const struct evtlog_profile *before)
{
	for (size_t i = 0; i < before->about.entries; i++) {
		if (before->slots[i].is_wanted && before->slots[i].entry.tgid == slot->parent)
			return true;
	}
	return false;
}

int cgroup_mark(struct evtlog_profile *next, const struct evtlog_profile *before,
		struct pid_set *members, const struct pid_set *now, const char *directory)
{
	const struct profile_slot **lived = calloc(next->about.entries + 1, sizeof(*lived));
	char real[PATH_MAX];
	int error = lived ? profile_match(next, before, lived) : -ENOMEM;

	if (!realpath(directory, real))
		*real = '\0';
	for (size_t i = 0; i < next->about.entries && !error; i++) {
		struct profile_slot *slot = &next->slots[i];

		if (slot->entry.cpu >= 0)
			continue;
		if (slot->entry.ended || slot->missed)
			slot->is_wanted = lived[i] && (lived[i]->is_wanted ||
				(lived[i]->is_open && was_forked_by_one(slot, before)));
		else if (pid_set_has(now, slot->entry.tgid))
			slot->is_wanted = true;
		else
			mark_unlisted(slot, lived[i], real);
		if (slot->is_wanted)
			error = pid_set_add(members, slot->entry.tgid);
	}
	if (!error)
		error = mark_forked(next, lived, members);
	free(lived);
	return error;
}
