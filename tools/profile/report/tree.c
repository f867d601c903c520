// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trees of calls: built from the paths of profiles, completed, and flattened.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "profile/report/report.h"

/* ---- Nodes ---- */

static size_t first_child(const struct report_tree *tree, size_t parent)
{
	if (parent != REPORT_ROOT)
		return tree->at[parent].first;
	return tree->count ? 0 : REPORT_ROOT;
}

static size_t find_child(const struct report_tree *tree, size_t parent, const char *name,
			 const char *group)
{
	size_t at = first_child(tree, parent);

	while (at != REPORT_ROOT &&
	       (strcmp(tree->at[at].name, name) || strcmp(tree->at[at].group, group)))
		at = tree->at[at].next;
	return at;
}

/* Finds a child by name and group, or adds it. Returns REPORT_ROOT if there is no memory. */
static size_t get_node(struct report_tree *tree, size_t parent, const char *name,
		       const char *group, enum report_kind kind)
{
	size_t found = find_child(tree, parent, name, group), sibling;
	struct report_node *node;

	if (found != REPORT_ROOT)
		return found;
	if (array_reserve(&tree->at, &tree->capacity, tree->count, sizeof(*tree->at)))
		return REPORT_ROOT;
	node = &tree->at[tree->count];
	*node = (struct report_node){ .group = group, .kind = kind, .parent = parent,
		.first = REPORT_ROOT, .next = REPORT_ROOT,
		.depth = parent == REPORT_ROOT ? 0 : tree->at[parent].depth + 1 };
	node->name = strdup(name);
	if (!node->name)
		return REPORT_ROOT;
	sibling = first_child(tree, parent);
	if (sibling != REPORT_ROOT) {
		node->next = tree->at[sibling].next;
		tree->at[sibling].next = tree->count;
	} else if (parent != REPORT_ROOT) {
		tree->at[parent].first = tree->count;
	}
	return tree->count++;
}

static void add_sums(struct report_node *node, uint64_t count, uint64_t exclusive, uint64_t largest)
{
	node->count += count;
	node->exclusive += exclusive;
	if (largest > node->largest)
		node->largest = largest;
}

static int add_path(struct report_tree *tree, const struct evtlog_profile_path *path)
{
	size_t parent = REPORT_ROOT, length;

	for (const char *at = path->path;; at += length + 1) {
		struct report_event event;

		length = strcspn(at, ">");
		if (report_event_of(&event, at, length))
			return -ENOMEM;
		tree->has_regions |= event.kind == REPORT_REGION;
		parent = get_node(tree, parent, event.name, event.group, event.kind);
		free(event.name);
		if (parent == REPORT_ROOT)
			return -ENOMEM;
		if (!tree->at[parent].path)
			tree->at[parent].path = strndup(path->path, at + length - path->path);
		if (!tree->at[parent].path)
			return -ENOMEM;
		if (!at[length])
			break;
	}
	add_sums(&tree->at[parent], path->count, path->exclusive, path->largest);
	/* The events of a CPU are not a tree. */
	if (tree->slot->entry.cpu >= 0)
		tree->at[parent].inclusive += path->inclusive;
	return 0;
}

static int by_inclusive(const void *a, const void *b, void *context)
{
	const struct report_tree *tree = context;
	const struct report_node *one = &tree->at[*(const size_t *)a];
	const struct report_node *two = &tree->at[*(const size_t *)b];

	if (one->inclusive != two->inclusive)
		return one->inclusive < two->inclusive ? 1 : -1;
	return strcmp(one->name, two->name);
}

