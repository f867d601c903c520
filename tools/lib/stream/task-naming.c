// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds the events that name tasks.
 *
 * For the tables of tasks in the library and the commands; it stores no names.
 */
#include "task-names.h"

/* Returns the words in front of the name in a record of a type; 0 if the type names no task. */
static unsigned int words_before_comm(unsigned int known)
{
	switch (known) {
	case EVTLOG_TASK:
		return 5;
	case EVTLOG_SCHED_PROCESS_FORK:
		return 3;
	case EVTLOG_SCHED_PROCESS_EXEC:
		return 2;
	case EVTLOG_TASK_RENAME:
		return 1;
	default:
		return 0;
	}
}

bool task_naming(const struct evtlog_event *event, struct task_naming *naming)
{
	unsigned int before = words_before_comm(event->known);

	if (event->kind != EVTLOG_EVENT_RECORD) {
		*naming = (struct task_naming) { event->begin_pid, event->begin_comm, true };
		return naming->comm && naming->comm[0] && naming->pid &&
		       naming->pid != EVTLOG_PID_UNKNOWN;
	}
	if (__builtin_expect(!before, 1))
		return false;
	*naming = (struct task_naming) {
		evtlog_record_pid(event->words), (const char *)(event->words + before),
		event->known == EVTLOG_TASK
	};
	return naming->pid;
}
