// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Sums of CPUs' time in bins.
 *
 * A bin consists of the largest nodes that fit into it, of leaves at its ends, and, for exact
 * results, of marks of the buffers there.  cursor.c finds nodes and leaves.
 */
#include <errno.h>
#include <string.h>

#include "cursor.h"

/* An edge of a bin cuts a node of at most 1 / this of the bin; its leaves are not used. */
#define COARSE_PART	8

/* For exact results, bins with fewer leaves are read from the log as a whole. */
#define EXACT_LEAVES	32

/* Fractions of a leaf have this many bits: times a sum below 2^32, they are below 2^64. */
#define PART_SHIFT	31

/* Cache from pids to tasks. */
#define MEMOS	256

struct memo {
	uint32_t pid;
	uint32_t id;
};

/*
 * Sums of the current bin; sums by task are in @index->sums.
 * @spread_ns:	time of leaves that are only partly in the bin and have several states
 * @known_ns:	time of the bin within the CPU's data
 */
struct sum {
	struct evtlog_index *index;
	unsigned int slot;
	bool refine;
	uint64_t width_ns;
	uint64_t ns[INDEX_STATES];
	uint64_t known_ns;
	uint64_t spread_ns;
	uint32_t kinds;
};

/* State for consecutive bins. */
struct binning {
	struct index_cursor at;
	struct sum sum;
	struct memo *memos;
};

/* ---- Adding ---- */

/* Sums are by pid; they are by task id if pids were reused. */
static int add_task(struct sum *sum, uint32_t pid, uint64_t time_ns, uint64_t ns)
{
	struct index_pid *entry;

	if (!ns)
		return 0;
	if (sum->index->tasks.reused)
		pid = evtlog_index_task_at(sum->index, pid, time_ns);
	entry = index_pids_get(&sum->index->sums, pid);
	if (!entry)
		return -ENOMEM;
	entry->ns += ns;
	return 0;
}

/* The task with @pid ran from @from_ns to @to_ns, or several tasks with this pid did. */
static int add_run(struct sum *sum, uint32_t pid, uint64_t from_ns, uint64_t to_ns)
{
	int error = 0;

	while (sum->index->tasks.reused && from_ns < to_ns && !error) {
		uint64_t until_ns = less(to_ns, index_next_lifetime(sum->index, pid, from_ns));

		error = add_task(sum, pid, from_ns, until_ns - from_ns);
		from_ns = until_ns;
	}
	return error ? error : add_task(sum, pid, from_ns, span(from_ns, to_ns));
}

/* The fraction @ns / @all, times 1 << PART_SHIFT. */
static uint64_t part_of(uint64_t ns, uint64_t all)
{
	if (ns >= all)
		return UINT64_C(1) << PART_SHIFT;
	if (ns < UINT64_C(1) << (64 - PART_SHIFT))
		return (ns << PART_SHIFT) / all;
	return ((u128)ns << PART_SHIFT) / all;
}

/* Number of a node's tasks to add.  In a bin of many nodes, the tasks with most time suffice. */
static int tasks_of(const struct sum *sum, uint64_t node_ns)
{
	return !sum->refine && node_ns <= sum->width_ns / 4 ? INDEX_NODE_TASKS / 2 :
	       INDEX_NODE_TASKS;
}

/* Adds the part from @from_ns to @to_ns of a node that begins at @begin_ns. */
static int add_cut(struct sum *sum, const struct index_node *node, uint64_t begin_ns,
		   uint64_t from_ns, uint64_t to_ns)
{
	uint64_t ns = span(from_ns, to_ns), idle = ns;
	uint64_t part = part_of(ns, span(begin_ns, node->end_ns));
	int error = 0, tasks = tasks_of(sum, span(begin_ns, node->end_ns));

	if (!ns)
		return 0;
	for (int i = 0; i < INDEX_STATES - 1; i++) {
		uint64_t some = less((u128)node->ns[i] * part >> PART_SHIFT, idle);

		idle -= some;
		sum->ns[i + 1] += some;
	}
	sum->ns[INDEX_IDLE] += idle;
	sum->known_ns += ns;
	sum->spread_ns += ns;
	sum->kinds |= node->kinds;
	for (int i = 0; i < tasks && !error; i++)
		error = add_task(sum, node->pid[i], begin_ns,
				 less((u128)node->pid_ns[i] * part >> PART_SHIFT, ns));
	return error;
}

