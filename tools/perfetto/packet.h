/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets of a Perfetto trace, but for events: what host it is of, its clocks and its tasks.
 */
#ifndef EVTLOG_PERFETTO_PACKET_H
#define EVTLOG_PERFETTO_PACKET_H

#include <stddef.h>
#include <stdio.h>

#include "export/host-clock.h"
#include "export/sources.h"
#include "export/tasks.h"

/* The head of a packet with one field of @bytes, which the caller writes behind it. */
void packet_begin(FILE *out, unsigned int field, size_t bytes);

/* CLOCK_REALTIME at a time of the trace, which is CLOCK_MONOTONIC_RAW. */
void packet_clocks(FILE *out, struct host_clock *clock, const struct evtlog_file *file,
		   uint64_t raw_ns);

void packet_system(FILE *out, const struct evtlog_file *file, const char *name);

/* Tasks that are known. */
void packet_tasks(FILE *out, struct export_tasks *tasks, uint64_t time_ns);

/*
 * What of the trace a reader can't learn from events.
 * @notes, @note_count: sentences
 */
void packet_attributes(FILE *out, const struct host_clock *clock, const struct evtlog_file *file,
		       uint64_t lost, const char *const *notes, unsigned int note_count);

#endif /* EVTLOG_PERFETTO_PACKET_H */
