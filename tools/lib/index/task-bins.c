// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Sums of a task's time in bins, over all CPUs.
 *
 * Rosters have the time of the task in each group of leaves.  Its place within a group comes from
 * the leaves, or from the log.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"
#include "internal.h"

/* @ns is of the current CPU, @best_ns of the CPU with most time so far. */
struct task_bin {
	uint64_t all_ns;
	uint64_t ns;
	uint64_t best_ns;
	uint64_t spread_ns;
	uint32_t best_cpu;
	uint32_t kinds;
};

struct following {
	struct evtlog_index *index;
	uint32_t pid;
	uint64_t from_ns;	/* intersection of its lifetime and the edges */
	uint64_t until_ns;
	const uint64_t *edges;
	size_t count;
	bool refine;
	unsigned int slot;
	struct task_bin *bins;
};

/* The bin that contains @time_ns, which is within the edges. */
static size_t find_bin(const struct following *task, uint64_t time_ns)
{
	size_t low = 0, high = task->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (task->edges[middle] <= time_ns)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The task ran @ns of the time from @begin_ns to @end_ns. */
static void spread(struct following *task, uint64_t begin_ns, uint64_t end_ns,
		   uint64_t ns, uint32_t kinds)
{
	uint64_t all = span(begin_ns, end_ns);
	uint64_t from = more(begin_ns, task->from_ns), to = less(end_ns, task->until_ns);

	if (from >= to)
		return;
	for (size_t i = find_bin(task, from); i < task->count && task->edges[i] < to;
	     i++) {
		struct task_bin *bin = &task->bins[i];
		uint64_t part = span(more(from, task->edges[i]),
				     less(to, task->edges[i + 1]));
		uint64_t some = part == all ? ns : (u128)ns * part / all;

		bin->kinds |= kinds;
		bin->ns += some;
		if (part < all && ns != all)
			bin->spread_ns += part;
	}
}

static uint32_t kinds_of(uint32_t word)
{
	return (word & INDEX_ROSTER_SWITCH ? 1u << EVTLOG_KIND_SWITCH : 0) |
	       (word & INDEX_ROSTER_WAKING ? 1u << EVTLOG_KIND_WAKING : 0) |
	       (word & INDEX_ROSTER_MIGRATION ? 1u << EVTLOG_KIND_MIGRATION : 0);
}

/* ---- Groups ---- */

/* Time of the task in @leaf.  False: not listed; @room_ns is the time of all unlisted tasks. */
static bool in_leaf(const struct index_leaf *leaf, uint64_t all, uint32_t pid,
		    uint64_t *ns, uint64_t *room_ns)
{
	unsigned int alike = leaf->kinds >> INDEX_ALIKE_SHIFT;

	*ns = *room_ns = 0;
	if (alike) {
		if (alike == 1 + INDEX_TASK && leaf->pid[0] == pid)
			*ns = all;
		return true;
	}
	*room_ns = leaf->ns[INDEX_TASK - 1];
	for (int i = 0; i < INDEX_LEAF_TASKS; i++) {
		if (leaf->pid[i] == pid && leaf->pid_ns[i]) {
			*ns = leaf->pid_ns[i];
			return true;
		}
		*room_ns = span(leaf->pid_ns[i], *room_ns);
	}
	return false;
}

/* Assigns the known time to leaves, and the rest to leaves with unlisted tasks, in proportion. */
static void spread_group(struct following *task, const struct index_view *view,
			 unsigned int first, unsigned int end, uint64_t ns,
			 uint32_t kinds)
{
	uint64_t left = ns, capacity = 0, some, others;

	for (unsigned int i = first; i < end; i++) {
		uint64_t all = span(index_leaf_begin(view, i), view->leaves[i].end_ns);

		if (in_leaf(&view->leaves[i], all, task->pid, &some, &others))
			left = span(some, left);
		else
			capacity += others;
	}
	for (unsigned int i = first; i < end; i++) {
		const struct index_leaf *leaf = &view->leaves[i];
		uint64_t begin_ns = index_leaf_begin(view, i);
		uint64_t all = span(begin_ns, leaf->end_ns);

		if (!in_leaf(leaf, all, task->pid, &some, &others))
			some = capacity ? (u128)left * others / capacity : 0;
		if (some || (kinds & leaf->kinds))
			spread(task, begin_ns, leaf->end_ns, some, kinds & leaf->kinds);
	}
}

static void add_mark(struct following *task, const struct index_mark *mark,
		     uint64_t from_ns, uint64_t to_ns, uint64_t end_ns, uint32_t before)
{
	bool switches = mark->kind == EVTLOG_KIND_SWITCH && before == task->pid;

	if (mark->kind < EVTLOG_KINDS && (mark->about == task->pid || switches) &&
	    mark->time_ns >= from_ns && mark->time_ns < to_ns)
		task->bins[find_bin(task, mark->time_ns)].kinds |= 1u << mark->kind;
	from_ns = more(from_ns, mark->time_ns);
	to_ns = less(to_ns, end_ns);
	if (mark->state == INDEX_TASK && mark->pid == task->pid)
		spread(task, from_ns, to_ns, span(from_ns, to_ns), 0);
}

/* Reads the log from @from_ns to @to_ns. */
static int add_exact(struct following *task, uint64_t from_ns, uint64_t to_ns)
{
	struct index_buffer_cache *cache = task->index->cache;
	const struct index_buffer *buffer;
	uint32_t before = EVTLOG_PID_UNKNOWN;
	int error = index_buffer_at(cache, task->slot, from_ns, &buffer);

	while (!error && buffer && buffer->begin_ns < to_ns) {
		for (size_t i = 0; i < buffer->count; i++) {
			const struct index_mark *mark = &buffer->marks[i];
			uint64_t end_ns = i + 1 < buffer->count ? mark[1].time_ns :
					  buffer->end_ns;

			if (mark->time_ns >= to_ns)
				break;
			if (end_ns > from_ns || mark->time_ns >= from_ns)
				add_mark(task, mark, from_ns, to_ns, end_ns, before);
			before = mark->pid;
		}
		error = index_buffer_next(cache, task->slot, buffer, &buffer);
	}
	return error;
}

/* @last: last group of its CPU, which also has the events at its end */
static int add_group(struct following *task, const struct index_view *view,
		     unsigned int group, bool last)
{
	unsigned int first = group << INDEX_GROUP_SHIFT;
	unsigned int end = less(first + INDEX_GROUP_LEAVES, view->leaf_count);
	uint64_t begin_ns, end_ns, from, to;
	struct index_entry entry;
	size_t bin;

	index_group_span(view, group, &begin_ns, &end_ns);
	if (last && end_ns < UINT64_MAX)
		end_ns++;
	from = more(begin_ns, task->from_ns);
	to = less(end_ns, task->until_ns);
	if (from >= to || !index_find_entry(view, group, task->pid, &entry))
		return 0;
	bin = find_bin(task, from);
	if (from == begin_ns && to == end_ns && to <= task->edges[bin + 1])
		spread(task, begin_ns, end_ns, entry.ns, kinds_of(entry.kinds));
	else if (task->refine)
		return add_exact(task, from, to);
	else
		spread_group(task, view, first, end, entry.ns, kinds_of(entry.kinds));
	return 0;
}

static int follow_cpu(struct following *task)
{
	const struct index_lane *lane = &task->index->lanes[task->slot];

	for (size_t i = 0; i < lane->chunk_count; i++) {
		const struct index_chunk *chunk = &lane->chunks[i];
		struct index_view view;

		bool last = i + 1 == lane->chunk_count;
		unsigned int groups;

		if (chunk->node.end_ns < task->from_ns)
			continue;
		if (chunk->begin_ns >= task->until_ns)
			break;
		index_view(task->index, chunk, &view);
		groups = index_groups(view.leaf_count);
		for (unsigned int g = 0; g < groups; g++) {
			int error = add_group(task, &view, g, last && g + 1 == groups);

			if (error)
				return error;
		}
	}
	return 0;
}

/* ---- Bins ---- */

static void end_cpu(struct following *task)
{
	uint32_t cpu = task->index->cpus[task->slot].cpu;

	for (size_t i = 0; i < task->count; i++) {
		struct task_bin *bin = &task->bins[i];

		if (bin->ns > bin->best_ns) {
			bin->best_ns = bin->ns;
			bin->best_cpu = cpu;
		}
		bin->all_ns += bin->ns;
		bin->ns = 0;
	}
}

static void give_bin(const struct task_bin *from, uint64_t width_ns,
		     struct evtlog_bin *bin)
{
	uint8_t share = index_share(from->all_ns, width_ns);

	*bin = (struct evtlog_bin) {
		.task = from->best_ns ? from->best_cpu : EVTLOG_TASK_UNKNOWN,
		.task_share = share,
		.busy = share,
		.kinds = from->kinds,
		.flags = from->spread_ns > width_ns / INDEX_APPROXIMATE_PART ?
			 EVTLOG_BIN_APPROXIMATE : 0,
	};
}

int evtlog_index_task_bins(struct evtlog_index *index, uint32_t id,
			   const uint64_t *edges, size_t count, bool refine,
			   struct evtlog_bin *bins)
{
	struct following task = {
		.index = index,
		.edges = edges,
		.count = count,
		.refine = refine,
	};
	int error = 0;

	if (!id || !index_lifetime_span(index, id, &task.from_ns, &task.until_ns) ||
	    !index_ascending(edges, count))
		return -EINVAL;
	if (!count)
		return 0;
	task.pid = index->tasks.tasks[id].pid;
	task.from_ns = more(task.from_ns, edges[0]);
	task.until_ns = less(task.until_ns, edges[count]);
	task.bins = calloc(count, sizeof(*task.bins));
	if (!task.bins)
		return -ENOMEM;
	for (task.slot = 0; task.slot < index->cpu_count && !error; task.slot++) {
		error = follow_cpu(&task);
		end_cpu(&task);
	}
	for (size_t i = 0; i < count && !error; i++)
		give_bin(&task.bins[i], edges[i + 1] - edges[i], &bins[i]);
	free(task.bins);
	return error;
}