/* Copies @from and its siblings, sorted, and the nodes within them. */
static int copy_level(struct report_tree *old, struct report_tree *tree, size_t from,
		      size_t parent)
{
	size_t count = 0, *order, i, at, before = REPORT_ROOT;
	int error = 0;

	for (at = from; at != REPORT_ROOT; at = old->at[at].next)
		count++;
	if (!count)
		return 0;
	order = malloc(count * sizeof(*order));
	if (!order)
		return -ENOMEM;
	for (i = 0, at = from; at != REPORT_ROOT; at = old->at[at].next)
		order[i++] = at;
	qsort_r(order, count, sizeof(*order), by_inclusive, old);
	for (i = 0; !error && i < count; i++) {
		size_t to = tree->count++;

		tree->at[to] = old->at[order[i]];
		tree->at[to].parent = parent;
		tree->at[to].first = REPORT_ROOT;
		tree->at[to].next = REPORT_ROOT;
		if (before != REPORT_ROOT)
			tree->at[before].next = to;
		else if (parent != REPORT_ROOT)
			tree->at[parent].first = to;
		before = to;
		error = copy_level(old, tree, old->at[order[i]].first, to);
	}
	free(order);
	return error;
}

/* Computes inclusive times and subcalls, and sorts the nodes. */
static int finish_tree(struct report_tree *tree)
{
	struct report_tree old = *tree;
	int error;

	tree->total = 0;
	if (!tree->count)
		return 0;
	for (size_t i = 0; i < tree->count; i++) {
		if (tree->slot->entry.cpu < 0)
			tree->at[i].inclusive = tree->at[i].exclusive;
		tree->at[i].subcalls = 0;
		tree->total += tree->at[i].exclusive;
	}
	/* Backwards, as children are after their parents */
	for (size_t i = tree->count; i--;) {
		struct report_node *node = &tree->at[i];

		if (node->parent == REPORT_ROOT)
			continue;
		tree->at[node->parent].subcalls += node->count;
		tree->at[node->parent].inclusive += node->inclusive;
	}
	tree->capacity = tree->count;
	tree->at = calloc(tree->count, sizeof(*tree->at));
	tree->count = 0;
	error = tree->at ? copy_level(&old, tree, 0, REPORT_ROOT) : -ENOMEM;
	if (error) {
		free(tree->at);
		*tree = old;
		return error;
	}
	free(old.at);
	return 0;
}

/* ---- Reports ---- */

/* @label: from malloc(), owned by the tree; NULL: there was no memory */
static int add_tree(struct report *report, const struct profile_slot *slot, int rank, char *label)
{
	struct report_tree *tree = &report->at[report->count++];
	int error = label ? 0 : -ENOMEM;

	*tree = (struct report_tree){ .slot = slot, .rank = rank, .label = label };
	for (size_t i = 0; !error && i < slot->entry.paths; i++)
		error = add_path(tree, &slot->paths[i]);
	return error ? error : finish_tree(tree);
}

static char *label_of(const struct evtlog_profile_entry *entry)
{
	char *label;
	int length;

	if (entry->cpu >= 0)
		length = asprintf(&label, "CPU %d", entry->cpu);
	else if (profile_is_of_ended_threads(entry))
		length = asprintf(&label, "%s-%d ended threads", entry->comm, entry->tgid);
	else
		length = asprintf(&label, "%s-%d", entry->comm, entry->pid);
	return length < 0 ? NULL : label;
}

static int add_sum(struct report *report, size_t entries)
{
	int error = profile_sum(report->profiles, report->profile_count, &report->sum);
	char *label;

	if (error)
		return error;
	if (asprintf(&label, "%zu %s", entries, report->sum.entry.cpu < 0 ? "tasks" : "CPUs") < 0)
		label = NULL;
	return add_tree(report, &report->sum, -1, label);
}

int report_make_trees(struct report *report, bool sum)
{
	size_t entries = 0;
	int error = 0;

	for (size_t i = 0; i < report->profile_count; i++)
		entries += report->profiles[i]->about.entries;
	if (!entries)
		return 0;
	report->at = calloc(entries, sizeof(*report->at));
	if (!report->at)
		return -ENOMEM;
	if (sum)
		return add_sum(report, entries);
	for (size_t i = 0; i < report->profile_count; i++) {
		const struct evtlog_profile *profile = report->profiles[i];

		for (size_t k = 0; !error && k < profile->about.entries; k++)
			error = add_tree(report, &profile->slots[k], profile->about.rank,
					 label_of(&profile->slots[k].entry));
	}
	return error;
}

