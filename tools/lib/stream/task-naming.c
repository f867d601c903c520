// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which events give a task a name.
 *
 * For the library's and the commands' tables of tasks; it keeps none.
 */
#include "task-names.h"

/* Words before the name in a record of a type; 0: it names no task. */
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
