/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The definitions of an archive: machines, CPUs, locations, counters, messages and clocks.
 *
 * Regions are defined as they are shown: regions.h.
 */
#ifndef EVTLOG_OTF2_DEFINITIONS_H
#define EVTLOG_OTF2_DEFINITIONS_H

#include "host.h"

/* Before the first host: counters, and what the machines are part of if there are several. */
void definitions_begin(struct output *out, bool several);

/* After the last event of a host: its machine, CPUs and locations. */
void definitions_host(struct host *host, bool several);

/* Groups of it */
#define MESSAGE_GROUPS	2

/*
 * After the last host: messages.
 * @others:	locations that MPI has behind the CPUs
 */
void definitions_messages(struct output *out, const uint64_t *others, size_t other_count);

/* @begin_ns, @end_ns: of what is written; @real_ns: of @begin_ns, since 1970 */
void definitions_clock(struct output *out, uint64_t begin_ns, uint64_t end_ns, int64_t real_ns);

#endif /* EVTLOG_OTF2_DEFINITIONS_H */
