/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that LTTng has no name for: record types as the log describes them, and registered events
 * as their formats do.
 */
#ifndef EVTLOG_CTF_GENERIC_H
#define EVTLOG_CTF_GENERIC_H

#include "host.h"

/* What the file's record types look like. */
void ctf_types_init(struct ctf_host *host);

/* A record as it is in the file. */
void ctf_write_type(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		    const struct evtlog_event *event);

/* An EVENT: by its format, if the log has one.  0 or -ENOMEM. */
int ctf_write_event(struct ctf_host *host, struct ctf_stream *stream, uint64_t time_ns,
		    const struct evtlog_event *event);

#endif /* EVTLOG_CTF_GENERIC_H */
