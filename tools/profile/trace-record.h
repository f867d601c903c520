/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traces of processes, with a file for each period: the events of the period.
 */
#ifndef EVTLOG_PROFILE_TRACE_RECORD_H
#define EVTLOG_PROFILE_TRACE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/members.h"
#include "profile/period-file.h"
#include "profile/trace.h"

/*
 * struct trace_record - what is recorded
 * @events:	of each task that are kept; 0: no traces are recorded
 * @before:	the last reading
 * @others:	tasks that had a trace before
 * @lost:	traces that were dropped before they were read
 * @said_full:	there is no memory for more traces
 * @said_others: a task's trace is another's
 */
struct trace_record {
	uint64_t events, lost;
	struct traces before;
	struct pid_set others;
	bool said_full, said_others;
};

/**
 * trace_record_begin() - remember what traces there are
 *
 * Returns 0 or -errno, after saying what is wrong unless it is -ENOMEM.
 */
int trace_record_begin(struct trace_record *record);

/**
 * trace_record_add() - begin traces of processes that have none, and of all that they fork
 * @pids:	processes; of those that are gone there is none
 *
 * Returns 0 or -errno, after saying what is wrong.
 */
int trace_record_add(struct trace_record *record, const struct pid_set *pids);

/**
 * trace_record_period() - write what traces have got since the last reading
 *
 * Returns 0 or -errno, after saying what is wrong unless it is -ENOMEM.
 */
int trace_record_period(struct trace_record *record, const struct period_files *files,
			double begin, double end);

/** trace_record_end() - forget traces that were begun; frees @record's memory */
void trace_record_end(struct trace_record *record);

#endif /* EVTLOG_PROFILE_TRACE_RECORD_H */