static int add_node(struct sum *sum, const struct index_node *node, uint64_t begin_ns)
{
	uint64_t all = span(begin_ns, node->end_ns), idle = all;
	int error = 0, tasks = tasks_of(sum, all);

	for (int i = 0; i < INDEX_STATES - 1; i++) {
		uint64_t ns = less(node->ns[i], idle);

		idle -= ns;
		sum->ns[i + 1] += ns;
	}
	sum->ns[INDEX_IDLE] += idle;
	sum->known_ns += all;
	sum->kinds |= node->kinds;
	for (int i = 0; i < tasks && !error; i++)
		error = add_task(sum, node->pid[i], node->end_ns - 1,
				 less(node->pid_ns[i], all));
	return error;
}

/* Adds the part of a leaf from @from_ns to @to_ns, which can be the whole leaf. */
static int add_leaf(struct sum *sum, const struct index_leaf *leaf, uint64_t begin_ns,
		    uint64_t from_ns, uint64_t to_ns)
{
	uint64_t all = span(begin_ns, leaf->end_ns), ns = span(from_ns, to_ns);
	unsigned int alike = leaf->kinds >> INDEX_ALIKE_SHIFT;
	uint64_t idle = ns, part;
	int error = 0;

	if (!alike || from_ns <= begin_ns)
		sum->kinds |= leaf->kinds & INDEX_KINDS_MASK;
	sum->known_ns += ns;
	if (alike && alike <= INDEX_STATES) {
		sum->ns[alike - 1] += ns;
		return alike - 1 == INDEX_TASK ?
		       add_run(sum, leaf->pid[0], from_ns, to_ns) : 0;
	}
	if (!ns)
		return 0;
	if (ns < all)
		sum->spread_ns += ns;
	part = part_of(ns, all);
	for (int i = 0; i < INDEX_STATES - 1; i++) {
		uint64_t some = less(leaf->ns[i] * part >> PART_SHIFT, idle);

		idle -= some;
		sum->ns[i + 1] += some;
	}
	sum->ns[INDEX_IDLE] += idle;
	for (int i = 0; i < INDEX_LEAF_TASKS && !error; i++)
		error = add_task(sum, leaf->pid[i], leaf->end_ns - 1,
				 leaf->pid_ns[i] * part >> PART_SHIFT);
	return error;
}

