// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds the begin and end of a task's slices.
 *
 * Rosters show in which groups of leaves the task was switched in.  Only these groups are read from
 * the log, so results are exact.
 *
 * A slice is a stay on a CPU.  It begins with a switch to the task, or at the start of the CPU's
 * data or the end of a gap if the task runs there.  It ends with the next switch or gap.
 */
#include <errno.h>

#include "cursor.h"
#include "internal.h"

/* Search on one CPU for slices that begin in [@from_ns, @to_ns); shrinks to the found one. */
struct slicing {
	struct evtlog_index *index;
	uint32_t pid;
	unsigned int slot;
	uint64_t from_ns;
	uint64_t to_ns;
	bool after;
	bool found;
	uint64_t begin_ns;
};

/* Marks of a CPU in the order of time.  @prev is the mark in front of the current one. */
struct marks {
	struct index_buffer_cache *cache;
	unsigned int slot;
	const struct index_buffer *buffer;
	size_t at;
	struct index_mark prev;
	bool has_prev;
};

static int marks_start(struct marks *marks, struct evtlog_index *index, unsigned int slot,
		       uint64_t time_ns)
{
	*marks = (struct marks) { .cache = index->cache, .slot = slot };
	return index_buffer_at(marks->cache, slot, time_ns, &marks->buffer);
}

/* Returns 1, 0 at the end, or -errno. */
static int marks_next(struct marks *marks, struct index_mark *mark)
{
	while (marks->buffer) {
		int error;

		if (marks->at < marks->buffer->count) {
			if (marks->at) {
				marks->prev = marks->buffer->marks[marks->at - 1];
				marks->has_prev = true;
			}
			*mark = marks->buffer->marks[marks->at++];
			return 1;
		}
		if (marks->buffer->count) {
			marks->prev = marks->buffer->marks[marks->buffer->count - 1];
			marks->has_prev = true;
		}
		error = index_buffer_next(marks->cache, marks->slot, marks->buffer,
					  &marks->buffer);
		if (error)
			return error;
		marks->at = 0;
	}
	return 0;
}

static bool is_begin(const struct evtlog_index *index, const struct marks *marks,
		     const struct index_mark *mark, uint32_t pid)
{
	if (mark->kind == EVTLOG_KIND_SWITCH)
		return mark->about == pid;
	if (mark->state == INDEX_LOST || mark->pid != pid)
		return false;
	return marks->has_prev ? marks->prev.state == INDEX_LOST :
	       mark->time_ns == index->cpus[marks->slot].begin_ns;
}

/* ---- Groups ---- */

static bool is_lost(const struct index_leaf *leaf)
{
	return leaf->ns[INDEX_LOST - 1] || leaf->kinds >> INDEX_ALIKE_SHIFT == 1 + INDEX_LOST;
}

/* Returns true if the CPU lost events in a group, or in the leaf in front of it in the chunk. */
static bool has_loss(const struct index_view *view, unsigned int group)
{
	unsigned int first = group << INDEX_GROUP_SHIFT;
	unsigned int end = less(first + INDEX_GROUP_LEAVES, view->leaf_count);

	for (unsigned int i = first ? first - 1 : 0; i < end; i++)
		if (is_lost(&view->leaves[i]))
			return true;
	return false;
}

static bool has_switch(const struct index_view *view, unsigned int group)
{
	unsigned int first = group << INDEX_GROUP_SHIFT;
	unsigned int end = less(first + INDEX_GROUP_LEAVES, view->leaf_count);

	for (unsigned int i = first; i < end; i++)
		if (view->leaves[i].kinds & 1u << EVTLOG_KIND_SWITCH)
			return true;
	return false;
}

/* Returns true if a chunk begins with the run or with the end of a gap. */
static bool begins_anew(const struct slicing *slicing, size_t chunk)
{
	struct index_view view;

	if (!chunk)
		return true;
	index_view(slicing->index, &slicing->index->lanes[slicing->slot].chunks[chunk - 1],
		   &view);
	return view.leaf_count && is_lost(&view.leaves[view.leaf_count - 1]);
}

static bool may_begin(const struct slicing *slicing, const struct index_view *view,
		      unsigned int group)
{
	struct index_entry entry;

	if (has_loss(view, group))
		return true;
	return index_find_entry(view, group, slicing->pid, &entry) &&
	       entry.kinds & INDEX_ROSTER_SWITCH;
}

/* Reads the part of a group that can contain a slice. */
static int read_group(struct slicing *slicing, uint64_t begin_ns, uint64_t end_ns)
{
	uint64_t from = more(begin_ns, slicing->from_ns), to = less(end_ns, slicing->to_ns);
	struct index_mark mark;
	struct marks marks;
	int result;

	if (from >= to)
		return 0;
	result = marks_start(&marks, slicing->index, slicing->slot, from);
	while (!result && (result = marks_next(&marks, &mark)) > 0) {
		result = 0;
		if (mark.time_ns >= to)
			break;
		if (mark.time_ns < from ||
		    !is_begin(slicing->index, &marks, &mark, slicing->pid))
			continue;
		slicing->found = true;
		slicing->begin_ns = mark.time_ns;
		if (slicing->after)
			break;
	}
	return result;
}

