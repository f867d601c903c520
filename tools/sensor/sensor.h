/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evtlog sensor: computes rates, histograms and last values of a named buffer's events, and hands
 * them out, without a file of events.
 *
 *	named buffer -> source -> records -> table -> lines -> clients, standard output
 *					       |----> prometheus
 *					       '----> ganglia
 */
#ifndef EVTLOG_SENSOR_SENSOR_H
#define EVTLOG_SENSOR_SENSOR_H

#include <stdint.h>
#include <sys/types.h>

#include "setup.h"

#define SENSOR_INTERVAL_MS_MIN	10
#define SENSOR_INTERVAL_MS_MAX	3600000

/*
 * @wanted:	the named buffer
 * @count:	intervals; 0: until a signal comes
 * @fields, @histograms: EVENT.FIELD, see sensor_table; NULL: all; none
 * @group:	that may read; (gid_t)-1: none
 * @socket, @textfile, @ganglia: NULL: not asked for; without all of them to standard output
 */
struct sensor_options {
	struct sensor_wanted wanted;
	uint64_t interval_ms;
	uint64_t count;
	const char *fields, *histograms;
	gid_t group;
	const char *socket, *textfile, *ganglia;
};

/** sensor_run() - until a signal comes, or the named buffer has ended; returns an exit status */
int sensor_run(struct sensor_options *options);

#endif /* EVTLOG_SENSOR_SENSOR_H */
