/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evtlog stat --interval: goes through the intervals of one or several logs.
 */
#ifndef EVTLOG_ANALYSIS_INTERVAL_SERIES_H
#define EVTLOG_ANALYSIS_INTERVAL_SERIES_H

#include "input/host-filter.h"
#include "input/log-set.h"
#include "interval.h"

enum interval_form {
	INTERVAL_TEXT,
	INTERVAL_CSV,
	INTERVAL_JSON,
};

/*
 * @filter:	CPUs and times, which count from the first instant of any log
 * @hosts:	which are wanted
 */
struct interval_options {
	const struct filter *filter;
	const struct choice *hosts;
	uint64_t interval_ns;
	bool assume_ntp;
	enum samples_source source;
	enum interval_form form;
};

/*
 * An interval at hand.
 * @from_ns, @to_ns: since the first instant of any log
 * @hosts:	@host_count of them, each with its counters
 * @part:	of a host: it has some of the interval
 */
struct interval_row {
	uint64_t from_ns;
	uint64_t to_ns;
	const struct interval_host *hosts;
	const bool *part;
	size_t host_count;
};

/* Reads logs and prints their intervals.  An exit status, after saying what is wrong. */
int interval_show(const struct interval_options *options, char **paths, size_t count);

/* report.c: before the first interval, and each. */
void interval_report_begin(const struct interval_options *options,
			   const struct interval_host *hosts, size_t count);
void interval_report_row(const struct interval_options *options, const struct interval_row *row);

#endif /* EVTLOG_ANALYSIS_INTERVAL_SERIES_H */
