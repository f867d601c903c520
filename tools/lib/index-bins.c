// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What CPUs did in bins of time.
 *
 * Stage: between an index and what draws lanes.  A bin takes the largest nodes that
 * fit into it, leaves at its ends, and, when that is to be exact, marks of the
 * buffers there.
 */
#include <errno.h>
#include <string.h>

#include "index.h"

/* A bin is approximate when more than that part of it is spread. */
#define APPROXIMATE_PART	4

/* Where a bin's edge cuts a node that is no more than such a part of it, leaves do not matter. */
#define COARSE_PART	8

/* Bins of fewer leaves are read as a whole when they are to be exact. */
#define EXACT_LEAVES	32

/* What is taken of a leaf, in parts of 2^32: times what it holds that is below 2^64. */
#define PART_SHIFT	31

typedef unsigned __int128 u128;

/*
 * Of a bin.
 * @spread_ns:	time in it that is of leaves which are not all in it, nor all alike
 * @known_ns:	all but what is outside
 */
struct sum {
	uint64_t ns[INDEX_STATES];
	uint64_t known_ns;
	uint64_t spread_ns;
	uint32_t kinds;
};

/* The leaf that holds a time, and where it lies. */
struct place {
	size_t chunk;
	struct index_view view;
	unsigned int leaf;
	bool valid;
};

/* Tasks of pids, as found before. */
#define MEMOS	256

struct memo {
	uint32_t pid;
	uint32_t id;
};

struct walk {
	struct evtlog_index *index;
	const struct index_lane *lane;
	unsigned int slot;
	bool refine;
	uint64_t width_ns;	/* of the bin */
	struct place at;
	struct sum sum;
	struct memo *memos;
};

