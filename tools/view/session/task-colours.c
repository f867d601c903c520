// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chooses the colours of a host's tasks, greedily.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "draw/colours.h"
#include "task-colours.h"
#include "task-neighbours.h"

/* Of a task that has none yet. */
#define NONE		UINT8_MAX
/* How much worse a neighbour's colour is than the other shade of it. */
#define SAME_WORSE	4

static const uint8_t sizes[] = { VIEW_PALETTE_SIZES };

#define PALETTES	(sizeof(sizes) / sizeof(*sizes))

struct ranked {
	uint32_t id;
	uint64_t run_ns;
};

/*
 * @order: tasks by CPU time, most first
 * @first: by id, where a task's neighbours begin; one more than there are tasks
 * @tasks: how many; idle and the logger are none of them
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

/* The one that costs least; of such, the first from that of the pid on. */
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
		/* Darker shades are the second half. */
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
	/* Loggers have a colour of their own and need none of these. */
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

/* By palette, then by id; NULL if there is no memory. */
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
