// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chooses the colours of a host's tasks with a greedy algorithm.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/evtlog.h>
#include <evtlog/index.h>

#include "draw/canvas.h"
#include "lib/base/array.h"
#include "session.h"

/* ---- Neighbours: pairs of tasks that run one after the other on a CPU, with counts ---- */

/* The number of events read is limited.  Which events are read depends only on the log. */

/* If a log has more events, parts of it are read that are spread evenly over the run. */
#define TASK_NEIGHBOURS_EVENTS	65536u

/* Each pair is stored twice, once for each of the two tasks. */
struct task_neighbour {
	uint32_t task;
	uint32_t other;
	uint64_t count;
};

/* @list: sorted by task, then by other */
struct task_neighbours {
	struct task_neighbour *list;
	size_t count;
	size_t capacity;
};

/* Number of parts read of a large log, over all CPUs; at least one of each CPU. */
#define PARTS		64u
/* Minimum of events in a part.  With many CPUs the total exceeds TASK_NEIGHBOURS_EVENTS. */
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

/* Reads at most @events of a CPU, from the buffer at @from_ns on. */
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

/* Merges equal pairs and adds their counts. */
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

/* Reads the neighbours on all CPUs of the log.  0 or -ENOMEM. */
static int task_neighbours_read(struct evtlog_index *index, struct task_neighbours *neighbours)
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

/* ---- Colours ---- */

/* Marks a task without a colour. */
#define NONE		UINT8_MAX
/* Cost of a neighbour's own colour, relative to the other shade of that colour. */
#define SAME_WORSE	4

static const uint8_t sizes[] = { VIEW_PALETTE_SIZES };

#define PALETTES	(sizeof(sizes) / sizeof(*sizes))

struct ranked {
	uint32_t id;
	uint64_t run_ns;
};

/*
 * @order: tasks by CPU time, largest first
 * @first: by task id, where its neighbours begin; has one element more than there are tasks
 * @tasks: number of tasks in @order, without idle and logger
 */
struct choosing {
	const struct evtlog_index *index;
	struct task_neighbours neighbours;
	struct ranked *order;
	size_t *first;
	size_t tasks;
};

static unsigned int of_pid(uint32_t pid, unsigned int colours)
{
	return (uint64_t)pid * VIEW_PALETTE_STEP % colours;
}

static int by_time(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;

	if (a->run_ns != b->run_ns)
		return a->run_ns < b->run_ns ? 1 : -1;
	return a->id < b->id ? -1 : 1;
}

/* The colour with the lowest cost; of equal ones the first, counted from the pid's colour. */
static unsigned int choose(const struct choosing *choosing, const uint8_t *chosen, uint32_t id,
			   unsigned int colours, const bool *refused)
{
	unsigned int start = of_pid(evtlog_index_task(choosing->index, id)->pid, colours);
	uint64_t costs[UINT8_MAX] = { 0 };
	int best = -1;

	for (size_t i = choosing->first[id]; i < choosing->first[id + 1]; i++) {
		const struct task_neighbour *neighbour = &choosing->neighbours.list[i];
		uint8_t theirs = chosen[neighbour->other];

		if (theirs == NONE)
			continue;
		costs[theirs] += SAME_WORSE * neighbour->count;
		/* Darker shades are the second half of a palette. */
		costs[(theirs + colours / 2) % colours] += neighbour->count;
	}
	for (unsigned int i = 0; i < colours; i++) {
		unsigned int colour = (start + i) % colours;

		if (!refused[colour] && (best < 0 || costs[colour] < costs[best]))
			best = colour;
	}
	return best;
}

static void choose_all(const struct choosing *choosing, unsigned int colours, uint8_t *chosen,
		       size_t ids)
{
	bool taken[UINT8_MAX] = { false };

	memset(chosen, NONE, ids);
	for (size_t i = 0; i < choosing->tasks; i++) {
		uint32_t id = choosing->order[i].id;

		if (i == colours)
			memset(taken, 0, sizeof(taken));
		chosen[id] = choose(choosing, chosen, id, colours, taken);
		if (i < colours)
			taken[chosen[id]] = true;
	}
}

static int prepare(struct choosing *choosing, struct evtlog_index *index)
{
	size_t ids = evtlog_index_task_count(index);
	int error = task_neighbours_read(index, &choosing->neighbours);

	choosing->index = index;
	choosing->order = calloc(ids + 1, sizeof(*choosing->order));
	choosing->first = calloc(ids + 2, sizeof(*choosing->first));
	if (error || !choosing->order || !choosing->first)
		return -ENOMEM;
	/* Loggers have a colour that is not in the palettes. */
	for (size_t id = 1; id < ids; id++)
		if (!evtlog_index_task(index, id)->logger)
			choosing->order[choosing->tasks++] = (struct ranked) {
				id, evtlog_index_task(index, id)->run_ns,
			};
	qsort(choosing->order, choosing->tasks, sizeof(*choosing->order), by_time);
	for (size_t id = 0, at = 0; id <= ids; id++) {
		while (at < choosing->neighbours.count &&
		       choosing->neighbours.list[at].task < id)
			at++;
		choosing->first[id] = at;
	}
	return 0;
}

/* By palette, then by task id; NULL if there is no memory. */
static uint8_t *colours_of(struct evtlog_index *index)
{
	size_t ids = evtlog_index_task_count(index);
	struct choosing choosing = { 0 };
	uint8_t *colours = NULL;

	if (!prepare(&choosing, index))
		colours = reallocarray(NULL, ids + 1, PALETTES);
	for (size_t i = 0; colours && i < PALETTES; i++)
		choose_all(&choosing, sizes[i], colours + i * ids, ids);
	free(choosing.neighbours.list);
	free(choosing.order);
	free(choosing.first);
	return colours;
}

unsigned int task_colour(struct session *session, uint32_t number, unsigned int palette,
			 uint32_t id)
{
	struct session_host *host = &session->hosts[number];
	size_t ids = evtlog_index_task_count(host->index);
	unsigned int colour = NONE;

	if (!id || id >= ids)
		return 0;
	pthread_mutex_lock(&host->lock);
	if (!host->colours)
		host->colours = colours_of(host->index);
	if (host->colours)
		colour = host->colours[palette * ids + id];
	pthread_mutex_unlock(&host->lock);
	if (colour != NONE)
		return colour;
	return of_pid(evtlog_index_task(host->index, id)->pid, sizes[palette]);
}

void task_colours_json(struct json *json, struct session *session, uint32_t host, uint32_t id)
{
	json_array(json, "colours");
	for (unsigned int i = 0; i < PALETTES; i++)
		json_u64(json, NULL, task_colour(session, host, i, id));
	json_end(json);
}

void task_colours_free(struct session_host *host)
{
	free(host->colours);
}
