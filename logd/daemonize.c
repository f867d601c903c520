// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Detaches the daemon from the process that started it, when the daemon is ready.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemonize.h"
#include "lib/base/io.h"
#include "log.h"

static int ready_pipe = -1;

static _Noreturn void wait_for_child(pid_t child, int from)
{
	int status;
	char byte;

	if (io_read(from, &byte, 1) == 1)
		_exit(0);
	io_wait(child, &status);
	_exit(WIFEXITED(status) && WEXITSTATUS(status) ? WEXITSTATUS(status) : 1);
}

int background_enter(void)
{
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	fflush(NULL);
	child = fork();
	if (child < 0) {
		int error = -errno;

		close(ends[0]);
		close(ends[1]);
		return error;
	}
	if (child) {
		close(ends[1]);
		wait_for_child(child, ends[0]);
	}
	close(ends[0]);
	ready_pipe = ends[1];
	setsid();
	return 0;
}

static void leave_terminal(void)
{
	int null;

	say_to_syslog();
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0)
		return;
	for (int fd = 0; fd <= 2; fd++)
		dup2(null, fd);
	if (null > 2)
		close(null);
}

void background_leave(void)
{
	if (ready_pipe < 0)
		return;
	leave_terminal();
	close(ready_pipe);
	ready_pipe = -1;
}

void background_ready(void)
{
	if (ready_pipe < 0)
		return;
	leave_terminal();
	io_write(ready_pipe, "", 1);
	close(ready_pipe);
	ready_pipe = -1;
}

int pid_file_write(const char *path)
{
	int fd, length, error;
	char text[16];

	if (!*path)
		return 0;
	/* Always a new file: the old one may be a link made by another user. */
	if (unlink(path) < 0 && errno != ENOENT)
		return -errno;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	length = snprintf(text, sizeof(text), "%d\n", getpid());
	error = io_write(fd, text, length);
	if (close(fd) < 0 && !error)
		error = -errno;
	if (error)
		unlink(path);
	return error;
}

void pid_file_remove(const char *path)
{
	if (*path && unlink(path) < 0 && errno != ENOENT)
		say_detail("%s: %s", path, strerror(errno));
}
