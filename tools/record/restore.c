// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Waits for the end of the process that made it, and tidies up if that was sudden.
 *
 * The logger ends by itself; see spawn-logd.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/io.h"
#include "restore.h"

/* What a logger has left to write may take it a while. */
#define TRIES		600
#define TRY_EVERY_MS	100

static bool write_number(const char *name, unsigned int number)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", number);
	return !control_write(name, text);
}

/* Whether all is as it was.  A logger that was not there before holds the buffers. */
static bool set_back(const char *events, const struct control_status *before)
{
	struct control_status now;
	bool done = true;

	if (control_status(&now))
		return true;
	if (now.is_recording && now.run > before->run)
		control_write("enable", "0");
	if (events && control_write("events", events))
		done = false;
	if (now.buffers != before->buffers && !write_number("buffers", before->buffers))
		done = false;
	if (now.buffer_kb != before->buffer_kb && !write_number("buffer_kb", before->buffer_kb))
		done = false;
	control_status_free(&now);
	return done;
}

static _Noreturn void be_guard(int gate, const char *events,
			       const struct control_status *before)
{
	const struct timespec pause = { .tv_nsec = TRY_EVERY_MS * 1000000L };
	char byte;

	/* What ends a whole session or group of processes shall not end this one. */
	setsid();
	/* Nobody ever writes: it ends when the last who holds the other end is gone. */
	io_read(gate, &byte, 1);
	for (int i = 0; i < TRIES && !set_back(events, before); i++)
		nanosleep(&pause, NULL);
	_exit(0);
}

int guard_start(struct guard *guard, const char *events, const struct control_status *before)
{
	int gate[2], error;

	guard->pid = 0;
	if (pipe2(gate, O_CLOEXEC) < 0)
		return -errno;
	guard->pid = fork();
	if (guard->pid < 0) {
		error = -errno;
		guard->pid = 0;
		close(gate[0]);
		close(gate[1]);
		return error;
	}
	if (!guard->pid) {
		close(gate[1]);
		be_guard(gate[0], events, before);
	}
	close(gate[0]);
	guard->gate = gate[1];
	return 0;
}

void guard_dismiss(struct guard *guard)
{
	if (!guard->pid)
		return;
	/* Before it could take the gate's closing for our end */
	kill(guard->pid, SIGKILL);
	io_wait(guard->pid, NULL);
	close(guard->gate);
	guard->pid = 0;
}
