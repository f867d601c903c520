/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that Perfetto has no message for: their names and fields as text.
 */
#ifndef EVTLOG_PERFETTO_GENERIC_H
#define EVTLOG_PERFETTO_GENERIC_H

#include "host.h"

/* A record as the log describes it; a registered event as its format does. */
void perfetto_write_generic(struct perfetto_host *host, struct bundle *bundle, uint64_t time_ns,
			    const struct evtlog_event *event);

/* What is no record: a loss, @from_ns of the trace's time. */
void perfetto_write_gap(struct perfetto_host *host, struct bundle *bundle, uint64_t from_ns,
			uint64_t time_ns, uint64_t lost, uint64_t lost_buffers);

#endif /* EVTLOG_PERFETTO_GENERIC_H */
