/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profiles of tasks that have ended, as a named buffer has them that gets the event "profile".
 */
#ifndef EVTLOG_PROFILE_ENDED_H
#define EVTLOG_PROFILE_ENDED_H

#include <stdbool.h>
#include <stdint.h>

#include "control/session.h"
#include "profile/ended-entry.h"
#include "record/source.h"

#define PROFILE_ENDED_BUFFER	"profile-exits"

struct ended_task;

/*
 * struct profile_ended
 * @session:	that has the named buffer
 * @lost:	records, and profiles a part of which did not come, since it was opened
 * @tasks:	profiles of which parts are still to come
 */
struct profile_ended {
	struct control_session session;
	struct named_source source;
	uint64_t lost;
	struct ended_names names;
	struct ended_task **tasks;
	size_t task_count, task_capacity;
};

/** profile_ended_open() - collect profiles of ending tasks; prints errors; returns 0 or -errno */
int profile_ended_open(struct profile_ended *ended);

/** profile_ended_close() - have them no more; what is in parts still is lost */
void profile_ended_close(struct profile_ended *ended);

/**
 * profile_ended_read() - add those that have ended to @profile, each an entry with @ended 1
 *
 * If @source.was_deleted is set afterwards, no more will come, and that has been said.  Returns 0
 * or -errno, after saying what is wrong unless it is -ENOMEM.
 */
int profile_ended_read(struct profile_ended *ended, struct profile *profile);

#endif /* EVTLOG_PROFILE_ENDED_H */
