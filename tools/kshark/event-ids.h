/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What KernelShark calls the events of a log: a number and a name of the form system/event.
 *
 * Systems are those of the kernel's tracepoints; what the kernel has none for is of "evtlog".
 */
#ifndef EVTLOG_KSHARK_EVENT_IDS_H
#define EVTLOG_KSHARK_EVENT_IDS_H

#include <evtlog/evtlog.h>

/*
 * A CPU's part of a run begins; numbers of the file's types, from 1; registered events by
 * their ids; a CPU's part ends.
 */
enum event_id {
	EVENT_ID_START = 0,
	EVENT_ID_REGISTERED = EVTLOG_TYPE_MAX + 1,
	EVENT_ID_END = EVENT_ID_REGISTERED + EVTLOG_EVENT_ID_MAX + 1,
	EVENT_IDS
};

/* Longest name with its NUL */
#define EVENT_NAME_BYTES	(2 * (EVTLOG_NAME_MAX + 1))

/* Of an event that is shown; -EOVERFLOW, as KernelShark has it, where something is missing. */
int event_id(const struct evtlog_event *event);

/*
 * event_id_name() - the name of an id, as "sched/sched_switch"
 * @name:	where it is stored, of EVENT_NAME_BYTES
 *
 * A registered event that the log does not name is "evtlog/event_ID".  Returns false if
 * the file has no such id.
 */
bool event_id_name(const struct evtlog_file *file, int id, char *name);

#endif /* EVTLOG_KSHARK_EVENT_IDS_H */
