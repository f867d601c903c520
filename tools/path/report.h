/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the paths of packets: as text, JSON or CSV.
 */
#ifndef EVTLOG_PATH_REPORT_H
#define EVTLOG_PATH_REPORT_H

#include "packets.h"
#include "print/left-out.h"
#include "read.h"
#include "summary.h"

/*
 * @gaps:	number of gaps
 * @left_out:	records that are not packets in the --pcapng file; @has_file: there is one
 * @with_packets: show each packet, at most @limit
 */
struct path_report {
	const struct path_source *source;
	const struct packets *packets;
	const struct path_summary *summary;
	const struct path_filter *filter;
	uint64_t gaps;
	struct left_out left_out;
	bool has_file;
	bool with_packets;
	uint64_t limit;
};

void path_report_text(const struct path_report *report);
void path_report_json(const struct path_report *report);
/* One line per packet and station. */
void path_report_csv(const struct path_report *report);

/* The name of a drop reason in the host's kernel. */
const char *path_report_reason(const struct path_report *report, uint32_t host, uint16_t reason,
			       char *text);

#endif /* EVTLOG_PATH_REPORT_H */
