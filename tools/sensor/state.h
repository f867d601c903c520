/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that outputs show.
 */
#ifndef EVTLOG_SENSOR_STATE_H
#define EVTLOG_SENSOR_STATE_H

#include "record/source.h"
#include "table.h"

/*
 * @interval_s:	that rates are of: how long it was
 * @interval_ms: that was asked for
 * @start_ns, @now_ns: CLOCK_REALTIME
 * @clients, @skipped, @dropped: of the socket: connected now; lines that clients did not get for
 *		they did not read; clients that were dropped for it
 * @ganglia_errors: packets that could not be sent
 * @textfile_errors: times that the file could not be written
 */
struct sensor_state {
	const struct named_source *source;
	const struct sensor_table *table;
	uint64_t interval_ms;
	double interval_s;
	uint64_t start_ns, now_ns;
	size_t clients;
	uint64_t skipped, dropped;
	uint64_t ganglia_errors;
	uint64_t textfile_errors;
};

static inline uint64_t sensor_lost(const struct sensor_state *state)
{
	uint64_t lost = 0;

	for (int cause = 0; cause < EVTLOG_LOST_CAUSES; cause++)
		lost += state->source->lost[cause];
	return lost;
}

#endif /* EVTLOG_SENSOR_STATE_H */
