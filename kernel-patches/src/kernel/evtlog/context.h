/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a CPU is doing while a buffer is opened.
 *
 * It is the part of a buffer's header from which a reader that has no earlier buffer, or has
 * lost some, finds its way.
 */
#ifndef EVTLOG_CONTEXT_H
#define EVTLOG_CONTEXT_H

#include <linux/types.h>

struct evtlog_buffer_header;

void evtlog_context_fill(struct evtlog_buffer_header *h);
void evtlog_context_fill_other(struct evtlog_buffer_header *h, unsigned int cpu);
bool evtlog_context_softirqs_are_off(void);

#endif /* EVTLOG_CONTEXT_H */
