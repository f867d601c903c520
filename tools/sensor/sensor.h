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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "control/buffers.h"
#include "control/probes.h"
#include "control/session.h"

/* ---- setup.c: the named buffer and the probes that a sensor makes, and deletes in the end ---- */

/*
 * @buffer:	the named buffer, as of evtlog buffer add
 * @probes:	@probe_count of them, as of evtlog probe add
 */
struct sensor_wanted {
	struct control_buffer_wanted buffer;
	char *probes[64];
	size_t probe_count;
};

/*
 * @made:	of the wanted probes
 * @session:	that has the named buffer and the probes; none if neither is wanted
 */
struct sensor_setup {
	const struct sensor_wanted *wanted;
	struct control_probe_texts made;
	struct control_session session;
};

/**
 * sensor_setup() - make what is wanted; a named buffer only if events or probes are
 *
 * Returns 0 or -errno, after saying what is wrong.  Whatever it returns, sensor_setup_undo() it.
 */
int sensor_setup(struct sensor_setup *setup, const struct sensor_wanted *wanted);

/** sensor_setup_end() - no more events come; what was recorded can still be read to its end */
void sensor_setup_end(struct sensor_setup *setup);

/** sensor_setup_undo() - delete what was made */
void sensor_setup_undo(struct sensor_setup *setup);

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