/* Reads the groups of a chunk, forwards or backwards, until a slice is found. */
static int read_chunk(struct slicing *slicing, size_t number)
{
	const struct index_lane *lane = &slicing->index->lanes[slicing->slot];
	bool last = number + 1 == lane->chunk_count;
	struct index_view view;
	unsigned int groups;
	int error = 0;

	index_view(slicing->index, &lane->chunks[number], &view);
	groups = index_groups(view.leaf_count);
	for (unsigned int i = 0; i < groups && !slicing->found && !error; i++) {
		unsigned int group = slicing->after ? i : groups - 1 - i;
		uint64_t begin_ns, end_ns;

		index_group_span(&view, group, &begin_ns, &end_ns);
		/* The last group also has the events at its end. */
		if (last && group + 1 == groups && end_ns < UINT64_MAX)
			end_ns++;
		if (end_ns > slicing->from_ns && begin_ns < slicing->to_ns &&
		    (may_begin(slicing, &view, group) ||
		     (!group && begins_anew(slicing, number))))
			error = read_group(slicing, begin_ns, end_ns);
	}
	return error;
}

static int read_cpu(struct slicing *slicing)
{
	const struct index_lane *lane = &slicing->index->lanes[slicing->slot];
	int error = 0;

	slicing->found = false;
	for (size_t i = 0; i < lane->chunk_count && !slicing->found && !error; i++) {
		size_t number = slicing->after ? i : lane->chunk_count - 1 - i;
		const struct index_chunk *chunk = &lane->chunks[number];

		if (chunk->node.end_ns >= slicing->from_ns &&
		    chunk->begin_ns < slicing->to_ns)
			error = read_chunk(slicing, number);
	}
	return error;
}

/* ---- End of a slice ---- */

/* Start of the first group at or after @time_ns in which a slice can end, but at least @time_ns. */
static uint64_t may_end(const struct evtlog_index *index, unsigned int slot, uint64_t time_ns)
{
	const struct index_lane *lane = &index->lanes[slot];

	for (size_t i = 0; i < lane->chunk_count; i++) {
		const struct index_chunk *chunk = &lane->chunks[i];
		struct index_view view;

		if (chunk->node.end_ns < time_ns)
			continue;
		index_view(index, chunk, &view);
		for (unsigned int g = 0; g < index_groups(view.leaf_count); g++) {
			uint64_t begin_ns, end_ns;

			index_group_span(&view, g, &begin_ns, &end_ns);
			if (end_ns >= time_ns && (has_switch(&view, g) || has_loss(&view, g)))
				return more(begin_ns, time_ns);
		}
	}
	return UINT64_MAX;
}

/* Finds the end of the last slice that begins at @begin_ns. */
static int find_end(struct evtlog_index *index, uint32_t pid, struct evtlog_slice *slice)
{
	uint64_t from_ns = slice->begin_ns;
	bool begun = false;

	slice->end_ns = index->cpus[slice->slot].end_ns;
	for (;;) {
		struct index_mark mark;
		struct marks marks;
		int result = marks_start(&marks, index, slice->slot, from_ns);

		while (!result && (result = marks_next(&marks, &mark)) > 0) {
			result = 0;
			/* Skip groups without switches and losses. */
			if (begun && marks.buffer->begin_ns > from_ns)
				break;
			if (mark.time_ns < from_ns)
				continue;
			if (mark.time_ns == slice->begin_ns &&
			    is_begin(index, &marks, &mark, pid)) {
				begun = true;
				continue;
			}
			if (begun && (mark.kind == EVTLOG_KIND_SWITCH ||
				      mark.state == INDEX_LOST)) {
				slice->end_ns = mark.time_ns;
				return 0;
			}
		}
		if (result || !marks.buffer)
			return result;
		from_ns = may_end(index, slice->slot, marks.buffer->begin_ns);
		if (from_ns == UINT64_MAX)
			return 0;
	}
}

int evtlog_index_slice(struct evtlog_index *index, uint32_t id, const bool *slots,
		       uint64_t time_ns, bool after, struct evtlog_slice *slice)
{
	struct slicing slicing = { .index = index, .after = after };
	uint64_t from_ns, until_ns;
	bool found = false;
	int error = 0;

	if (!id || !index_lifetime_span(index, id, &from_ns, &until_ns))
		return -EINVAL;
	slicing.pid = index->tasks.tasks[id].pid;
	slicing.from_ns = after ? more(from_ns, time_ns) : from_ns;
	slicing.to_ns = after ? until_ns : less(until_ns, time_ns);
	for (slicing.slot = 0; slicing.slot < index->cpu_count; slicing.slot++) {
		if (slots && !slots[slicing.slot])
			continue;
		error = read_cpu(&slicing);
		if (error)
			return error;
		if (!slicing.found)
			continue;
		found = true;
		slice->slot = slicing.slot;
		slice->begin_ns = slicing.begin_ns;
		/* A slice on another CPU must be nearer. */
		if (after)
			slicing.to_ns = slicing.begin_ns;
		else
			slicing.from_ns = slicing.begin_ns + 1;
	}
	if (found)
		error = find_end(index, slicing.pid, slice);
	return error ? error : found;
}
