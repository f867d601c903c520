/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks seen on a picture, with their colours, names and times.
 */
#ifndef EVTLOG_VIEW_PICTURE_TASKS_H
#define EVTLOG_VIEW_PICTURE_TASKS_H

#include "picture.h"

struct picture_tasks;

struct picture_tasks *picture_tasks_new(struct session *session);
void picture_tasks_free(struct picture_tasks *tasks);

/*
 * The colour and name of a host's task, which is seen for @ns on the picture; the name is
 * NULL for what is no task.  0 or -ENOMEM.
 */
int picture_tasks_see(struct picture_tasks *tasks, uint32_t host, uint32_t id,
		      uint64_t ns, uint32_t *colour, const char **name);

/*
 * The name of a task at a time, with its pid; the task is one that was seen.  @name is valid as long as @tasks.
 * Returns 0 or -ENOMEM.
 */
int picture_tasks_called(struct picture_tasks *tasks, uint32_t host, uint32_t id, uint64_t raw_ns,
			 const char **name);

/*
 * All that were seen, by time, told with their hosts if there are several; the names live as
 * long as @tasks.  0 or -ENOMEM.
 */
int picture_tasks_list(struct picture_tasks *tasks, struct picture_scene *scene);

#endif /* EVTLOG_VIEW_PICTURE_TASKS_H */
