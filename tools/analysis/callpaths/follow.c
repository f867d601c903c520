// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Charges the time of a task: to the innermost path while it runs, to waits while it does not.
 */
#include "analysis/callpaths/follow.h"

static bool is_in_span(const struct callpath_span *span, int64_t time_ns)
{
	return time_ns >= span->from_ns && time_ns < span->to_ns;
}

struct callpath *follow_top(struct followed *task)
{
	return &task->public.tree.at[task->frames[task->depth - 1].path];
}

int follow_push(struct followed *task, unsigned int class, unsigned int number, int64_t time_ns)
{
	uint32_t parent = task->depth ? task->frames[task->depth - 1].path : CALLPATH_ROOT;
	int64_t path;

	if (task->depth == FOLLOW_DEPTH_MAX) {
		task->skipped++;
		return 0;
	}
	path = callpath_tree_find(&task->public.tree, parent, class, number);
	if (path < 0)
		return path;
	task->frames[task->depth++] = (struct frame) { path, time_ns, 0 };
	return 0;
}

void follow_pop(const struct callpath_span *span, struct followed *task, int64_t time_ns,
		bool counted)
{
	struct callpath *path = follow_top(task);
	const struct frame *frame = &task->frames[--task->depth];
	uint64_t ns = follow_within(span, frame->since_ns, time_ns);
	uint64_t waited_ns = callpath_is_wait(path) ? ns : frame->waited_ns;

	task->skipped = 0;
	path->inclusive += ns;
	if (task->depth)
		task->frames[task->depth - 1].waited_ns += waited_ns;
	if (!counted || !is_in_span(span, time_ns))
		return;
	path->count++;
	if (ns > path->largest)
		path->largest = ns;
	if (ns - waited_ns > path->largest_running)
		path->largest_running = ns - waited_ns;
}

void follow_pop_to(const struct callpath_span *span, struct followed *task, unsigned int depth,
		   int64_t time_ns, bool counted)
{
	while (task->depth > depth)
		follow_pop(span, task, time_ns, counted);
}

int follow_unknown(struct followed *task, int64_t time_ns)
{
	task->unknown_ns = 0;
	if (task->public.tree.at[0].number != CALLPATH_USER)
		return 0;
	return follow_push(task, CALLPATH_STATE, CALLPATH_UNKNOWN, time_ns);
}

void follow_lose(const struct callpath_span *span, struct followed *task)
{
	follow_pop_to(span, task, 0, task->public.last_ns, false);
	task->forked_ns = FOLLOW_NEVER;
}

int follow_resume(struct followed *task, int64_t time_ns)
{
	if (task->depth)
		return 0;
	task->frames[task->depth++] = (struct frame) { 0, time_ns, 0 };
	return follow_unknown(task, time_ns);
}

bool follow_is_unknown(struct followed *task)
{
	const struct callpath *path = follow_top(task);

	return path->class == CALLPATH_STATE && path->number == CALLPATH_UNKNOWN;
}

void follow_charge(const struct callpath_span *span, struct followed *task, int64_t from_ns,
		   int64_t to_ns)
{
	uint64_t ns = follow_within(span, from_ns, to_ns);

	follow_top(task)->exclusive += ns;
	if (follow_is_unknown(task))
		task->unknown_ns += ns;
	if (to_ns > task->public.last_ns)
		task->public.last_ns = to_ns;
}

int follow_wait(const struct callpath_span *span, struct followed *task,
		enum callpath_state state, int64_t from_ns, int64_t to_ns, bool ended)
{
	int error;

	if (to_ns < from_ns || !task->depth || task->depth == FOLLOW_DEPTH_MAX)
		return 0;
	error = follow_push(task, CALLPATH_STATE, state, from_ns);
	if (error)
		return error;
	follow_charge(span, task, from_ns, to_ns);
	follow_pop(span, task, to_ns, ended);
	return 0;
}
