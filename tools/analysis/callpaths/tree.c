// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trees of call paths: search, add, sum.
 */
#include <errno.h>
#include <stdlib.h>

#include "analysis/callpaths/callpaths.h"

static const char *const class_names[CALLPATH_CLASSES] = {
	[CALLPATH_SYSCALL] = "syscall", [CALLPATH_COMPAT] = "compat",
	[CALLPATH_EXCEPTION] = "exception", [CALLPATH_IRQ] = "irq",
	[CALLPATH_VECTOR] = "vector", [CALLPATH_SOFTIRQ] = "softirq",
};

static const char *const state_names[CALLPATH_STATES] = {
	[CALLPATH_USER] = "user", [CALLPATH_KERNEL] = "kernel", [CALLPATH_IDLE] = "idle",
	[CALLPATH_OUTSIDE] = "outside the tree",
	[CALLPATH_UNKNOWN] = "unknown", [CALLPATH_RUNQUEUE] = "runqueue",
	[CALLPATH_PREEMPTED] = "preempted", [CALLPATH_INTERRUPTIBLE] = "interruptible",
	[CALLPATH_UNINTERRUPTIBLE] = "uninterruptible", [CALLPATH_STOPPED] = "stopped",
};

const char *callpath_class_name(enum callpath_class class)
{
	return class_names[class];
}

const char *callpath_state_name(enum callpath_state state)
{
	return state_names[state];
}

static int64_t append(struct callpath_tree *tree, const struct callpath *path)
{
	if (tree->count == tree->capacity) {
		uint32_t capacity = tree->capacity ? 2 * tree->capacity : 8;
		struct callpath *at = reallocarray(tree->at, capacity, sizeof(*at));

		if (!at)
			return -ENOMEM;
		tree->at = at;
		tree->capacity = capacity;
	}
	tree->at[tree->count] = *path;
	return tree->count++;
}

/* A linear search: tasks have some tens of paths. */
int64_t callpath_tree_find(struct callpath_tree *tree, uint32_t parent, unsigned int class,
			   unsigned int number)
{
	uint32_t first = parent == CALLPATH_ROOT ? 0 : parent + 1;

	for (uint32_t i = first; i < tree->count; i++) {
		const struct callpath *path = &tree->at[i];

		if (path->number == number && path->class == class && path->parent == parent)
			return i;
	}
	return append(tree, &(struct callpath) { .parent = parent, .class = class,
						 .number = number });
}

int callpath_tree_add(struct callpath_tree *to, const struct callpath_tree *from)
{
	uint32_t *in_to = calloc(from->count + 1, sizeof(*in_to));

	if (!in_to)
		return -ENOMEM;
	for (uint32_t i = 0; i < from->count; i++) {
		const struct callpath *path = &from->at[i];
		uint32_t parent = path->parent == CALLPATH_ROOT ? CALLPATH_ROOT :
								  in_to[path->parent];
		int64_t found = callpath_tree_find(to, parent, path->class, path->number);
		struct callpath *sum;

		if (found < 0) {
			free(in_to);
			return found;
		}
		in_to[i] = found;
		sum = &to->at[found];
		sum->count += path->count;
		sum->inclusive += path->inclusive;
		sum->exclusive += path->exclusive;
		if (path->largest > sum->largest)
			sum->largest = path->largest;
		if (path->largest_running > sum->largest_running)
			sum->largest_running = path->largest_running;
	}
	free(in_to);
	return 0;
}

void callpath_tree_free(struct callpath_tree *tree)
{
	free(tree->at);
	*tree = (struct callpath_tree) { 0 };
}
