/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A merge's report on each host: its clock, the clock error, and losses.
 *
 * Output as a table, as JSON, and as the lines about each host in a merged file.
 */
#ifndef EVTLOG_MERGE_REPORT_H
#define EVTLOG_MERGE_REPORT_H

#include <stdio.h>

#include "input/log-set.h"

/*
 * One file.
 * @name:	of the host, as in lines
 * @begin_ns, @end_ns: on the timeline
 * @gaps:	number of gaps
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
 * @ntp_disproved_ns: packets show that real-time clocks differ by this time, which is more than
 *		--assume-ntp tolerates; 0 if they do not
 * @counted:	True: the events were read, so the rest of this group is valid
 * @whole:	True: all files were read to their ends, so gaps are counted
 * @doubtful:	events whose order relative to another host is uncertain
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

/* Strings belong to the logs or the merged file.  Return 0 or -ENOMEM; call report_free(). */
int report_of_log_set(struct report *report, const struct logs *logs,
		      const struct log_set_options *opts);
int report_of_merged(struct report *report, const struct evtlog_merged *merged);
void report_free(struct report *report);

/* Prints a table. */
void report_show(const struct report *report, FILE *out);

/* Prints JSON; evtlog-dump(1) describes the keys. */
void report_json(const struct report *report, FILE *out);

/* Prints which hosts of a merged file lack data.  Returns EXIT_OK or EXIT_EVENTS_LOST. */
int report_verdict(const struct report *report, const char *path);

/* Prints lines "key=value", as file.h defines them for the host block of a merged file. */
void report_lines(const struct report_host *host, FILE *out);

#endif /* EVTLOG_MERGE_REPORT_H */
