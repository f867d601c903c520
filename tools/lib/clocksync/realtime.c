// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Relates two hosts by their CLOCK_REALTIME, if no packet does.
 *
 * The error is assumed by the user; nothing here can verify it.  If a clock was set during the
 * run, it is assumed to be right at the end, and the amount is added to the error.
 */
#include <errno.h>
#include <stdlib.h>

#include "clocksync.h"
#include "lib/file/file.h"
#include "lib/file/tick-clock.h"

#define NODES	64

typedef __int128 s128;

static int64_t clamp(s128 value)
{
	if (value > INT64_MAX)
		return INT64_MAX;
	return value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

/* Returns the reference's raw time when its REALTIME was @real_ns; their offset hardly changes. */
static int64_t raw_at(const struct evtlog_file *file, int64_t real_ns)
{
	int64_t raw_ns = file->begin_ns;

	for (int round = 0; round < 4; round++) {
		int64_t at = raw_ns < 0 ? 0 : raw_ns;
		s128 offset = (s128)clock_steady_ns(&file->clocks[0], at) - at;

		raw_ns = clamp(real_ns - offset);
	}
	return raw_ns;
}

/* One host may not have applied a leap second yet. */
static int64_t leap_between(const struct evtlog_file *file,
			    const struct evtlog_file *reference_file)
{
	int32_t own = evtlog_tai_offset_s(file);
	int32_t tai = evtlog_tai_offset_s(reference_file);

	return own && tai ? ((int64_t)own - tai) * 1000000000 : 0;
}

int64_t ntp_ahead(const struct host *host, const struct evtlog_file *file,
		  const struct evtlog_file *reference_file, int64_t raw_ns)
{
	s128 real_ns = (s128)clock_steady_ns(&file->clocks[0], raw_ns) +
		       leap_between(file, reference_file);

	return clamp((s128)raw_at(reference_file, clamp(real_ns)) -
		     timeline_time(&host->timeline, raw_ns));
}

int ntp_relate(struct host *host, const struct evtlog_file *file,
	       const struct host *reference,
	       const struct evtlog_file *reference_file, uint64_t error_ns)
{
	int64_t leap_ns = leap_between(file, reference_file);
	int64_t span = host->end_ns - host->begin_ns;
	struct timeline *timeline = &host->timeline;
	int64_t first, last;

	error_ns += clock_steps_ns(&file->clocks[0]) + clock_steps_ns(&reference_file->clocks[0]);
	timeline->nodes = calloc(NODES, sizeof(*timeline->nodes));
	if (!timeline->nodes)
		return -ENOMEM;
	for (int i = 0; i < NODES; i++) {
		int64_t raw_ns = host->begin_ns +
				 (int64_t)((s128)span * i / (NODES - 1));
		int64_t real_ns = clock_steady_ns(&file->clocks[0], raw_ns);
		struct timeline_node node = {
			.raw_ns = raw_ns,
			.time_ns = raw_at(reference_file,
					  clamp((s128)real_ns + leap_ns)),
			.bound_ns = error_ns + host->error_ns +
				    reference->error_ns,
		};
		struct timeline_node *before = &timeline->nodes[timeline->count - 1];

		if (timeline->count && raw_ns <= before->raw_ns)
			continue;
		/* An undetected small step can set REALTIME back; time must not step back. */
		if (timeline->count && node.time_ns < before->time_ns) {
			node.bound_ns += before->time_ns - node.time_ns;
			node.time_ns = before->time_ns;
		}
		timeline->nodes[timeline->count++] = node;
	}
	timeline->growth_ppb = 2 * EVTLOG_RHO_PPB;
	first = timeline->nodes[0].time_ns;
	last = timeline->nodes[timeline->count - 1].time_ns;
	host->clock.method = EVTLOG_CLOCK_NTP;
	host->clock.offset_ns = clamp((s128)host->begin_ns + span / 2 -
				      timeline_time(timeline, host->begin_ns + span / 2));
	if (last > first)
		host->clock.rate_ppb = clamp(((s128)span - (last - first)) *
					     1000000000 / (last - first));
	host->clock.rate_error_ppb =
		host_rate_error(timeline->nodes[0].bound_ns +
				timeline->nodes[timeline->count - 1].bound_ns,
				last - first, EVTLOG_RHO_PPB);
	host->clock.best_bound_ns = UINT64_MAX;
	for (size_t i = 0; i < timeline->count; i++) {
		uint64_t bound = timeline->nodes[i].bound_ns;

		if (bound > host->clock.bound_ns)
			host->clock.bound_ns = bound;
		if (bound < host->clock.best_bound_ns)
			host->clock.best_bound_ns = bound;
	}
	return 0;
}
