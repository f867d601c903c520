// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes and deletes a sensor's named buffer and probes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <unistd.h>

#include "common/error.h"
#include "control/buffers.h"
#include "control/control.h"
#include "lib/base/io.h"
#include "setup.h"

/* ---- What is wrong ---- */

static void say_buffer_refused(const char *name, int error)
{
	if (error == -EEXIST)
		pr_err("%s: there is such a named buffer already: leave --events and --probe out to use it, or delete it with evtlog buffer del %s",
		       name, name);
	else
		control_buffer_say_refused(name, error);
}

/* @probe: which one, if there is one only */
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

/* ---- Orders ---- */

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
	error = control_probes_order('+', setup->made.texts, setup->made.count);
	if (error)
		say_probes_refused(wanted->probe_count == 1 ? wanted->probes[0] : "--probe", error);
	else
		control_probe_texts_say_clones(&setup->made);
	return error;
}

static void delete_probes(const struct sensor_setup *setup)
{
	for (size_t i = 0; i < setup->made.count; i++)
		control_probes_order('-', &setup->made.names[i], 1);
}

static void undo(const struct sensor_setup *setup)
{
	if (setup->has_probes)
		delete_probes(setup);
	if (setup->has_buffer)
		control_buffer_order('-', setup->wanted->buffer.name);
}

/* ---- The guard ---- */

static _Noreturn void be_guard(int gate, const struct sensor_setup *setup)
{
	struct clients_socket socket;
	char byte;

	setsid();
	/* What reads our output shall not wait for this process. */
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	/* It ends when the sensor is gone, and has told of its socket before, if there is one. */
	if (io_read(gate, &socket, sizeof(socket)) == sizeof(socket)) {
		io_read(gate, &byte, 1);
		clients_remove_socket(setup->wanted->socket, &socket);
	}
	if (setup->wanted->textfile)
		unlink(setup->wanted->textfile);
	undo(setup);
	_exit(0);
}

static int start_guard(struct sensor_setup *setup)
{
	int gate[2], error;

	if (pipe2(gate, O_CLOEXEC) < 0)
		return -errno;
	setup->guard = fork();
	if (setup->guard < 0) {
		error = -errno;
		setup->guard = 0;
		close(gate[0]);
		close(gate[1]);
		return error;
	}
	if (!setup->guard) {
		close(gate[1]);
		be_guard(gate[0], setup);
	}
	close(gate[0]);
	setup->gate = gate[1];
	return 0;
}

static void dismiss_guard(struct sensor_setup *setup)
{
	if (!setup->guard)
		return;
	/* Before it could take the gate's closing for our end */
	kill(setup->guard, SIGKILL);
	io_wait(setup->guard, NULL);
	close(setup->gate);
	setup->guard = 0;
}

/* ---- Outside ---- */

int sensor_setup(struct sensor_setup *setup, const struct sensor_wanted *wanted)
{
	int error = 0;

	*setup = (struct sensor_setup){ .wanted = wanted };
	if (wanted->buffer.events || wanted->probe_count) {
		error = control_buffer_add(&wanted->buffer);
		if (error) {
			say_buffer_refused(wanted->buffer.name, error);
			return error;
		}
		setup->has_buffer = true;
	}
	if (wanted->probe_count) {
		error = add_probes(setup);
		if (error)
			return error;
		setup->has_probes = true;
	}
	if (setup->has_buffer || wanted->socket || wanted->textfile)
		error = start_guard(setup);
	if (error)
		pr_err("sensor: %s", strerror(-error));
	return error;
}

void sensor_setup_tell_socket(struct sensor_setup *setup, const struct clients_socket *socket)
{
	if (setup->guard)
		io_write(setup->gate, socket, sizeof(*socket));
}

void sensor_setup_end(struct sensor_setup *setup)
{
	if (setup->has_probes)
		delete_probes(setup);
	setup->has_probes = false;
	if (setup->has_buffer)
		control_buffer_order('!', setup->wanted->buffer.name);
}

void sensor_setup_undo(struct sensor_setup *setup)
{
	undo(setup);
	dismiss_guard(setup);
	control_probe_texts_free(&setup->made);
	setup->has_probes = false;
	setup->has_buffer = false;
}