static uint64_t less(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t more(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t span(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* ---- Finding ---- */

static void use_chunk(struct walk *walk, size_t chunk)
{
	walk->at.chunk = chunk;
	walk->at.leaf = 0;
	walk->at.valid = chunk < walk->lane->chunk_count;
	if (walk->at.valid)
		index_view(walk->index, &walk->lane->chunks[chunk], &walk->at.view);
}

/* Goes to the first leaf that ends behind @time_ns. */
static void find(struct walk *walk, uint64_t time_ns)
{
	struct place *at = &walk->at;
	size_t low = 0, high = walk->lane->chunk_count;
	unsigned int first = 0, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (walk->lane->chunks[middle].node.end_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	/* There may be events at the very end. */
	if (low && low == walk->lane->chunk_count &&
	    walk->lane->chunks[low - 1].node.end_ns == time_ns)
		low--;
	use_chunk(walk, low);
	if (!at->valid)
		return;
	for (unsigned int level = INDEX_LEVELS; level; level--) {
		const struct index_node *nodes = at->view.nodes[level - 1];
		unsigned int count = index_nodes(at->view.leaf_count, level);

		end = first + INDEX_FANOUT < count ? first + INDEX_FANOUT : count;
		while (first + 1 < end && nodes[first].end_ns <= time_ns)
			first++;
		first <<= INDEX_FANOUT_SHIFT;
	}
	end = less(first + INDEX_FANOUT, at->view.leaf_count);
	while (first + 1 < end && at->view.leaves[first].end_ns <= time_ns)
		first++;
	at->leaf = first;
}

static void step(struct walk *walk, unsigned int leaves)
{
	walk->at.leaf += leaves;
	if (walk->at.leaf >= walk->at.view.leaf_count)
		use_chunk(walk, walk->at.chunk + 1);
}

/* ---- Adding ---- */

/* By pid, or by task where that is not the same. */
static int add_task(struct walk *walk, uint32_t pid, uint64_t time_ns, uint64_t ns)
{
	struct index_pid *entry;

	if (!ns)
		return 0;
	if (walk->index->tasks.reused)
		pid = evtlog_index_task_at(walk->index, pid, time_ns);
	entry = index_pids_get(&walk->index->sums, pid);
	if (!entry)
		return -ENOMEM;
	entry->ns += ns;
	return 0;
}

/* The task with @pid ran from @from_ns to @to_ns, or several did, one after the other. */
static int add_run(struct walk *walk, uint32_t pid, uint64_t from_ns, uint64_t to_ns)
{
	int error = 0;

	while (walk->index->tasks.reused && from_ns < to_ns && !error) {
		uint64_t until_ns = less(to_ns, index_next_life(walk->index, pid, from_ns));

		error = add_task(walk, pid, from_ns, until_ns - from_ns);
		from_ns = until_ns;
	}
	return error ? error : add_task(walk, pid, from_ns, span(from_ns, to_ns));
}

/* @ns of @all, in parts of 1 << PART_SHIFT. */
static uint64_t part_of(uint64_t ns, uint64_t all)
{
	if (ns >= all)
		return UINT64_C(1) << PART_SHIFT;
	if (ns < UINT64_C(1) << (64 - PART_SHIFT))
		return (ns << PART_SHIFT) / all;
	return ((u128)ns << PART_SHIFT) / all;
}

/* How many of a node's tasks count: of many nodes in a bin those say enough that had most. */
static int tasks_of(const struct walk *walk, uint64_t node_ns)
{
	return !walk->refine && node_ns <= walk->width_ns / 4 ? INDEX_NODE_TASKS / 2 :
	       INDEX_NODE_TASKS;
}

/* Of a node that begins at @begin_ns what is from @from_ns to @to_ns. */
static int add_cut(struct walk *walk, const struct index_node *node, uint64_t begin_ns,
		   uint64_t from_ns, uint64_t to_ns)
{
	uint64_t ns = span(from_ns, to_ns), idle = ns;
	uint64_t part = part_of(ns, span(begin_ns, node->end_ns));
	struct sum *sum = &walk->sum;
	int error = 0, tasks = tasks_of(walk, span(begin_ns, node->end_ns));

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
		error = add_task(walk, node->pid[i], begin_ns,
				 less((u128)node->pid_ns[i] * part >> PART_SHIFT, ns));
	return error;
}

static int add_node(struct walk *walk, const struct index_node *node, uint64_t begin_ns)
{
	struct sum *sum = &walk->sum;
	uint64_t all = span(begin_ns, node->end_ns), idle = all;
	int error = 0, tasks = tasks_of(walk, all);

	for (int i = 0; i < INDEX_STATES - 1; i++) {
		uint64_t ns = less(node->ns[i], idle);

		idle -= ns;
		sum->ns[i + 1] += ns;
	}
	sum->ns[INDEX_IDLE] += idle;
	sum->known_ns += all;
	sum->kinds |= node->kinds;
	for (int i = 0; i < tasks && !error; i++)
		error = add_task(walk, node->pid[i], node->end_ns - 1,
				 less(node->pid_ns[i], all));
	return error;
}

/* The part of a leaf from @from_ns to @to_ns, which may be all. */
static int add_leaf(struct walk *walk, uint64_t from_ns, uint64_t to_ns)
{
	const struct index_leaf *leaf = &walk->at.view.leaves[walk->at.leaf];
	uint64_t begin_ns = index_leaf_begin(&walk->at.view, walk->at.leaf);
	uint64_t all = span(begin_ns, leaf->end_ns), ns = span(from_ns, to_ns);
	unsigned int alike = leaf->kinds >> INDEX_ALIKE_SHIFT;
	struct sum *sum = &walk->sum;
	uint64_t idle = ns, part;
	int error = 0;

	if (!alike || from_ns <= begin_ns)
		sum->kinds |= leaf->kinds & INDEX_KINDS_MASK;
	sum->known_ns += ns;
	if (alike && alike <= INDEX_STATES) {
		sum->ns[alike - 1] += ns;
		return alike - 1 == INDEX_TASK ?
		       add_run(walk, leaf->pid[0], from_ns, to_ns) : 0;
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
		error = add_task(walk, leaf->pid[i], leaf->end_ns - 1,
				 leaf->pid_ns[i] * part >> PART_SHIFT);
	return error;
}

/* The first mark at or behind @time_ns. */
static size_t find_mark(const struct index_piece *piece, uint64_t time_ns)
{
	size_t low = 0, high = piece->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (piece->marks[middle].time_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int add_marks(struct walk *walk, const struct index_piece *piece,
		     uint64_t from_ns, uint64_t to_ns)
{
	size_t i = find_mark(piece, from_ns);
	struct sum *sum = &walk->sum;

	/* What began before goes on. */
	if (i && (i == piece->count || piece->marks[i].time_ns > from_ns))
		i--;
	for (; i < piece->count && piece->marks[i].time_ns < to_ns; i++) {
		const struct index_mark *mark = &piece->marks[i];
		uint64_t end_ns = i + 1 < piece->count ? mark[1].time_ns : piece->end_ns;
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
		error = add_run(walk, mark->pid, begin_ns, begin_ns + ns);
		if (error)
			return error;
	}
	return 0;
}

static int add_exact(struct walk *walk, uint64_t from_ns, uint64_t to_ns)
{
	const struct index_piece *piece;
	int error = index_piece_at(walk->index->pieces, walk->slot, from_ns, &piece);

	while (!error && piece && piece->begin_ns < to_ns) {
		error = add_marks(walk, piece, from_ns, to_ns);
		if (!error)
			error = index_piece_next(walk->index->pieces, walk->slot, piece,
						 &piece);
	}
	return error;
}

/* ---- Bins ---- */

/* The largest node that begins with the leaf at hand and ends by @to_ns; 0: none. */
static unsigned int fitting(const struct walk *walk, uint64_t to_ns,
			    const struct index_node **node)
{
	unsigned int level = 0, leaf = walk->at.leaf;

	while (level < INDEX_LEVELS &&
	       !(leaf & ((1u << (INDEX_FANOUT_SHIFT * (level + 1))) - 1))) {
		const struct index_node *next = &walk->at.view.nodes[level]
			[leaf >> (INDEX_FANOUT_SHIFT * (level + 1))];

		if (next->end_ns > to_ns)
			break;
		*node = next;
		level++;
	}
	return level;
}

/* Whether a bin up to @to_ns has so few leaves that it is read as a whole. */
static bool is_small(const struct walk *walk, uint64_t to_ns)
{
	struct walk ahead = *walk;

	for (unsigned int i = 0; i < EXACT_LEAVES; i++) {
		if (!ahead.at.valid || index_leaf_begin(&ahead.at.view, ahead.at.leaf) >= to_ns)
			return true;
		step(&ahead, 1);
	}
	return false;
}

/*
 * The node with the leaf at hand that is small enough for a bin of @width_ns to be cut
 * anywhere; its level, 0 if there is none.
 */
static unsigned int coarse(const struct walk *walk, uint64_t width_ns,
			   const struct index_node **node, uint64_t *begin_ns)
{
	const struct index_view *view = &walk->at.view;
	unsigned int found = 0;

	if (walk->refine)
		return 0;
	for (unsigned int level = 1; level <= INDEX_LEVELS; level++) {
		const struct index_node *nodes = view->nodes[level - 1];
		unsigned int i = walk->at.leaf >> (INDEX_FANOUT_SHIFT * level);
		uint64_t begin = i ? nodes[i - 1].end_ns : view->begin_ns;

		if (span(begin, nodes[i].end_ns) > width_ns / COARSE_PART)
			break;
		*node = &nodes[i];
		*begin_ns = begin;
		found = level;
	}
	return found;
}

/* To the first leaf behind the node of @level that has the leaf at hand. */
static void step_over(struct walk *walk, unsigned int level)
{
	unsigned int leaves = 1u << (INDEX_FANOUT_SHIFT * level);

	step(walk, leaves - (walk->at.leaf & (leaves - 1)));
}

static int add_bin(struct walk *walk, uint64_t from_ns, uint64_t to_ns)
{
	struct place *at = &walk->at;

	if (!at->valid)
		return 0;
	if (walk->refine && at->view.leaves[at->leaf].end_ns < to_ns &&
	    is_small(walk, to_ns)) {
		int error = add_exact(walk, more(from_ns, index_leaf_begin(&at->view,
									   at->leaf)),
				      to_ns);

		find(walk, to_ns);
		return error;
	}
	while (at->valid) {
		const struct index_leaf *leaf = &at->view.leaves[at->leaf];
		uint64_t begin_ns = index_leaf_begin(&at->view, at->leaf);
		const struct index_node *node = NULL;
		unsigned int level = 0;
		int error;

		if (begin_ns >= to_ns)
			break;
		if (begin_ns >= from_ns)
			level = fitting(walk, to_ns, &node);
		if (!level) {
			level = coarse(walk, to_ns - from_ns, &node, &begin_ns);
			if (level) {
				error = add_cut(walk, node, begin_ns,
						more(begin_ns, from_ns),
						less(node->end_ns, to_ns));
				if (error)
					return error;
				if (node->end_ns > to_ns)
					break;
				step_over(walk, level);
				continue;
			}
		}
		if (!level && begin_ns < from_ns && leaf->end_ns <= from_ns) {
			step(walk, 1);
			continue;
		}
		if (level) {
			error = add_node(walk, node, begin_ns);
			if (error)
				return error;
			step(walk, 1u << (INDEX_FANOUT_SHIFT * level));
			continue;
		}
		if (walk->refine && !(leaf->kinds >> INDEX_ALIKE_SHIFT) &&
		    (begin_ns < from_ns || leaf->end_ns > to_ns))
			error = add_exact(walk, more(begin_ns, from_ns),
					  less(leaf->end_ns, to_ns));
		else
			error = add_leaf(walk, more(begin_ns, from_ns),
					 less(leaf->end_ns, to_ns));
		if (error)
			return error;
		if (leaf->end_ns > to_ns)
			break;
		step(walk, 1);
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

/* Who @best is, that was summed up by pid. */
static uint32_t task_of(const struct walk *walk, const struct index_pid *best)
{
	struct memo *memo = &walk->memos[best->pid % MEMOS];

	if (walk->index->tasks.reused)
		return best->pid;
	if (memo->pid != best->pid) {
		memo->id = evtlog_index_task_at(walk->index, best->pid, 0);
		memo->pid = best->pid;
	}
	return memo->id;
}

static void give_bin(struct walk *walk, uint64_t width_ns, struct evtlog_bin *bin)
{
	const struct index_pids *sums = &walk->index->sums;
	const struct sum *sum = &walk->sum;
	const struct index_pid *best = NULL;

	for (uint32_t i = 0; i < sums->count; i++)
		if (!best || sums->at[i].ns > best->ns ||
		    (sums->at[i].ns == best->ns && sums->at[i].pid < best->pid))
			best = &sums->at[i];
	*bin = (struct evtlog_bin) {
		.task = best ? task_of(walk, best) : sum->known_ns > sum->ns[INDEX_LOST] ? 0 :
			EVTLOG_TASK_UNKNOWN,
		.task_share = index_share(best ? best->ns : 0, width_ns),
		.busy = index_share(sum->ns[INDEX_TASK] + sum->ns[INDEX_SOFTIRQ] +
			      sum->ns[INDEX_IRQ], width_ns),
		.irq = index_share(sum->ns[INDEX_IRQ], width_ns),
		.softirq = index_share(sum->ns[INDEX_SOFTIRQ], width_ns),
		.lost = index_share(sum->ns[INDEX_LOST], width_ns),
		.kinds = sum->kinds,
	};
	if (sum->spread_ns > width_ns / APPROXIMATE_PART)
		bin->flags |= EVTLOG_BIN_APPROXIMATE;
	if (sum->known_ns < width_ns)
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
	struct walk walk = {
		.index = index,
		.slot = slot,
		.refine = refine,
		.memos = memos,
	};

	if (slot >= index->cpu_count || !index_ascending(edges, count))
		return -EINVAL;
	walk.lane = &index->lanes[slot];
	if (count)
		find(&walk, edges[0]);
	for (size_t i = 0; i < count; i++) {
		uint64_t from_ns = edges[i], to_ns = edges[i + 1];
		int error;

		memset(&walk.sum, 0, sizeof(walk.sum));
		index_pids_clear(&index->sums);
		walk.width_ns = to_ns - from_ns;
		error = add_bin(&walk, from_ns, to_ns);
		if (error)
			return error;
		give_bin(&walk, to_ns - from_ns, &bins[i]);
	}
	return 0;
}

uint64_t evtlog_index_count(const struct evtlog_index *index, unsigned int slot,
			    uint64_t from_ns, uint64_t to_ns)
{
	struct walk walk = { .index = (struct evtlog_index *)index, .slot = slot };
	uint64_t count = 0;

	if (slot >= index->cpu_count || from_ns >= to_ns)
		return 0;
	walk.lane = &index->lanes[slot];
	find(&walk, from_ns);
	while (walk.at.valid) {
		const struct index_node *node = NULL;
		unsigned int level;

		if (index_leaf_begin(&walk.at.view, walk.at.leaf) >= to_ns)
			break;
		level = fitting(&walk, to_ns, &node);
		count += level ? node->events : walk.at.view.leaves[walk.at.leaf].events;
		step(&walk, 1u << (INDEX_FANOUT_SHIFT * level));
	}
	return count;
}
