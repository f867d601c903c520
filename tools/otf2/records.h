/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records that are neither states nor messages nor counters: each is a parameter at the location of
 * its CPU's number of tasks, called as the record is, and its fields are attributes.
 *
 * The parameter's value is the pid of the task that runs; -1: it is not known.
 */
#ifndef EVTLOG_OTF2_RECORDS_H
#define EVTLOG_OTF2_RECORDS_H

#include "host.h"

/* NULL: no memory. */
struct records *records_new(void);
void records_free(struct records *records);

/* Writes a record, if its CPU and time are wanted. */
void records_put(struct host *host, struct cpu *cpu, const struct evtlog_event *event);

#endif /* EVTLOG_OTF2_RECORDS_H */
