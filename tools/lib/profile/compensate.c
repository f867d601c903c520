// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Subtracts from a profile what its measurement cost.
 *
 *	user            - count of write x outside
 *	  write         - count x inside, - count of irq x outside
 *	    irq 24      - count x inside
 *
 * Where an event begins, the counter is read in the middle of the hook: what is before that is
 * outside, in what was left, what is behind it is inside; where it ends, the other way round.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* What time is in when nothing was entered; waits are added at switches of tasks. */
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
	/* The root of a kernel thread is entered by nothing. */
	return is_cpu || path->event != path->path;
}

static const struct evtlog_profile_costs *costs_of(const struct evtlog_profile_about *about,
						   const struct evtlog_profile_path *path)
{
	return &about->costs[strncmp(path->event, "syscall:", 8) ? EVTLOG_PROFILE_COST_OTHER :
			     EVTLOG_PROFILE_COST_SYSCALL];
}

/* What is too much in a path, in thousandths of ticks. */
struct load {
	struct evtlog_profile_path *path;
	unsigned __int128 exclusive, inclusive;
};

static int by_path(const void *a, const void *b)
{
	const char *x = ((const struct load *)a)->path->path;
	const char *y = ((const struct load *)b)->path->path;

	/* What is within a path is right behind it. */
	for (; *x && *x == *y; x++, y++)
		;
	if (!*x || !*y)
		return (unsigned char)*x - (unsigned char)*y;
	return (*x == '>' ? 1 : (unsigned char)*x) - (*y == '>' ? 1 : (unsigned char)*y);
}

static bool is_within(const char *path, const char *outer)
{
	size_t length = strlen(outer);

	return !strncmp(path, outer, length) && path[length] == '>';
}

/* It is within @stack[0..depth), the innermost last. */
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
	/* A path whose parent has no ticks of its own is not within what is next. */
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
	/* That of what has not ended yet, as of the root, is 0. */
	if (within)
		path->inclusive = less(within, load->inclusive, &about->clamped);
}

/* Of all loads of an entry, one after another. */
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
