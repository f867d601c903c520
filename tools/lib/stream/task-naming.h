/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which events give a task a name, from their time on.
 *
 * Stage: between events and what knows tasks by name.
 */
#ifndef EVTLOG_LIB_STREAM_TASK_NAMING_H
#define EVTLOG_LIB_STREAM_TASK_NAMING_H

#include <evtlog/evtlog.h>

/*
 * An event gives a task a name, from its time on.
 * @comm:	EVTLOG_COMM_LEN bytes, in the event
 * @is_seen:	it was seen to have the name, so that it may have had it before
 */
struct task_naming {
	uint32_t pid;
	const char *comm;
	bool is_seen;
};

/* Whether @event names a task, which is never the idle one. */
bool task_naming(const struct evtlog_event *event, struct task_naming *naming);

#endif /* EVTLOG_LIB_STREAM_TASK_NAMING_H */
