/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a CPU is doing when a buffer is opened.
 *
 * Stored in the buffer header, for readers that have no previous buffer, or have lost some.
 */
#ifndef EVTLOG_CONTEXT_H
#define EVTLOG_CONTEXT_H

#include <linux/types.h>

struct evtlog_buffer_header;

void evtlog_context_fill(struct evtlog_buffer_header *h);
void evtlog_context_fill_other(struct evtlog_buffer_header *h, unsigned int cpu);
bool evtlog_context_softirqs_are_off(void);

#endif /* EVTLOG_CONTEXT_H */
