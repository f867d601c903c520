/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many passes of the kernel's sampler a log has, and how many were missed.
 *
 * Called by evtlog info with events of one CPU after another.  Whether passes are complete is not
 * seen so: samples.c does.
 */
#ifndef EVTLOG_ANALYSIS_SAMPLES_PASS_COUNTS_H
#define EVTLOG_ANALYSIS_SAMPLES_PASS_COUNTS_H

#include <evtlog/evtlog.h>

/*
 * @passes:	of which the last record is there
 * @missed:	that were due and did not take place, as these tell
 */
struct pass_counts {
	uint64_t passes;
	uint64_t missed;
};

void pass_counts_take(struct pass_counts *counts, const struct evtlog_file *file,
		      const struct evtlog_event *event);

#endif /* EVTLOG_ANALYSIS_SAMPLES_PASS_COUNTS_H */
