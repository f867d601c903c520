/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event of a lane that is next to a time.
 *
 * The index tells where there is none of a kind, so that only buffers are read
 * that may hold one.
 */
#ifndef EVTLOG_VIEW_API_NEAREST_EVENT_H
#define EVTLOG_VIEW_API_NEAREST_EVENT_H

#include "lane-events.h"
#include "view/session/session.h"

enum nearest_direction { NEAREST_BEFORE, NEAREST_AFTER };

/*
 * @kinds:	bits; records of these
 * @gaps:	or gaps: of these it is the end that is meant when looking before, else
 *		the begin
 * @name:	of records, as track_name() has it; NULL: any
 * @limit_ns:	raw; what is beyond that is not looked for; 0: there is no limit
 */
struct nearest_options {
	uint16_t kinds;
	bool gaps;
	const char *name;
	uint64_t limit_ns;
};

/*
 * What was found, held by @tracks if @track is there.
 * @time_ns, @raw_ns: of the event, or of the end or begin of the gap
 */
struct nearest {
	struct tracks tracks;
	struct track *track;
	int64_t time_ns;
	uint64_t raw_ns;
};

/*
 * The last one before @raw_ns, or the first one that is not.  1; 0: there is none;
 * -errno.  nearest_free() in any case.
 */
int nearest_find(struct request *request, uint32_t lane, uint64_t raw_ns,
		 enum nearest_direction direction, const struct nearest_options *opts,
		 struct nearest *nearest);
void nearest_free(struct nearest *nearest);

#endif /* EVTLOG_VIEW_API_NEAREST_EVENT_H */
