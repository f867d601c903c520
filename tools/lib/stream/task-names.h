/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events that name tasks, and names from other sources than a file's records.
 *
 * Stage: between events or merged files and tables of tasks.
 */
#ifndef EVTLOG_LIB_STREAM_TASK_NAMES_H
#define EVTLOG_LIB_STREAM_TASK_NAMES_H

#include <evtlog/evtlog.h>

/* The snapshot of tasks has ended when a CPU has had this many other records since. */
#define SNAPSHOT_PATIENCE	131072

/* The name of pid 0 in a run of one tree: all tasks outside the tree. */
#define TASKS_OUTSIDE	"outside"

/* Returns a table with only the idle task; NULL if out of memory. */
struct evtlog_tasks *tasks_new_empty(void);

/* Names pid 0 TASKS_OUTSIDE if the log is of one tree. */
void tasks_name_outside(struct evtlog_tasks *tasks, const struct evtlog_file *file);

/* @comm has EVTLOG_COMM_LEN bytes.  Returns 0 or -ENOMEM. */
int tasks_set_comm(struct evtlog_tasks *tasks, uint32_t pid, const void *comm);

/*
 * The name that an event gives a task, from its time on.
 * @comm:	EVTLOG_COMM_LEN bytes, in the event
 * @is_seen:	true: the task was seen with this name, and may have had it before
 */
struct task_naming {
	uint32_t pid;
	const char *comm;
	bool is_seen;
};

/* Bits of the types of records that name tasks */
#define TASK_NAMING_TYPES \
	(UINT64_C(1) << EVTLOG_TASK | UINT64_C(1) << EVTLOG_SCHED_PROCESS_FORK | \
	 UINT64_C(1) << EVTLOG_SCHED_PROCESS_EXEC | UINT64_C(1) << EVTLOG_TASK_RENAME)

/* Returns true if @event names a task other than the idle task. */
static inline bool task_naming(const struct evtlog_event *event, struct task_naming *naming)
{
	/* Number of words in front of the name */
	static const uint8_t before[EVTLOG_TYPE_MAX + 1] = {
		[EVTLOG_TASK] = 5,
		[EVTLOG_SCHED_PROCESS_FORK] = 3,
		[EVTLOG_SCHED_PROCESS_EXEC] = 2,
		[EVTLOG_TASK_RENAME] = 1,
	};

	if (event->kind != EVTLOG_EVENT_RECORD) {
		*naming = (struct task_naming) { event->begin_pid, event->begin_comm, true };
		return naming->comm && naming->comm[0] && naming->pid &&
		       naming->pid != EVTLOG_PID_UNKNOWN;
	}
	if (__builtin_expect(!before[event->known], 1))
		return false;
	*naming = (struct task_naming) {
		evtlog_record_pid(event->words),
		(const char *)(event->words + before[event->known]),
		event->known == EVTLOG_TASK
	};
	return naming->pid;
}

#endif /* EVTLOG_LIB_STREAM_TASK_NAMES_H */
