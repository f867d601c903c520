/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a task runs next, or ran last, wherever.
 *
 * Stage: within the viewer, from the indexes.
 */
#ifndef EVTLOG_VIEW_TASK_SEARCH_H
#define EVTLOG_VIEW_TASK_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "request.h"

/*
 * Moves @time_ns on to when the task runs, softirqs and interrupts left out, or back to
 * when it last did before.  1; 0: it does not; -errno.
 */
int task_search(struct request *request, uint32_t host, uint32_t task, int64_t *time_ns,
		bool after);

#endif /* EVTLOG_VIEW_TASK_SEARCH_H */
