// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers and names of events for KernelShark.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "event-ids.h"

/* Systems of the kernel's tracepoints, by how the names of types begin */
static const struct {
	const char *start;
	const char *system;
} systems[] = {
	{ "sched_", "sched" },
	{ "task_", "task" },
	{ "softirq_", "irq" },
	{ "irq_handler_", "irq" },
	{ "local_timer_", "irq_vectors" },
	{ "reschedule_", "irq_vectors" },
	{ "call_function_", "irq_vectors" },
	{ "irq_work_", "irq_vectors" },
};

static const char *system_of(const char *name)
{
	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++)
		if (!strncmp(name, systems[i].start, strlen(systems[i].start)))
			return systems[i].system;
	return "evtlog";
}

int event_id(const struct evtlog_event *event)
{
	switch (event->kind) {
	case EVTLOG_EVENT_RECORD:
		if (event->known == EVTLOG_EVENT)
			return EVENT_ID_REGISTERED + evtlog_event_id(event);
		return event->number;
	case EVTLOG_EVENT_BEGIN:
		return event->lost || event->lost_buffers ? -EOVERFLOW : EVENT_ID_START;
	case EVTLOG_EVENT_END:
		return event->rest_missing ? -EOVERFLOW : EVENT_ID_END;
	default:
		return -EOVERFLOW;
	}
}

bool event_id_name(const struct evtlog_file *file, int id, char *name)
{
	const struct evtlog_event_format *format;
	const struct evtlog_type_info *type;

	if (id == EVENT_ID_START || id == EVENT_ID_END) {
		strcpy(name, id == EVENT_ID_START ? "evtlog/start" : "evtlog/end");
	} else if (id > 0 && id <= EVTLOG_TYPE_MAX) {
		type = evtlog_type_info(file, id);
		if (!type)
			return false;
		snprintf(name, EVENT_NAME_BYTES, "%s/%s", system_of(type->name), type->name);
	} else if (id >= EVENT_ID_REGISTERED && id < EVENT_ID_END) {
		format = evtlog_event_format(file, id - EVENT_ID_REGISTERED);
		if (format)
			snprintf(name, EVENT_NAME_BYTES, "evtlog/%s", format->name);
		else
			snprintf(name, EVENT_NAME_BYTES, "evtlog/event_%d",
				 id - EVENT_ID_REGISTERED);
	} else {
		return false;
	}
	return true;
}
