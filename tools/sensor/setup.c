// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Creates and deletes a sensor's named buffer and probes.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/error.h"
#include "control/buffers.h"
#include "control/control.h"
#include "sensor.h"

static void say_buffer_refused(const char *name, int error)
{
	if (error == -EEXIST)
		pr_err("%s: there is such a named buffer already: to use it, leave out --events and --probe, or delete it with evtlog buffer del %s",
		       name, name);
	else
		control_buffer_say_refused(name, error);
}

int sensor_setup(struct sensor_setup *setup, const struct sensor_wanted *wanted)
{
	int error;

	*setup = (struct sensor_setup){ .wanted = wanted, .session.fd = -1 };
	if (!wanted->buffer.events && !wanted->probe_count)
		return 0;
	error = control_session_open(&setup->session);
	if (error)
		return error;
	error = control_buffer_add(&setup->session, &wanted->buffer);
	if (error)
		say_buffer_refused(wanted->buffer.name, error);
	else
		error = control_probes_insert(&setup->session, &setup->made, wanted->buffer.name,
					      wanted->probes, wanted->probe_count);
	return error;
}

void sensor_setup_end(struct sensor_setup *setup)
{
	if (!setup->session.count)
		return;
	/* Undo only the probes. */
	control_session_undo_to(&setup->session, 1);
	control_buffer_order('!', setup->wanted->buffer.name);
}

void sensor_setup_undo(struct sensor_setup *setup)
{
	control_session_close(&setup->session);
	control_probe_texts_free(&setup->made);
}
