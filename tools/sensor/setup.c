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

/* ---- Errors ---- */

static void say_buffer_refused(const char *name, int error)
{
	if (error == -EEXIST)
		pr_err("%s: there is such a named buffer already: leave --events and --probe out to use it, or delete it with evtlog buffer del %s",
		       name, name);
	else
		control_buffer_say_refused(name, error);
}

/* @probe: the probe if there is only one, else "--probe" */
static int say_probes_refused(const char *probe, int error)
{
	struct control_probes probes;

	if (error == -ENOENT && control_probes_read(&probes)) {
		pr_err(CONTROL_DIRECTORY "/probes: this kernel has no probes; boot one with CONFIG_EVTLOG_PROBE");
		return error;
	}
	if (error == -EPERM || error == -EACCES || control_probes_read(&probes)) {
		control_say_failed("probes", error);
		return error;
	}
	if (*probes.error)
		pr_err("%s: %s", probe, probes.error);
	else
		control_say_failed("probes", error);
	control_probes_free(&probes);
	return error;
}

/* ---- Probes ---- */

static int add_probes(struct sensor_setup *setup)
{
	const struct sensor_wanted *wanted = setup->wanted;
	char reason[512];
	int error = control_probe_texts_make(&setup->made, wanted->buffer.name, wanted->probes,
					     wanted->probe_count, reason, sizeof(reason));

	if (error) {
		pr_err("--probe: %s", reason);
		return error;
	}
	error = control_probes_add(&setup->session, &setup->made);
	if (error)
		say_probes_refused(wanted->probe_count == 1 ? wanted->probes[0] : "--probe", error);
	else
		control_probe_texts_say_clones(&setup->made);
	return error;
}

/* ---- Public functions ---- */

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
	else if (wanted->probe_count)
		error = add_probes(setup);
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
