// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Sums of tasks whose pid was another's before, or became another's.
 *
 * Stage: the last of building an index.  CPUs are read on their own, so that their sums
 * are by pid; which task that was can be told once all forks are known.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "index.h"

static bool is_reused(const struct index_tasks *tasks, uint32_t id)
{
	const struct index_life *life = &tasks->lives[id];

	return (id && life[-1].pid == life->pid) ||
	       (id + 1 < tasks->life_count && life[1].pid == life->pid);
}

static void add(struct evtlog_index_task *task, uint64_t ns, uint64_t switches,
		uint64_t from_ns, uint64_t until_ns)
{
	task->run_ns += ns;
	task->switches += switches;
	if (!ns)
		return;
	if (from_ns < task->first_ns)
		task->first_ns = from_ns;
	if (until_ns > task->last_ns)
		task->last_ns = until_ns;
}

/* The task with @pid ran from @from_ns to @until_ns, or several did. */
static void add_run(struct evtlog_index *index, uint32_t pid, uint64_t from_ns,
		    uint64_t until_ns)
{
	while (from_ns < until_ns) {
		uint32_t id = evtlog_index_task_at(index, pid, from_ns);
		uint64_t next_ns = index_next_life(index, pid, from_ns);

		if (next_ns > until_ns)
			next_ns = until_ns;
		add(&index->tasks.tasks[id], next_ns - from_ns, 0, from_ns, next_ns);
		from_ns = next_ns;
	}
}

/* The pid has changed hands from @from_ns to @until_ns: the log tells when. */
static int add_exact(struct evtlog_index *index, unsigned int slot, uint32_t pid,
		     uint64_t from_ns, uint64_t until_ns)
{
	const struct index_piece *piece;
	int error = index_piece_at(index->pieces, slot, from_ns, &piece);

	while (!error && piece && piece->begin_ns < until_ns) {
		for (size_t i = 0; i < piece->count; i++) {
			const struct index_mark *mark = &piece->marks[i];
			uint64_t end = i + 1 < piece->count ? mark[1].time_ns :
				       piece->end_ns;
			uint64_t begin = mark->time_ns > from_ns ? mark->time_ns : from_ns;
			uint32_t id;

			if (end > until_ns)
				end = until_ns;
			if (mark->state == INDEX_TASK && mark->pid == pid && end > begin)
				add_run(index, pid, begin, end);
			if (mark->kind != EVTLOG_KIND_SWITCH || mark->about != pid ||
			    mark->time_ns < from_ns || mark->time_ns >= until_ns)
				continue;
			id = evtlog_index_task_at(index, pid, mark->time_ns);
			add(&index->tasks.tasks[id], 0, 1, 0, 0);
		}
		error = index_piece_next(index->pieces, slot, piece, &piece);
	}
	return error;
}

static int add_group(struct evtlog_index *index, unsigned int slot,
		     const struct index_view *view, unsigned int group)
{
	uint64_t begin_ns, end_ns;
	struct index_reader reader;
	struct index_entry entry;

	index_group_span(view, group, &begin_ns, &end_ns);
	index_read_roster(&reader, view, group);
	while (index_next_entry(&reader, &entry)) {
		uint32_t id = evtlog_index_task_at(index, entry.pid, begin_ns);
		uint32_t last = evtlog_index_task_at(index, entry.pid,
						     end_ns ? end_ns - 1 : 0);
		int error;

		if (id >= index->tasks.count || !is_reused(&index->tasks, id))
			continue;
		if (id == last) {
			add(&index->tasks.tasks[id], entry.ns, entry.switches, begin_ns,
			    end_ns);
			continue;
		}
		error = add_exact(index, slot, entry.pid, begin_ns, end_ns);
		if (error)
			return error;
	}
	return 0;
}

int index_tell_apart(struct evtlog_index *index, bool *changed)
{
	struct index_tasks *tasks = &index->tasks;

	*changed = false;
	for (uint32_t id = 1; id < tasks->count; id++) {
		struct evtlog_index_task *task = &tasks->tasks[id];

		if (!is_reused(tasks, id))
			continue;
		*changed = true;
		task->run_ns = 0;
		task->switches = 0;
		task->first_ns = UINT64_MAX;
		task->last_ns = 0;
	}
	if (!*changed)
		return 0;
	for (unsigned int slot = 0; slot < index->cpu_count; slot++)
		for (size_t i = 0; i < index->lanes[slot].chunk_count; i++) {
			struct index_view view;

			index_view(index, &index->lanes[slot].chunks[i], &view);
			for (unsigned int g = 0; g < index_groups(view.leaf_count); g++) {
				int error = add_group(index, slot, &view, g);

				if (error)
					return error;
			}
		}
	return 0;
}
