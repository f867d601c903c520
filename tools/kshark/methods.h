/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What KernelShark asks of a stream of ours and of its entries.
 */
#ifndef EVTLOG_KSHARK_METHODS_H
#define EVTLOG_KSHARK_METHODS_H

#include <libkshark.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

#include "host.h"

/* Fills in all functions of an interface, for streams whose handle is a struct host. */
void methods_init(struct kshark_generic_stream_interface *interface);

/* How many ids get_all_event_ids() gives. */
int methods_event_count(const struct host *host);

/*
 * A name from a log, which is untrusted: what is no printable character is \xNN.  The caller frees
 * it.  NULL: no memory.
 */
char *methods_copy_escaped(const char *bytes, size_t length);

/* ---- Makes KernelShark's entries, or its matrix, of a host's events ---- */

/* Functions of struct kshark_generic_stream_interface: see libkshark.h. */

/* The rows and each of them are the caller's to free().  Returns their number or -errno. */
ssize_t load_entries(struct kshark_data_stream *stream, struct kshark_context *context,
		     struct kshark_entry ***rowsp);

/* Columns are the caller's; those whose pointer is NULL are not made.  Returns as load_entries(). */
ssize_t load_matrix(struct kshark_data_stream *stream, struct kshark_context *context,
		    int16_t **events, int16_t **cpus, int32_t **pids, int64_t **offsets,
		    int64_t **times);

/* ---- Fields of events as numbers, by their names ---- */

/*
 * A sched_switch has those of the kernel's tracepoint, with its values, since KernelShark's own
 * plug-ins plot these; other events have those of the log.
 */

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

#endif /* EVTLOG_KSHARK_METHODS_H */
