/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The named buffer and the probes that a sensor makes for itself, and deletes in the end, also if
 * it is killed.
 */
#ifndef EVTLOG_SENSOR_SETUP_H
#define EVTLOG_SENSOR_SETUP_H

#include <stdbool.h>
#include <stddef.h>

#include "control/buffers.h"
#include "control/probes.h"
#include "control/session.h"

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

#endif /* EVTLOG_SENSOR_SETUP_H */
