/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each pass of the sampler says of a host's CPUs and tasks: in place of its events.
 *
 * Called by schedule.c.  What a pass tells holds until the next one.
 */
#ifndef EVTLOG_OTF2_PASSES_H
#define EVTLOG_OTF2_PASSES_H

#include "host.h"

/* 0 or -ENOMEM; passes_free() in both cases, also if it was not called. */
int passes_init(struct host *host);
void passes_free(struct host *host);

/* What passes tell is written from then on. */
void passes_open(struct host *host, uint64_t time_ns);

/* Takes the next event of the log.  0 or -ENOMEM. */
int passes_take(struct host *host, const struct evtlog_event *event);

/* Passes may be lost from then on, until one is complete. */
void passes_lose(struct host *host, uint64_t time_ns);

/* There is no pass any more up to then. */
void passes_end(struct host *host, uint64_t time_ns);

#endif /* EVTLOG_OTF2_PASSES_H */
