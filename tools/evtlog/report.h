/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a merge can tell of each host: its clock, how far to trust it, what is lost.
 *
 * Stage: beside the events that a merge gives; for people or as JSON.
 */
#ifndef EVTLOG_REPORT_H
#define EVTLOG_REPORT_H

#include <stdio.h>

#include "cluster.h"

/*
 * What a merge counted.
 * @doubtful:	of these, whose order against another host's is not known
 * @whole:	all files were read to their ends
 */
struct report_counts {
	uint64_t events;
	uint64_t doubtful;
	bool whole;
};

/* A table. */
void report_show(const struct cluster *cluster, FILE *out);

/* @counts may be NULL.  As JSON; the keys are in evtlog-merge(1). */
void report_json(const struct cluster *cluster, const struct cluster_wish *wish,
		 const struct report_counts *counts, FILE *out);

#endif /* EVTLOG_REPORT_H */
