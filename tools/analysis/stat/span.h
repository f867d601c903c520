/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of a log that `evtlog stat` sums up.
 */
#ifndef EVTLOG_ANALYSIS_STAT_SPAN_H
#define EVTLOG_ANALYSIS_STAT_SPAN_H

#include "stat.h"

struct stat_span;

/*
 * All CPUs' events in the order of time, of those at the same ns the lower CPU's first:
 * all of them if @from_ns is 0, else those of the buffers from that time on.  0 or -errno.
 */
int stat_span_new(struct evtlog_file *file, uint64_t from_ns, struct stat_span **spanp);
void stat_span_free(struct stat_span *span);

/* As evtlog_cpu_merge_next(). */
int stat_span_next(struct stat_span *span, const struct evtlog_event **eventp);

/* Whether events of some CPU before @now_ns are missing, and its next one comes later. */
bool stat_span_hides(const struct stat_span *span, uint64_t now_ns);

/* No more of this CPU. */
void stat_span_close(struct stat_span *span, unsigned int slot);

/*
 * How tasks were called when the part begins.  With @stat->bins only what may hold
 * such events is read.  0 or -errno.
 */
int stat_learn_before(struct stat *stat);

#endif /* EVTLOG_ANALYSIS_STAT_SPAN_H */
