/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes records of the stations' probes for packets.c.
 */
#ifndef EVTLOG_PATH_RECORDS_H
#define EVTLOG_PATH_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

#include "packets.h"

struct path_format;

/*
 * Formats of the event types that were seen.
 *
 * @table:	index in @at, by host and event id
 * @seen:	bits of stations
 */
struct path_records {
	struct key_table table;
	struct path_format *at;
	size_t count;
	size_t capacity;
	unsigned int seen;
};

/**
 * path_records_take() - pass an event on if it is of a station
 * @records:	all zero before the first call
 * @file:	of the event
 * @time_ns:	of the event, on the timeline of all hosts
 *
 * Return: 0; -ENOMEM; what @packets->see() returned.
 */
int path_records_take(struct path_records *records, struct packets *packets,
		      const struct evtlog_file *file, uint32_t host,
		      const struct evtlog_event *event, int64_t time_ns);
void path_records_free(struct path_records *records);

/*
 * Passes a record of icmp_tx or icmp_rx on, as a packet that is queued or received; the kernel has
 * these records without a probe. A packet is received when it arrives: before its record, and
 * perhaps before it wakes a task. Skips records of other network namespaces, which may have the
 * same addresses. Returns 0 or -ENOMEM.
 */
int path_records_take_icmp(struct packets *packets, const struct evtlog_file *file, uint32_t host,
			   const struct evtlog_event *event, int64_t time_ns);

/* Returns true if the log has event types with the names of stations. */
bool path_records_in(const struct evtlog_file *file);

/* ---- The kernel's reasons to drop a packet, by number and release ---- */

#define PATH_REASON_TEXT	40

/*
 * @release:	of the recorded kernel; other releases have other numbers
 * @number:	argument of kfree_skb_reason()
 * @text:	buffer for "reason NUMBER", which is returned if the name is unknown
 */
const char *path_reason(const char *release, unsigned int number, char text[PATH_REASON_TEXT]);

#endif /* EVTLOG_PATH_RECORDS_H */
