// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Announces the logger to the kernel, and reads the kernel's status.
 *
 * control/stream.c reads the buffers.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <evtlog/abi.h>

#include "common/say.h"
#include "control/file.h"
#include "proc.h"

void kernel_say_open_failed(const char *path, int error)
{
	switch (error) {
	case -ENOENT:
		say_error("%s: this kernel has no evtlog: boot a patched kernel; see evtlog(7)",
			  path);
		break;
	case -EPERM:
		if (control_is_locked_down()) {
			say_error("%s: %s: the kernel is locked down, also for root: boot with lockdown=integrity or without lockdown",
				  path, strerror(-error));
			break;
		}
		say_error("%s: %s: needs CAP_SYS_ADMIN in the initial user namespace (CAP_PERFMON to read only), and no kernel lockdown: run logd as root on the host",
			  path, strerror(-error));
		break;
	case -EACCES:
		say_error("%s: %s: run logd as root", path, strerror(-error));
		break;
	default:
		say_error("%s: %s", path, strerror(-error));
	}
}

static int open_control(const char *path, int flags, int *fd)
{
	int error;

	*fd = open(path, flags | O_CLOEXEC);
	if (*fd >= 0)
		return 0;
	error = -errno;
	/* If the whole directory is missing, name it instead of one file. */
	if (error == -ENOENT && access(KERNEL_DIRECTORY, F_OK) < 0)
		path = KERNEL_DIRECTORY;
	kernel_say_open_failed(path, error);
	return error;
}

static int write_number(int fd, int number)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", number);
	return control_file_write(fd, text);
}

int kernel_announce(const struct kernel *kernel)
{
	struct control_status status = { 0 };
	int error = write_number(kernel->pid, getpid());

	if (!error)
		return 0;
	if (error == -EBUSY) {
		kernel_read_status(kernel, &status);
		say_error("%s/pid: another logger is running, pid %d: stop it first (/etc/init.d/evtlog stop, systemctl stop evtlog, or kill %d)",
			  KERNEL_DIRECTORY, status.logger, status.logger);
	} else {
		say_error("%s/pid: %s", KERNEL_DIRECTORY, strerror(-error));
	}
	return error;
}

bool kernel_arm(const struct kernel *kernel)
{
	struct control_status before;
	int error;

	if (kernel_read_status(kernel, &before))
		memset(&before, 0, sizeof(before));
	error = control_file_write(kernel->enable, "arm");
	if (error == -EINVAL)
		say_detail("%s/enable: this kernel arms at each start", KERNEL_DIRECTORY);
	else if (error)
		say_warning("%s/enable: not armed: %s; a start takes longer", KERNEL_DIRECTORY,
			    strerror(-error));
	/* A run that began disarmed was armed by its start, and would be disarmed at its stop. */
	return !error && (!before.is_armed || before.is_recording);
}

void kernel_disarm(const struct kernel *kernel)
{
	int error = control_file_write(kernel->enable, "disarm");

	if (error)
		say_detail("%s/enable: not disarmed: %s", KERNEL_DIRECTORY, strerror(-error));
}

void kernel_withdraw(const struct kernel *kernel)
{
	int error = write_number(kernel->pid, 0);

	/* The kernel also detects that the logger has ended, a little later. */
	if (error)
		say_detail("%s/pid: %s", KERNEL_DIRECTORY, strerror(-error));
}

int kernel_stop_run(const struct kernel *kernel)
{
	int error = write_number(kernel->enable, 0);

	return error == -EALREADY ? 0 : error;
}

int kernel_read_status(const struct kernel *kernel, struct control_status *status)
{
	size_t bytes;
	char *text;
	int error = control_file_read(kernel->status, &text, &bytes);

	memset(status, 0, sizeof(*status));
	if (error)
		return error;
	error = control_status_parse(status, text);
	free(text);
	/* logd does not use the data about CPUs. */
	control_status_free(status);
	return error;
}

int kernel_read_format(const struct kernel *kernel, char **text, size_t *bytes)
{
	return control_file_read(kernel->format, text, bytes);
}

int kernel_read_events(const struct kernel *kernel, char **text, size_t *bytes)
{
	int error = control_file_read(kernel->events, text, bytes);

	if (error)
		return error;
	for (char *c = *text; *c; c++)
		if (*c == '\n')
			*c = c[1] ? ' ' : '\0';
	return 0;
}

/* New record types are no problem, because records are copied.  Headers must be of this version. */
static int check_format(const struct kernel *kernel)
{
	unsigned int version;
	size_t bytes;
	char *text;
	int error = kernel_read_format(kernel, &text, &bytes);

	if (error) {
		say_error("%s/format: %s", KERNEL_DIRECTORY, strerror(-error));
		return error;
	}
	if (sscanf(text, "evtlog-format %u\n", &version) != 1)
		version = 0;
	free(text);
	if (version == EVTLOG_ABI_VERSION)
		return 0;
	say_error("%s/format: version %u, but this logd supports %u: install the logd of this kernel",
		  KERNEL_DIRECTORY, version, EVTLOG_ABI_VERSION);
	return -EPROTO;
}

int kernel_open(struct kernel *kernel)
{
	int error;

	error = open_control(KERNEL_DIRECTORY "/pid", O_RDWR, &kernel->pid);
	if (error)
		return error;
	error = open_control(KERNEL_DIRECTORY "/enable", O_RDWR, &kernel->enable);
	if (error)
		goto close_pid;
	error = open_control(KERNEL_DIRECTORY "/status", O_RDONLY, &kernel->status);
	if (error)
		goto close_enable;
	error = open_control(KERNEL_DIRECTORY "/format", O_RDONLY, &kernel->format);
	if (error)
		goto close_status;
	error = open_control(KERNEL_DIRECTORY "/events", O_RDONLY, &kernel->events);
	if (error)
		goto close_format;
	error = check_format(kernel);
	if (error)
		goto close_events;
	return 0;

close_events:
	close(kernel->events);
close_format:
	close(kernel->format);
close_status:
	close(kernel->status);
close_enable:
	close(kernel->enable);
close_pid:
	close(kernel->pid);
	return error;
}

void kernel_close(struct kernel *kernel)
{
	close(kernel->events);
	close(kernel->format);
	close(kernel->status);
	close(kernel->enable);
	close(kernel->pid);
}
