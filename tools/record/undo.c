// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes back what was written to control files.
 *
 * The guard of restore.c ends the run of a command that was killed; until then the kernel refuses
 * what it allows between runs only, and it is tried again.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/error.h"
#include "control/control.h"
#include "lib/base/io.h"
#include "undo.h"

/* A logger may have to write what is left of the run. */
#define TRIES		600
#define TRY_EVERY_MS	100

int undo_add(struct undo *undo, const char *file, const char *text)
{
	char *copy = undo->count < UNDO_MAX ? strdup(text) : NULL;

	if (!copy)
		return -ENOMEM;
	undo->writes[undo->count].file = file;
	undo->writes[undo->count++].text = copy;
	return 0;
}

/* What is not there needs not be taken back. */
static int write_back(const struct undo *undo, unsigned int i)
{
	int error = control_write(undo->writes[i].file, undo->writes[i].text);

	return error == -ENOENT || error == -ESRCH ? 0 : error;
}

static _Noreturn void be_guard(int gate, const struct undo *undo)
{
	const struct timespec pause = { .tv_nsec = TRY_EVERY_MS * 1000000L };
	char byte;

	setsid();
	/* Of the recorder there are more pipes whose end somebody waits for. */
	gate = dup2(gate, STDERR_FILENO + 1);
	closefrom(gate + 1);
	/* Nobody ever writes: it ends when the last who holds the other end is gone. */
	io_read(gate, &byte, 1);
	for (unsigned int i = 0; i < undo->count; i++) {
		for (int n = 0; n < TRIES && write_back(undo, i) == -EBUSY; n++)
			nanosleep(&pause, NULL);
	}
	_exit(0);
}

int undo_guard(struct undo *undo)
{
	int gate[2], error;

	if (pipe2(gate, O_CLOEXEC) < 0)
		return -errno;
	undo->pid = fork();
	if (undo->pid < 0) {
		error = -errno;
		undo->pid = 0;
		close(gate[0]);
		close(gate[1]);
		return error;
	}
	if (!undo->pid) {
		close(gate[1]);
		be_guard(gate[0], undo);
	}
	close(gate[0]);
	undo->gate = gate[1];
	return 0;
}

void undo_now(struct undo *undo)
{
	int error;

	if (undo->pid) {
		kill(undo->pid, SIGKILL);
		io_wait(undo->pid, NULL);
		close(undo->gate);
		undo->pid = 0;
	}
	for (unsigned int i = 0; i < undo->count; i++) {
		error = write_back(undo, i);
		if (error)
			control_say_failed(undo->writes[i].file, error);
		free(undo->writes[i].text);
	}
	undo->count = 0;
}
