// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Subtracts the cost of the measurement from a profile.
 *
 *	user            - count of write x outside
 *	  write         - count x inside, - count of irq x outside
 *	    irq 24      - count x inside
 *
 * A hook reads the counter in its middle. At the begin of an event, the time before the reading is
 * outside, in what was left, and the time after it is inside. At the end it is the reverse.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Time in which no event was entered. Waits are added at context switches. */
static const char *const no_frames[] = {
	"user", "idle", "runqueue", "preempted", "interruptible", "uninterruptible", "io", "stopped",
	"waiting", "rest", "offline", "task", "none",
};

static bool has_boundaries(const struct evtlog_profile_path *path, bool is_cpu)
{
	for (size_t i = 0; i < sizeof(no_frames) / sizeof(*no_frames); i++) {
		if (!strcmp(path->event, no_frames[i]))
			return false;
	}
	/* The root of a kernel thread has no entry. */
	return is_cpu || path->event != path->path;
}

static const struct evtlog_profile_costs *costs_of(const struct evtlog_profile_about *about,
						   const struct evtlog_profile_path *path)
{
	return &about->costs[strncmp(path->event, "syscall:", 8) ? EVTLOG_PROFILE_COST_OTHER :
			     EVTLOG_PROFILE_COST_SYSCALL];
}

/* Cost that is contained in a path, in thousandths of ticks */
struct load {
	struct evtlog_profile_path *path;
	unsigned __int128 exclusive, inclusive;
};

static int by_path(const void *a, const void *b)
{
	return profile_path_compare(((const struct load *)a)->path->path,
				    ((const struct load *)b)->path->path);
}

static bool is_within(const char *path, const char *outer)
{
	size_t length = strlen(outer);

	return !strncmp(path, outer, length) && path[length] == '>';
}

/* @stack: @depth paths that contain this one, the innermost last */
static void add(const struct evtlog_profile_about *about, struct load *load, struct load **stack,
		size_t depth, bool is_cpu)
{
	const struct evtlog_profile_costs *costs = costs_of(about, load->path);
	unsigned __int128 inside, outside;

	if (!has_boundaries(load->path, is_cpu))
		return;
	inside = (unsigned __int128)load->path->count * costs->inside;
	outside = (unsigned __int128)load->path->count * costs->outside;
	load->exclusive += inside;
	load->inclusive += inside;
	for (size_t i = 0; i < depth; i++)
		stack[i]->inclusive += inside + outside;
	/* Only the direct parent is charged. It may be missing, if it has no ticks of its own. */
	if (depth && !memchr(load->path->path + strlen(stack[depth - 1]->path->path) + 1, '>',
			     load->path->event - load->path->path -
			     strlen(stack[depth - 1]->path->path) - 1))
		stack[depth - 1]->exclusive += outside;
}

static uint64_t less(uint64_t ticks, unsigned __int128 milliticks, uint64_t *clamped)
{
	unsigned __int128 removed = (milliticks + 500) / 1000;

	if (removed <= ticks)
		return ticks - removed;
	++*clamped;
	return 0;
}

static void remove_load(struct evtlog_profile_about *about, const struct load *load)
{
	struct evtlog_profile_path *path = load->path;
	uint64_t exclusive = path->exclusive, within;

	path->exclusive = less(exclusive, load->exclusive, &about->clamped);
	about->removed += exclusive - path->exclusive;
	within = path->inclusive;
	/* A path that has not ended, such as the root, has 0 here. */
	if (within)
		path->inclusive = less(within, load->inclusive, &about->clamped);
}

/* Compensates all paths of an entry. */
static void compensate(struct evtlog_profile_about *about, struct profile_slot *slot,
		       struct load *loads, struct load **stack)
{
	size_t count = slot->entry.paths, depth = 0;

	for (size_t i = 0; i < count; i++)
		loads[i] = (struct load){ .path = &slot->paths[i] };
	qsort(loads, count, sizeof(*loads), by_path);
	for (size_t i = 0; i < count; i++) {
		while (depth && !is_within(loads[i].path->path, stack[depth - 1]->path->path))
			depth--;
		add(about, &loads[i], stack, depth, slot->entry.cpu >= 0);
		stack[depth++] = &loads[i];
	}
	for (size_t i = 0; i < count; i++)
		remove_load(about, &loads[i]);
}

static bool has_costs(const struct evtlog_profile_about *about)
{
	for (int i = 0; i < EVTLOG_PROFILE_COSTS; i++) {
		if (about->costs[i].inside || about->costs[i].outside)
			return true;
	}
	return false;
}

int evtlog_profile_compensate(struct evtlog_profile *profile)
{
	struct evtlog_profile_about *about = &profile->about;
	struct load *loads, **stack;
	size_t most = 1;

	if (about->is_compensated)
		return -EALREADY;
	if (!has_costs(about))
		return -ENODATA;
	for (size_t i = 0; i < about->entries; i++) {
		if (profile->slots[i].entry.paths > most)
			most = profile->slots[i].entry.paths;
	}
	loads = calloc(most, sizeof(*loads));
	stack = calloc(most, sizeof(*stack));
	if (loads && stack) {
		about->is_compensated = true;
		for (size_t i = 0; i < about->entries; i++)
			compensate(about, &profile->slots[i], loads, stack);
	}
	free(loads);
	free(stack);
	return about->is_compensated ? 0 : -ENOMEM;
}
