/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of events as numbers, by their names.
 *
 * A sched_switch has those of the kernel's tracepoint, with its values, since KernelShark's own
 * plug-ins plot these; other events have those of the log.
 */
#ifndef EVTLOG_KSHARK_FIELD_VALUES_H
#define EVTLOG_KSHARK_FIELD_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

/* More than any event has */
#define FIELD_NAMES_MAX	512

/**
 * field_names() - names of an event's fields
 * @names:	where they are stored, of FIELD_NAMES_MAX; they live as long as the file
 *
 * Returns how many there are.
 */
unsigned int field_names(const struct evtlog_file *file, const struct evtlog_event *event,
			 const char **names);

/**
 * field_value() - the value of a field
 *
 * Returns false if the event has no such field, or it is no number.
 */
bool field_value(const struct evtlog_file *file, const struct evtlog_event *event,
		 const char *name, int64_t *value);

/* The state of a task that leaves the CPU, as the tracepoint's prev_state has it. */
int64_t field_prev_state(const struct evtlog_file *file, const struct evtlog_event *event);

#endif /* EVTLOG_KSHARK_FIELD_VALUES_H */
