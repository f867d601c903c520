/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which colour of a palette a task has: one in all views of its log.
 *
 * The page is told it with a task's name, pictures and exports ask here.
 *
 * The tasks of a host are taken by their CPU time.  As many as there are colours get one each;
 * every further one gets that which its neighbours, those that ran next to it on a CPU, have
 * least.  It depends on the host's log alone, not on what of it is looked at.
 */
#ifndef EVTLOG_VIEW_SESSION_TASK_COLOURS_H
#define EVTLOG_VIEW_SESSION_TASK_COLOURS_H

#include <stdint.h>

#include "common/json.h"
#include "session.h"

/*
 * task_colour() - which one of a palette a task has
 * @palette: as the page's PALETTES are ordered
 *
 * The host's are chosen when the first is wanted.  Should there be no memory for that, a
 * colour comes of the pid.
 */
unsigned int task_colour(struct session *session, uint32_t host, unsigned int palette,
			 uint32_t id);

/* "colours": of each palette */
void task_colours_json(struct json *json, struct session *session, uint32_t host, uint32_t id);

/* What a host has of them, for session_close(). */
void task_colours_free(struct session_host *host);

#endif /* EVTLOG_VIEW_SESSION_TASK_COLOURS_H */
