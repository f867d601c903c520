// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters: the interpreter, for kernels without the machine code of x86.c, which does the same.
 *
 * Called in any context, with interrupts off or on, by the hooks of filtered events.
 */
#include <linux/string.h>

#include "filter/tree.h"

static u64 value_of(const struct filter_node *node, const u64 *slots)
{
	u64 value = node->special == FILTER_SLOT ? slots[node->slot] :
						   evtlog_filter_task_value(node->special);

	if (node->is_masked)
		value &= node->mask;
	return filter_extend(value, node->width, node->is_signed);
}

static bool compare(const struct filter_node *node, u64 value)
{
	switch (node->compare) {
	case FILTER_EQ:
		return value == node->number;
	case FILTER_NE:
		return value != node->number;
	case FILTER_LT:
		return filter_less(value, node->number, node->is_signed);
	case FILTER_GE:
		return !filter_less(value, node->number, node->is_signed);
	case FILTER_GT:
		return filter_less(node->number, value, node->is_signed);
	default:
		return !filter_less(node->number, value, node->is_signed);
	}
}

static bool is_in_set(const struct evtlog_filter *filter, const struct filter_node *node,
		      u64 value)
{
	const struct filter_range *r = &filter->ranges[node->first_range];
	unsigned int from = 0, to = node->nr_ranges;

	while (from < to) {
		unsigned int middle = (from + to) / 2;

		if (filter_less(value, r[middle].low, node->is_signed))
			to = middle;
		else if (filter_less(r[middle].high, value, node->is_signed))
			from = middle + 1;
		else
			return true;
	}
	return false;
}

static bool matches(const struct evtlog_filter *filter, const struct filter_node *node,
		    const u64 *slots)
{
	u16 child = node->child;

	switch (node->kind) {
	case FILTER_ALL:
		for (; child != FILTER_NONE; child = filter->nodes[child].next) {
			if (!matches(filter, &filter->nodes[child], slots))
				return false;
		}
		return true;
	case FILTER_ANY:
		for (; child != FILTER_NONE; child = filter->nodes[child].next) {
			if (matches(filter, &filter->nodes[child], slots))
				return true;
		}
		return false;
	case FILTER_NOT:
		return !matches(filter, &filter->nodes[child], slots);
	case FILTER_SET:
		return is_in_set(filter, node, value_of(node, slots));
	case FILTER_COMM:
		return !memcmp(evtlog_filter_task_comm(), node->comm, node->comm_bytes) ==
		       (node->compare == FILTER_EQ);
	case FILTER_TREE:
		return evtlog_filter_task_in_tree(node->number) == (node->compare == FILTER_EQ);
	case FILTER_CGROUP:
		return evtlog_filter_task_in_cgroup(node->number) == (node->compare == FILTER_EQ);
	default:
		return compare(node, value_of(node, slots));
	}
}

/**
 * evtlog_filter_run() - check whether a filter accepts a record
 * @slots:	all slots of the table of fields
 *
 * Context: any but NMI.  The depth of recursion is the depth of the parentheses.
 * Return: true if the record is accepted.
 */
bool evtlog_filter_run(const struct evtlog_filter *filter, const u64 *slots)
{
	return matches(filter, &filter->nodes[filter->root], slots);
}

/**
 * filter_slots_used() - find the slots that a filter needs
 * @filter:	filter with at most 64 fields
 *
 * Return: a bit for each slot.
 */
u64 filter_slots_used(const struct evtlog_filter *filter)
{
	u64 used = 0;
	unsigned int i;

	for (i = 0; i < filter->nr_nodes; i++) {
		const struct filter_node *node = &filter->nodes[i];

		if ((node->kind == FILTER_COMPARE || node->kind == FILTER_SET) &&
		    node->special == FILTER_SLOT)
			used |= 1ULL << node->slot;
	}
	return used;
}
