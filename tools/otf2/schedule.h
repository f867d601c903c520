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

/* Tells of CPUs of which nothing is known from a time on that has come, before the next event. */
void schedule_gaps(struct host *host, struct lanes *lanes, uint64_t until_ns);

/* As many of the tasks as there may be of.  0 or -ENOMEM. */
int schedule_reserve_tasks(struct host *host);

/* The task may have another name now. */
void schedule_name_task(struct host *host, uint32_t pid);

#endif /* EVTLOG_OTF2_SCHEDULE_H */