/* The first mark at or after @time_ns. */
static size_t find_mark(const struct index_buffer *buffer, uint64_t time_ns)
{
	size_t low = 0, high = buffer->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (buffer->marks[middle].time_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int add_marks(struct sum *sum, const struct index_buffer *buffer,
		     uint64_t from_ns, uint64_t to_ns)
{
	size_t i = find_mark(buffer, from_ns);

	/* The state of the previous mark continues. */
	if (i && (i == buffer->count || buffer->marks[i].time_ns > from_ns))
		i--;
	for (; i < buffer->count && buffer->marks[i].time_ns < to_ns; i++) {
		const struct index_mark *mark = &buffer->marks[i];
		uint64_t end_ns = i + 1 < buffer->count ? mark[1].time_ns : buffer->end_ns;
		uint64_t begin_ns = more(mark->time_ns, from_ns);
		uint64_t ns = span(begin_ns, less(end_ns, to_ns));
		int error;

		if (mark->kind < EVTLOG_KINDS && mark->time_ns >= from_ns)
			sum->kinds |= 1u << mark->kind;
		if (!ns)
			continue;
		sum->ns[mark->state] += ns;
		sum->known_ns += ns;
		if (mark->state != INDEX_TASK)
			continue;
		error = add_run(sum, mark->pid, begin_ns, begin_ns + ns);
		if (error)
			return error;
	}
	return 0;
}

static int add_log(struct sum *sum, uint64_t from_ns, uint64_t to_ns)
{
	const struct index_buffer *buffer;
	int error = index_buffer_at(sum->index->cache, sum->slot, from_ns, &buffer);

	while (!error && buffer && buffer->begin_ns < to_ns) {
		error = add_marks(sum, buffer, from_ns, to_ns);
		if (!error)
			error = index_buffer_next(sum->index->cache, sum->slot, buffer,
						  &buffer);
	}
	return error;
}

/* ---- Bins ---- */

static void sum_start(struct sum *sum, uint64_t width_ns)
{
	memset(sum->ns, 0, sizeof(sum->ns));
	sum->width_ns = width_ns;
	sum->known_ns = 0;
	sum->spread_ns = 0;
	sum->kinds = 0;
	index_pids_clear(&sum->index->sums);
}

/* Returns true if a bin up to @to_ns has so few leaves that it is read as a whole. */
static bool is_small(const struct index_cursor *cursor, uint64_t to_ns)
{
	struct index_cursor ahead = *cursor;

	for (unsigned int i = 0; i < EXACT_LEAVES; i++) {
		if (!ahead.valid || index_leaf_begin(&ahead.view, ahead.leaf) >= to_ns)
			return true;
		index_cursor_step(&ahead, 1);
	}
	return false;
}

/*
 * Finds the largest node with the current leaf that an edge of a bin of @width_ns may cut.  Returns
 * its level, 0 if there is none.
 */
static unsigned int coarse(const struct index_cursor *cursor, uint64_t width_ns,
			   const struct index_node **node, uint64_t *begin_ns)
{
	const struct index_view *view = &cursor->view;
	unsigned int found = 0;

	for (unsigned int level = 1; level <= INDEX_LEVELS; level++) {
		const struct index_node *nodes = view->nodes[level - 1];
		unsigned int i = cursor->leaf >> (INDEX_FANOUT_SHIFT * level);
		uint64_t begin = i ? nodes[i - 1].end_ns : view->begin_ns;

		if (span(begin, nodes[i].end_ns) > width_ns / COARSE_PART)
			break;
		*node = &nodes[i];
		*begin_ns = begin;
		found = level;
	}
	return found;
}

static int add_bin(struct sum *sum, struct index_cursor *at, uint64_t from_ns, uint64_t to_ns)
{
	int error;

	sum_start(sum, to_ns - from_ns);
	if (!at->valid)
		return 0;
	if (sum->refine && at->view.leaves[at->leaf].end_ns < to_ns &&
	    is_small(at, to_ns)) {
		error = add_log(sum, more(from_ns, index_leaf_begin(&at->view, at->leaf)),
				to_ns);
		index_cursor_find(at, to_ns);
		return error;
	}
	while (at->valid) {
		const struct index_leaf *leaf = &at->view.leaves[at->leaf];
		uint64_t begin_ns = index_leaf_begin(&at->view, at->leaf);
		const struct index_node *node = NULL, *cut = NULL;
		unsigned int level = 0, cut_level = 0;
		uint64_t cut_ns = begin_ns;

		if (begin_ns >= to_ns)
			break;
		if (begin_ns >= from_ns)
			level = index_cursor_fitting(at, to_ns, &node);
		/* Checked before its smaller parts are added, or they would count twice. */
		if (!sum->refine)
			cut_level = coarse(at, to_ns - from_ns, &cut, &cut_ns);
		if (cut_level > level) {
			error = add_cut(sum, cut, cut_ns, more(cut_ns, from_ns),
					less(cut->end_ns, to_ns));
			if (error)
				return error;
			if (cut->end_ns > to_ns)
				break;
			index_cursor_over(at, cut_level);
			continue;
		}
		if (level) {
			error = add_node(sum, node, begin_ns);
			if (error)
				return error;
			index_cursor_step(at, 1u << (INDEX_FANOUT_SHIFT * level));
			continue;
		}
		if (begin_ns < from_ns && leaf->end_ns <= from_ns) {
			index_cursor_step(at, 1);
			continue;
		}
		if (sum->refine && !(leaf->kinds >> INDEX_ALIKE_SHIFT) &&
		    (begin_ns < from_ns || leaf->end_ns > to_ns))
			error = add_log(sum, more(begin_ns, from_ns),
					less(leaf->end_ns, to_ns));
		else
			error = add_leaf(sum, leaf, begin_ns, more(begin_ns, from_ns),
					 less(leaf->end_ns, to_ns));
		if (error)
			return error;
		if (leaf->end_ns > to_ns)
			break;
		index_cursor_step(at, 1);
	}
	return 0;
}

uint8_t index_share(uint64_t ns, uint64_t width_ns)
{
	uint64_t share;

	if (!ns || !width_ns)
		return 0;
	if (ns >= width_ns)
		return UINT8_MAX;
	if (width_ns < UINT64_MAX / 256)
		share = (ns * UINT8_MAX + width_ns / 2) / width_ns;
	else
		share = ((u128)ns * UINT8_MAX + width_ns / 2) / width_ns;
	return share < 1 ? 1 : share > UINT8_MAX - 1 ? UINT8_MAX - 1 : share;
}

/* Task id of @best, which was summed up by pid. */
static uint32_t task_of(const struct binning *bin, const struct index_pid *best)
{
	const struct evtlog_index *index = bin->sum.index;
	struct memo *memo = &bin->memos[best->pid % MEMOS];

	if (index->tasks.reused)
		return best->pid;
	if (memo->pid != best->pid) {
		memo->id = evtlog_index_task_at(index, best->pid, 0);
		memo->pid = best->pid;
	}
	return memo->id;
}

static void give_bin(const struct binning *from, struct evtlog_bin *bin)
{
	const struct sum *sum = &from->sum;
	const struct index_pids *sums = &sum->index->sums;
	const struct index_pid *best = NULL;
	uint64_t width_ns = sum->width_ns;
	/* The running task is known for a part of the bin. */
	bool is_known = !sum->index->no_switches && sum->known_ns > sum->ns[INDEX_LOST];

	for (uint32_t i = 0; i < sums->count; i++)
		if (!best || sums->at[i].ns > best->ns ||
		    (sums->at[i].ns == best->ns && sums->at[i].pid < best->pid))
			best = &sums->at[i];
	*bin = (struct evtlog_bin) {
		.task = best ? task_of(from, best) : is_known ? 0 : EVTLOG_TASK_UNKNOWN,
		.task_share = index_share(best ? best->ns : 0, width_ns),
		.busy = index_share(sum->ns[INDEX_TASK] + sum->ns[INDEX_SOFTIRQ] +
			      sum->ns[INDEX_IRQ], width_ns),
		.irq = index_share(sum->ns[INDEX_IRQ], width_ns),
		.softirq = index_share(sum->ns[INDEX_SOFTIRQ], width_ns),
		.lost = index_share(sum->ns[INDEX_LOST], width_ns),
		.kinds = sum->kinds,
	};
	if (sum->spread_ns > width_ns / INDEX_APPROXIMATE_PART)
		bin->flags |= EVTLOG_BIN_APPROXIMATE;
	if (sum->known_ns < width_ns || (sum->index->no_switches && sum->ns[INDEX_IDLE]))
		bin->flags |= EVTLOG_BIN_OUTSIDE;
}

bool index_ascending(const uint64_t *edges, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (edges[i] > edges[i + 1])
			return false;
	return true;
}

int evtlog_index_bins(struct evtlog_index *index, unsigned int slot,
		      const uint64_t *edges, size_t count, bool refine,
		      struct evtlog_bin *bins)
{
	struct memo memos[MEMOS] = { { 0 } };
	struct binning bin = {
		.at.index = index,
		.sum.index = index,
		.sum.slot = slot,
		.sum.refine = refine,
		.memos = memos,
	};

	if (slot >= index->cpu_count || !index_ascending(edges, count))
		return -EINVAL;
	bin.at.lane = &index->lanes[slot];
	if (count)
		index_cursor_find(&bin.at, edges[0]);
	for (size_t i = 0; i < count; i++) {
		int error = add_bin(&bin.sum, &bin.at, edges[i], edges[i + 1]);

		if (error)
			return error;
		give_bin(&bin, &bins[i]);
	}
	return 0;
}
