/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a merge can tell of each host: its clock, how far to trust it, what is lost.
 *
 * For people, as JSON, and as the lines that a merged file has of each host.
 */
#ifndef EVTLOG_MERGE_REPORT_H
#define EVTLOG_MERGE_REPORT_H

#include <stdio.h>

#include "input/log-set.h"

/*
 * One file's.
 * @name:	of the host, as lines show it
 * @begin_ns, @end_ns: on the timeline
 * @gaps:	times of which nothing is known
 */
struct report_host {
	const char *host;
	const char *name;
	const char *run_name;
	uint64_t run;
	uint8_t boot_id[16];
	struct evtlog_host_clock clock;
	int64_t begin_ns;
	int64_t end_ns;
	uint64_t cpus;
	uint64_t lost;
	uint64_t missing_buffers;
	uint64_t damaged_places;
	uint64_t gaps;
	bool closed;
	bool complete;
};

/*
 * @ntp_disproved_ns: packets show that real-time clocks are so far apart, which is more
 *		than --assume-ntp takes; 0: they do not
 * @counted:	the events were read: the rest of that group holds
 * @doubtful:	events whose order against another host's is not known
 * @whole:	all files were read to their ends: gaps are counted
 */
struct report {
	const char *reference;
	bool assume_ntp;
	uint64_t ntp_disproved_ns;
	int64_t begin_ns;
	int64_t end_ns;

	bool counted;
	bool whole;
	uint64_t events;
	uint64_t doubtful;

	struct report_host *hosts;
	size_t count;
};

/* Strings stay the cluster's or the merged file's.  0 or -ENOMEM; report_free() it. */
int report_of_log_set(struct report *report, const struct logs *logs,
		      const struct log_set_options *opts);
int report_of_merged(struct report *report, const struct evtlog_merged *merged);
void report_free(struct report *report);

/* A table. */
void report_show(const struct report *report, FILE *out);

/* As JSON; the keys are in evtlog-merge(1). */
void report_json(const struct report *report, FILE *out);

/* Prints which hosts of a merged file lack something; returns EXIT_OK or EXIT_EVENTS_LOST. */
int report_verdict(const struct report *report, const char *path);

/* Lines "key=value", as file.h has them for the host block of a merged file. */
void report_lines(const struct report_host *host, FILE *out);

#endif /* EVTLOG_MERGE_REPORT_H */
