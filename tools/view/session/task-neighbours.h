/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks of a log ran one after the other on a CPU, and how often.
 */
#ifndef EVTLOG_VIEW_SESSION_TASK_NEIGHBOURS_H
#define EVTLOG_VIEW_SESSION_TASK_NEIGHBOURS_H

#include <stddef.h>
#include <stdint.h>

#include <evtlog/index.h>

/* Of logs with more events, parts are read that are spread evenly over the run. */
#define TASK_NEIGHBOURS_EVENTS	65536u

/* Each pair is there twice, once for each of the two. */
struct task_neighbour {
	uint32_t task;
	uint32_t other;
	uint64_t count;
};

/* @list: by task, then by the other */
struct task_neighbours {
	struct task_neighbour *list;
	size_t count;
	size_t capacity;
};

/*
 * task_neighbours_read() - of all CPUs of the log
 *
 * Idle and the logger are nobody's neighbours.  What of the log can't be read is left out.
 * @neighbours: free() its list in any case
 *
 * Return: 0 or -ENOMEM.
 */
int task_neighbours_read(struct evtlog_index *index, struct task_neighbours *neighbours);

#endif /* EVTLOG_VIEW_SESSION_TASK_NEIGHBOURS_H */
