/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of a host as LTTng's kernel tracer would have written them.
 */
#ifndef EVTLOG_CTF_EVENTS_H
#define EVTLOG_CTF_EVENTS_H

#include "host.h"

/* An event of a CPU that is wanted, within the span.  0 or -ENOMEM. */
int ctf_write(struct ctf_host *host, struct ctf_stream *stream, const struct evtlog_event *event);

/* What is missing of a CPU: from @from_ns to @to_ns of the log's time. */
void ctf_write_loss(struct ctf_host *host, struct ctf_stream *stream, uint64_t from_ns,
		    uint64_t to_ns, uint64_t lost, uint64_t lost_buffers);

#endif /* EVTLOG_CTF_EVENTS_H */
