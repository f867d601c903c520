/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each event of a host says of its CPUs and tasks.
 */
#ifndef EVTLOG_OTF2_SCHEDULE_H
#define EVTLOG_OTF2_SCHEDULE_H

#include "host.h"

/* 0 or -ENOMEM; schedule_free() in both cases. */
int schedule_init(struct host *host);
void schedule_free(struct host *host);

/* Takes the next event of the host.  0 or -ENOMEM. */
int schedule_take(struct host *host, const struct evtlog_event *event);

/*
 * Nothing is known of a CPU from a time on that is not before any event taken so far, up to
 * @event, which is a GAP or BEGIN.
 */
void schedule_gap(struct host *host, const struct evtlog_event *event, uint64_t from_ns);

#endif /* EVTLOG_OTF2_SCHEDULE_H */
