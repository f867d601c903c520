// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sums of trees, and flat trees.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/report/report.h"

static void add_node(struct report_node *to, const struct report_node *from)
{
	to->count += from->count;
	to->exclusive += from->exclusive;
	if (from->largest > to->largest)
		to->largest = from->largest;
}

/* @places: set to the index in @to of each node of @from; parents come first. */
static int add_tree(struct report_tree *to, const struct report_tree *from, size_t *places)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct report_node *node = &from->at[i];

		places[i] = report_node_get(to, node->parent == REPORT_ROOT ? REPORT_ROOT :
					    places[node->parent], node->name, node->group,
					    node->kind);
		if (places[i] == REPORT_ROOT)
			return -ENOMEM;
		add_node(&to->at[places[i]], node);
		if (to->cpu >= 0)
			to->at[places[i]].inclusive += node->inclusive;
	}
	to->has_regions |= from->has_regions;
	return 0;
}

int report_sum(struct report *report)
{
	struct report_tree sum = { .cpu = -1, .rank = -1 };
	int error = 0;

	if (!report->count)
		return 0;
	sum.cpu = report->at[0].cpu;
	if (asprintf(&sum.label, "%zu %s", report->count, sum.cpu < 0 ? "tasks" : "CPUs") < 0)
		return -ENOMEM;
	for (size_t i = 0; !error && i < report->count; i++) {
		size_t *places = calloc(report->at[i].count + 1, sizeof(*places));

		profile_values_add(&sum.values, &report->at[i].values);
		error = places ? add_tree(&sum, &report->at[i], places) : -ENOMEM;
		free(places);
	}
	if (!error)
		error = report_tree_finish(&sum);
	if (error) {
		report_tree_free(&sum);
		return error;
	}
	for (size_t i = 0; i < report->count; i++)
		report_tree_free(&report->at[i]);
	report->at[0] = sum;
	report->count = 1;
	return 0;
}

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
	*flat = (struct report_tree){ .cpu = tree->cpu, .pid = tree->pid, .tgid = tree->tgid,
				      .rank = tree->rank, .has_regions = tree->has_regions,
				      .total = tree->total };
	flat->label = strdup(tree->label);
	if (!flat->label)
		return -ENOMEM;
	for (size_t i = 0; i < tree->count; i++) {
		const struct report_node *node = &tree->at[i];
		size_t at = report_node_get(flat, REPORT_ROOT, node->name, node->group,
					    node->kind);

		if (at == REPORT_ROOT) {
			report_tree_free(flat);
			return -ENOMEM;
		}
		add_node(&flat->at[at], node);
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
