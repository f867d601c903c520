// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads which tasks are switched to from which, from all of a log or from parts of it.
 *
 * How much is read is bounded, and which parts are depends on nothing but the log.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include <evtlog/evtlog.h>

#include "lib/base/array.h"
#include "task-neighbours.h"

/* Parts that are read of a log that is too large; of more CPUs one part of each. */
#define PARTS		64u
/* The least of a part: CPUs may be so many that all of them take more. */
#define PART_EVENTS	128u

static bool is_coloured(const struct evtlog_index *index, uint32_t id)
{
	const struct evtlog_index_task *task = evtlog_index_task(index, id);

	return id && task && !task->logger;
}

static int add(struct task_neighbours *neighbours, uint32_t task, uint32_t other)
{
	if (array_reserve(&neighbours->list, &neighbours->capacity, neighbours->count,
			  sizeof(*neighbours->list)))
		return -ENOMEM;
	neighbours->list[neighbours->count++] = (struct task_neighbour) { task, other, 1 };
	return 0;
}

static int take(const struct evtlog_index *index, const struct evtlog_event *event,
		struct task_neighbours *neighbours)
{
	uint32_t left, next;
	int error;

	if (event->kind != EVTLOG_EVENT_RECORD || event->known != EVTLOG_SCHED_SWITCH ||
	    event->pid == EVTLOG_PID_UNKNOWN)
		return 0;
	left = evtlog_index_task_at(index, event->pid, event->time_ns);
	next = evtlog_index_task_at(index, evtlog_record_pid(event->words), event->time_ns);
	if (left == next || !is_coloured(index, left) || !is_coloured(index, next))
		return 0;
	error = add(neighbours, left, next);
	return error ? error : add(neighbours, next, left);
}

/* At most @events of a CPU, from the buffer at @from_ns on. */
static int read_part(struct evtlog_index *index, struct evtlog_stream *stream,
		     uint64_t from_ns, uint64_t events, struct task_neighbours *neighbours)
{
	const struct evtlog_event *event;
	int error = evtlog_stream_seek(stream, from_ns);

	while (!error && events-- && evtlog_stream_next(stream, &event) > 0)
		error = take(index, event, neighbours);
	return error == -ENOMEM ? error : 0;
}

static int read_cpu(struct evtlog_index *index, unsigned int slot, unsigned int parts,
		    uint64_t events, struct task_neighbours *neighbours)
{
	const struct evtlog_index_cpu *cpu = evtlog_index_cpu(index, slot);
	uint64_t span_ns = cpu->end_ns > cpu->begin_ns ? cpu->end_ns - cpu->begin_ns : 0;
	struct evtlog_stream *stream;
	int error = evtlog_stream_new(evtlog_index_file(index), slot, &stream);

	if (error)
		return error;
	for (unsigned int i = 0; i < parts && !error; i++)
		error = read_part(index, stream, cpu->begin_ns +
				  (uint64_t)((unsigned __int128)span_ns * i / parts),
				  events, neighbours);
	evtlog_stream_free(stream);
	return error;
}

static int compare(const void *x, const void *y)
{
	const struct task_neighbour *a = x, *b = y;

	if (a->task != b->task)
		return a->task < b->task ? -1 : 1;
	return a->other < b->other ? -1 : a->other > b->other;
}

/* Of those that are alike one is left, with their count. */
static void join_alike(struct task_neighbours *neighbours)
{
	struct task_neighbour *list = neighbours->list;
	size_t kept = 0;

	if (!neighbours->count)
		return;
	qsort(list, neighbours->count, sizeof(*list), compare);
	for (size_t i = 1; i < neighbours->count; i++)
		if (compare(&list[kept], &list[i]))
			list[++kept] = list[i];
		else
			list[kept].count += list[i].count;
	neighbours->count = kept + 1;
}

int task_neighbours_read(struct evtlog_index *index, struct task_neighbours *neighbours)
{
	uint64_t all = 0, events = UINT64_MAX;
	unsigned int cpus = 0, parts = 1;
	int error = 0;

	*neighbours = (struct task_neighbours) { 0 };
	for (; evtlog_index_cpu(index, cpus); cpus++)
		all += evtlog_index_cpu(index, cpus)->events;
	if (all > TASK_NEIGHBOURS_EVENTS) {
		parts = cpus < PARTS ? PARTS / cpus : 1;
		events = TASK_NEIGHBOURS_EVENTS / parts / cpus;
		if (events < PART_EVENTS)
			events = PART_EVENTS;
	}
	for (unsigned int slot = 0; slot < cpus && !error; slot++)
		error = read_cpu(index, slot, parts, events, neighbours);
	join_alike(neighbours);
	return error;
}
