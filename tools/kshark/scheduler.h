/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * KernelShark's own plug-ins on our streams: sched_events, which draws how long tasks wait for a
 * CPU, and missed_events, which marks losses.
 *
 * sched_events reads records with libtraceevent, which gets two formats of ours for it.
 */
#ifndef EVTLOG_KSHARK_SCHEDULER_H
#define EVTLOG_KSHARK_SCHEDULER_H

#include <stdint.h>

#include <libkshark.h>
#include <traceevent/event-parse.h>

#include "host.h"

/*
 * What plug-ins are given beside an entry: libtraceevent's record, as those of KernelShark want
 * it, and for read_record_field_int64() the position.
 * @data:	what @record.data points to, as the formats in scheduler.c say
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
 * scheduler_attach() - have KernelShark's plug-ins take part in a stream
 *
 * When it was opened, and before its entries are made: plug-ins that know entries of before
 * forget them.  Where KernelShark has no such plug-ins nothing happens.
 */
void scheduler_attach(struct kshark_context *context, struct kshark_data_stream *stream,
		      struct host *host);

/* Fills in what plug-ins are to know of an event. */
void scheduler_record(struct plugin_record *record, const struct host *host,
		      const struct evtlog_event *event, uint64_t position);

#endif /* EVTLOG_KSHARK_SCHEDULER_H */
