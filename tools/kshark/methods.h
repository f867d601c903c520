/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The methods that KernelShark calls on a stream of a host and on its entries.
 */
#ifndef EVTLOG_KSHARK_METHODS_H
#define EVTLOG_KSHARK_METHODS_H

#include <libkshark.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

#include "host.h"

/* Fills in the methods of an interface.  The stream's handle must be a struct host. */
void methods_init(struct kshark_generic_stream_interface *interface);

/* Number of ids that get_all_event_ids() returns */
int methods_event_count(const struct host *host);

/*
 * Copies an untrusted name from a log; bytes that are no printable characters become \xNN.  The
 * caller frees the copy.  Returns NULL if out of memory.
 */
char *methods_copy_escaped(const char *bytes, size_t length);

/* ---- load.c: makes KernelShark's entries, or its matrix, from a host's events ---- */

/* Methods of struct kshark_generic_stream_interface: see libkshark.h. */

/* The caller frees the array and each entry with free().  Returns their number or -errno. */
ssize_t load_entries(struct kshark_data_stream *stream, struct kshark_context *context,
		     struct kshark_entry ***rowsp);

/* The caller frees the columns.  NULL: the column is not wanted.  Returns as load_entries(). */
ssize_t load_matrix(struct kshark_data_stream *stream, struct kshark_context *context,
		    int16_t **events, int16_t **cpus, int32_t **pids, int64_t **offsets,
		    int64_t **times);

/* ---- field-values.c: values of fields as numbers, by name ---- */

/*
 * prev_pid and prev_state of a sched_switch have the values of the kernel's tracepoint, as
 * KernelShark's own plug-ins plot these.  All other fields are as in the log.
 */

/* No event has more fields. */
#define FIELD_NAMES_MAX	512

/**
 * field_names() - names of an event's fields
 * @names:	array of FIELD_NAMES_MAX, filled in; the strings live as long as the file
 *
 * Returns the number of fields.
 */
unsigned int field_names(const struct evtlog_file *file, const struct evtlog_event *event,
			 const char **names);

/**
 * field_value() - the value of a field
 *
 * Returns false if the event has no such field, or if the field is no number.
 */
bool field_value(const struct evtlog_file *file, const struct evtlog_event *event,
		 const char *name, int64_t *value);

/* State of the task that leaves the CPU, with the values of the tracepoint's prev_state */
int64_t field_prev_state(const struct evtlog_file *file, const struct evtlog_event *event);

#endif /* EVTLOG_KSHARK_METHODS_H */
