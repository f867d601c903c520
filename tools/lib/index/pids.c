// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Sums by pid, in a table that is cleared often.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lib/base/array.h"

#define PIDS_FIRST	64

int index_pids_init(struct index_pids *pids)
{
	memset(pids, 0, sizeof(*pids));
	return array_reserve_more(&pids->at, &pids->capacity, 0, PIDS_FIRST, sizeof(*pids->at));
}

void index_pids_free(struct index_pids *pids)
{
	free(pids->at);
	key_table_free(&pids->table);
	memset(pids, 0, sizeof(*pids));
}

void index_pids_clear(struct index_pids *pids)
{
	pids->count = 0;
	key_table_clear(&pids->table);
}

struct index_pid *index_pids_get(struct index_pids *pids, uint32_t pid)
{
	uint32_t number = key_table_find(&pids->table, pid);

	if (number != KEY_NONE)
		return &pids->at[number];
	if (array_reserve(&pids->at, &pids->capacity, pids->count, sizeof(*pids->at)) ||
	    key_table_add(&pids->table, pid, pids->count))
		return NULL;
	pids->at[pids->count] = (struct index_pid) { .pid = pid, .first_ns = UINT64_MAX };
	return &pids->at[pids->count++];
}

static int compare_pids(const void *x, const void *y)
{
	const struct index_pid *a = x, *b = y;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

void index_pids_sort(struct index_pids *pids)
{
	qsort(pids->at, pids->count, sizeof(*pids->at), compare_pids);
}

int index_pids_merge(struct index_pids *to, const struct index_pids *from)
{
	for (uint32_t i = 0; i < from->count; i++) {
		const struct index_pid *a = &from->at[i];
		struct index_pid *b = index_pids_get(to, a->pid);

		if (!b)
			return -ENOMEM;
		b->ns += a->ns;
		b->switches += a->switches;
		b->kinds |= a->kinds;
		if (a->first_ns < b->first_ns)
			b->first_ns = a->first_ns;
		if (a->last_ns > b->last_ns)
			b->last_ns = a->last_ns;
	}
	return 0;
}

/*
 * ---- Sums of tasks that share a pid with an earlier or later task ----
 *
 * Stage: last step of building an index.  CPUs are read separately, so their sums are by pid.  They
 * are divided among tasks once all forks are known.
 */

/* Larger pids do not exist; in a damaged log, their tasks are not separated. */
#define PIDS		(UINT32_C(1) << EVTLOG_PID_BITS)

static bool is_reused(const struct index_tasks *tasks, uint32_t id)
{
	const struct index_lifetime *lifetime = &tasks->lifetimes[id];

	return (id && lifetime[-1].pid == lifetime->pid) ||
	       (id + 1 < tasks->lifetime_count && lifetime[1].pid == lifetime->pid);
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

/* The task with @pid ran from @from_ns to @until_ns, or several tasks with this pid did. */
static void add_run(struct evtlog_index *index, uint32_t pid, uint64_t from_ns,
		    uint64_t until_ns)
{
	while (from_ns < until_ns) {
		uint32_t id = evtlog_index_task_at(index, pid, from_ns);
		uint64_t next_ns = index_next_lifetime(index, pid, from_ns);

		if (next_ns > until_ns)
			next_ns = until_ns;
		add(&index->tasks.tasks[id], next_ns - from_ns, 0, from_ns, next_ns);
		from_ns = next_ns;
	}
}

/*
 * Pids that changed to another task within a group.
 * @shared:	by pid
 * @pids:	list of the pids with @shared true
 */
struct reuse {
	bool *shared;
	uint32_t *pids;
	size_t count;
	size_t capacity;
};

static bool is_shared(const struct reuse *reuse, uint32_t pid)
{
	return pid < PIDS && reuse->shared[pid];
}

static int share(struct reuse *reuse, uint32_t pid)
{
	if (reuse->shared[pid])
		return 0;
	if (array_reserve(&reuse->pids, &reuse->capacity, reuse->count, sizeof(pid)))
		return -ENOMEM;
	reuse->pids[reuse->count++] = pid;
	reuse->shared[pid] = true;
	return 0;
}

static void share_no_more(struct reuse *reuse)
{
	while (reuse->count)
		reuse->shared[reuse->pids[--reuse->count]] = false;
}

/* Reads from the log when the shared pids ran from @from_ns to @until_ns. */
static int add_exact(struct evtlog_index *index, unsigned int slot,
		     const struct reuse *reuse, uint64_t from_ns, uint64_t until_ns)
{
	const struct index_buffer *buffer;
	int error = index_buffer_at(index->cache, slot, from_ns, &buffer);

	while (!error && buffer && buffer->begin_ns < until_ns) {
		for (size_t i = 0; i < buffer->count; i++) {
			const struct index_mark *mark = &buffer->marks[i];
			uint64_t end = i + 1 < buffer->count ? mark[1].time_ns :
				       buffer->end_ns;
			uint64_t begin = mark->time_ns > from_ns ? mark->time_ns : from_ns;
			uint32_t id;

			if (end > until_ns)
				end = until_ns;
			if (mark->state == INDEX_TASK && end > begin &&
			    is_shared(reuse, mark->pid))
				add_run(index, mark->pid, begin, end);
			if (mark->kind != EVTLOG_KIND_SWITCH || mark->time_ns < from_ns ||
			    mark->time_ns >= until_ns || !is_shared(reuse, mark->about))
				continue;
			id = evtlog_index_task_at(index, mark->about, mark->time_ns);
			add(&index->tasks.tasks[id], 0, 1, 0, 0);
		}
		error = index_buffer_next(index->cache, slot, buffer, &buffer);
	}
	return error;
}

static int add_group(struct evtlog_index *index, unsigned int slot,
		     const struct index_view *view, unsigned int group, struct reuse *reuse)
{
	uint64_t begin_ns, end_ns;
	struct index_reader reader;
	struct index_entry entry;
	int error = 0;

	index_group_span(view, group, &begin_ns, &end_ns);
	index_read_roster(&reader, view, group);
	while (!error && index_next_entry(&reader, &entry)) {
		uint32_t id = evtlog_index_task_at(index, entry.pid, begin_ns);
		uint32_t last = evtlog_index_task_at(index, entry.pid,
						     end_ns ? end_ns - 1 : 0);

		if (id >= index->tasks.count || !is_reused(&index->tasks, id))
			continue;
		if (id == last || entry.pid >= PIDS)
			add(&index->tasks.tasks[id], entry.ns, entry.switches, begin_ns,
			    end_ns);
		else
			error = share(reuse, entry.pid);
	}
	/* One pass for all pids: there can be thousands. */
	if (!error && reuse->count)
		error = add_exact(index, slot, reuse, begin_ns, end_ns);
	share_no_more(reuse);
	return error;
}

static int add_groups(struct evtlog_index *index, struct reuse *reuse)
{
	for (unsigned int slot = 0; slot < index->cpu_count; slot++)
		for (size_t i = 0; i < index->lanes[slot].chunk_count; i++) {
			struct index_view view;

			index_view(index, &index->lanes[slot].chunks[i], &view);
			for (unsigned int g = 0; g < index_groups(view.leaf_count); g++) {
				int error = add_group(index, slot, &view, g, reuse);

				if (error)
					return error;
			}
		}
	return 0;
}

int index_sum_shared_pids(struct evtlog_index *index, bool *changed)
{
	struct index_tasks *tasks = &index->tasks;
	struct reuse reuse = { 0 };
	int error;

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
	reuse.shared = calloc(PIDS, sizeof(*reuse.shared));
	if (!reuse.shared)
		return -ENOMEM;
	error = add_groups(index, &reuse);
	free(reuse.shared);
	free(reuse.pids);
	return error;
}
