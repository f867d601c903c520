/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * KernelShark's own plug-ins on the streams of logs: sched_events draws how long tasks wait for a
 * CPU, missed_events marks lost events.
 *
 * sched_events reads records with libtraceevent.  This file registers formats for context
 * switches and wake-ups there.
 */
#ifndef EVTLOG_KSHARK_SCHEDULER_H
#define EVTLOG_KSHARK_SCHEDULER_H

#include <stdint.h>

#include <libkshark.h>
#include <traceevent/event-parse.h>

#include "host.h"

/*
 * The record that plug-ins receive with an entry.
 * @record:	libtraceevent's record, for KernelShark's own plug-ins
 * @position:	of the event in struct records, for read_record_field_int64()
 * @data:	the target of @record.data; scheduler.c has the formats
 */
struct plugin_record {
	struct tep_record record;
	uint64_t position;
	struct {
		uint16_t id;
		uint16_t unused;
		int32_t pid;
		int64_t prev_state;
	} data;
};

/* Prepares the formats of @host's switches and wake-ups.  Returns 0 or -ENOMEM. */
int scheduler_init(struct host *host);

void scheduler_free(struct host *host);

/**
 * scheduler_attach() - start KernelShark's plug-ins on a stream
 *
 * Called after the stream is opened, and before its entries are made: then plug-ins drop pointers
 * to earlier entries.  Does nothing if KernelShark does not have these plug-ins.
 */
void scheduler_attach(struct kshark_context *context, struct kshark_data_stream *stream,
		      struct host *host);

/* Fills in the record of an event for plug-ins. */
void scheduler_record(struct plugin_record *record, const struct host *host,
		      const struct evtlog_event *event, uint64_t position);

#endif /* EVTLOG_KSHARK_SCHEDULER_H */
