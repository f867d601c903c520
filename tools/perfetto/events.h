/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of a host as Perfetto's ftrace messages.
 */
#ifndef EVTLOG_PERFETTO_EVENTS_H
#define EVTLOG_PERFETTO_EVENTS_H

#include "host.h"

/* An event of a CPU that is wanted, within the span. */
void perfetto_write(struct perfetto_host *host, struct bundle *bundle,
		    const struct evtlog_event *event);

/* Events are missing: from @from_ns to @to_ns of the log's time. */
void perfetto_write_loss(struct perfetto_host *host, struct bundle *bundle, uint64_t from_ns,
			 uint64_t to_ns, uint64_t lost, uint64_t lost_buffers);

#endif /* EVTLOG_PERFETTO_EVENTS_H */