/* Converts ticks of a profile to those of the report. */
static uint64_t convert(const struct report *report, const struct evtlog_profile *profile,
			uint64_t ticks)
{
	if (profile->about.ticks_hz == report->hz)
		return ticks;
	return (uint64_t)((unsigned __int128)ticks * report->hz / profile->about.ticks_hz);
}

/* Converts all paths. Returns false if one has too many events. */
static bool take_paths(const struct report *report, struct evtlog_profile *profile,
		       struct profile_slot *slot)
{
	for (size_t i = 0; i < slot->entry.paths; i++) {
		struct evtlog_profile_path *path = &slot->paths[i];
		unsigned int events = 1;

		for (const char *at = path->path; (at = strchr(at, '>')); at++)
			events++;
		if (events > REPORT_DEPTH_MAX)
			return false;
		path->inclusive = convert(report, profile, path->inclusive);
		path->exclusive = convert(report, profile, path->exclusive);
		path->largest = convert(report, profile, path->largest);
	}
	return true;
}

int report_add(struct report *report, struct evtlog_profile *profile)
{
	if (array_reserve(&report->profiles, &report->profile_capacity, report->profile_count,
			  sizeof(*report->profiles))) {
		evtlog_profile_free(profile);
		return -ENOMEM;
	}
	report->profiles[report->profile_count++] = profile;
	if (!report->hz)
		report->hz = profile->about.ticks_hz;
	for (size_t i = 0; i < profile->about.entries; i++) {
		if (!take_paths(report, profile, &profile->slots[i]))
			return -ELOOP;
	}
	report->about.is_compensated |= profile->about.is_compensated;
	report->about.removed += convert(report, profile, profile->about.removed);
	report->about.clamped += profile->about.clamped;
	return 0;
}

void report_tree_free(struct report_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++) {
		free(tree->at[i].name);
		free(tree->at[i].path);
	}
	free(tree->at);
	free(tree->label);
	*tree = (struct report_tree){ 0 };
}

void report_clear(struct report *report)
{
	for (size_t i = 0; i < report->count; i++)
		report_tree_free(&report->at[i]);
	free(report->at);
	profile_slot_free(&report->sum);
	for (size_t i = 0; i < report->profile_count; i++)
		evtlog_profile_free(report->profiles[i]);
	free(report->profiles);
	*report = (struct report){ 0 };
}

/* ---- Flat trees ---- */

static bool is_within_itself(const struct report_tree *tree, const struct report_node *node)
{
	for (size_t up = node->parent; up != REPORT_ROOT; up = tree->at[up].parent) {
		if (!strcmp(tree->at[up].name, node->name) &&
		    !strcmp(tree->at[up].group, node->group))
			return true;
	}
	return false;
}

static int by_exclusive(const void *a, const void *b)
{
	const struct report_node *one = a, *two = b;

	if (one->exclusive != two->exclusive)
		return one->exclusive < two->exclusive ? 1 : -1;
	return strcmp(one->name, two->name);
}

int report_flat(const struct report_tree *tree, struct report_tree *flat)
{
	*flat = (struct report_tree){ .slot = tree->slot, .rank = tree->rank,
				      .has_regions = tree->has_regions, .total = tree->total };
	flat->label = strdup(tree->label);
	if (!flat->label)
		return -ENOMEM;
	for (size_t i = 0; i < tree->count; i++) {
		const struct report_node *node = &tree->at[i];
		size_t at = get_node(flat, REPORT_ROOT, node->name, node->group, node->kind);

		if (at == REPORT_ROOT) {
			report_tree_free(flat);
			return -ENOMEM;
		}
		add_sums(&flat->at[at], node->count, node->exclusive, node->largest);
		flat->at[at].subcalls += node->subcalls;
		if (!is_within_itself(tree, node))
			flat->at[at].inclusive += node->inclusive;
	}
	/* This breaks the links between siblings. */
	qsort(flat->at, flat->count, sizeof(*flat->at), by_exclusive);
	for (size_t i = 0; i < flat->count; i++)
		flat->at[i].next = i + 1 < flat->count ? i + 1 : REPORT_ROOT;
	return 0;
}
