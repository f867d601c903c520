// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Waits for the end of the process that made it, and sets back what that changed if it was sudden.
 *
 * Called by restore.c and undo.c, which know what.  The logger ends by itself; see spawn-logd.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "guard.h"
#include "lib/base/io.h"

/* What a logger has left to write may take it a while. */
#define TRIES		600
#define TRY_EVERY_MS	100

static _Noreturn void be_guard(int gate, bool (*set_back)(void *context), void *context)
{
	const struct timespec pause = { .tv_nsec = TRY_EVERY_MS * 1000000L };
	char byte;

	/* What ends a whole session or group of processes shall not end this one. */
	setsid();
	/* Of the recorder there are more pipes whose end somebody waits for. */
	gate = dup2(gate, STDERR_FILENO + 1);
	closefrom(gate + 1);
	/* Nobody ever writes: it ends when the last who holds the other end is gone. */
	io_read(gate, &byte, 1);
	for (int i = 0; i < TRIES && !set_back(context); i++)
		nanosleep(&pause, NULL);
	_exit(0);
}

int guard_start(struct guard *guard, bool (*set_back)(void *context), void *context)
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
		be_guard(gate[0], set_back, context);
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
