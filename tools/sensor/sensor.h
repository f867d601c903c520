/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evtlog sensor: computes rates, histograms and last values of a named buffer's events and
 * outputs them, without a log.
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

/* ---- setup.c: the named buffer and probes that a sensor creates, and deletes at the end ---- */

/*
 * @buffer:	the named buffer, as for evtlog buffer add
 * @probes:	@probe_count probes, as for evtlog probe add
 */
struct sensor_wanted {
	struct control_buffer_wanted buffer;
	char *probes[64];
	size_t probe_count;
};

/*
 * @made:	the wanted probes, in the kernel's form
 * @session:	contains the named buffer and the probes; not open if none are wanted
 */
struct sensor_setup {
	const struct sensor_wanted *wanted;
	struct control_probe_texts made;
	struct control_session session;
};

/**
 * sensor_setup() - create the named buffer and probes, if events or probes are wanted
 *
 * Prints errors.  Returns 0 or -errno.  Call sensor_setup_undo() in both cases.
 */
int sensor_setup(struct sensor_setup *setup, const struct sensor_wanted *wanted);

/** sensor_setup_end() - stop recording; what was recorded can still be read */
void sensor_setup_end(struct sensor_setup *setup);

/** sensor_setup_undo() - delete what was created */
void sensor_setup_undo(struct sensor_setup *setup);

#define SENSOR_INTERVAL_MS_MIN	10
#define SENSOR_INTERVAL_MS_MAX	3600000

/*
 * @wanted:	the named buffer
 * @count:	number of intervals; 0: until a signal
 * @fields, @histograms: EVENT.FIELD, see struct sensor_table; NULL: all fields, no histograms
 * @group:	group that may read; (gid_t)-1: none
 * @socket, @textfile, @ganglia: NULL if not wanted; without any of them, uses standard output
 */
struct sensor_options {
	struct sensor_wanted wanted;
	uint64_t interval_ms;
	uint64_t count;
	const char *fields, *histograms;
	gid_t group;
	const char *socket, *textfile, *ganglia;
};

/** sensor_run() - run until a signal or the end of the named buffer; returns an exit status */
int sensor_run(struct sensor_options *options);

#endif /* EVTLOG_SENSOR_SENSOR_H */
