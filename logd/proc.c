// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Announces the logger to the kernel, and reads the kernel's status and its descriptions of runs.
 *
 * control/stream.c reads the buffers.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <evtlog/abi.h>

#include "common/say.h"
#include "config.h"
#include "control/file.h"
#include "logfile/metadata.h"
#include "proc.h"

void kernel_say_open_failed(const char *path, int error)
{
	switch (error) {
	case -ENOENT:
		say_error("%s: this kernel has no evtlog: boot a patched kernel or load the module; see evtlog(7)",
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

static const struct {
	const char *path;
	int flags;
	size_t member;
} files[] = {
	{ KERNEL_DIRECTORY "/pid", O_RDWR, offsetof(struct kernel, pid) },
	{ KERNEL_DIRECTORY "/enable", O_RDWR, offsetof(struct kernel, enable) },
	{ KERNEL_DIRECTORY "/status", O_RDONLY, offsetof(struct kernel, status) },
	{ KERNEL_DIRECTORY "/format", O_RDONLY, offsetof(struct kernel, format) },
	{ KERNEL_DIRECTORY "/events", O_RDONLY, offsetof(struct kernel, events) },
};
#define FILES	(sizeof(files) / sizeof(files[0]))

static int *descriptor(struct kernel *kernel, size_t file)
{
	return (int *)((char *)kernel + files[file].member);
}

int kernel_open(struct kernel *kernel)
{
	int error = 0;

	for (size_t i = 0; i < FILES; i++) {
		int fd = error ? -1 : open(files[i].path, files[i].flags | O_CLOEXEC);

		*descriptor(kernel, i) = fd;
		if (fd >= 0 || error)
			continue;
		error = -errno;
		/* If the whole directory is missing, name it instead of one file. */
		kernel_say_open_failed(error == -ENOENT && access(KERNEL_DIRECTORY, F_OK) < 0 ?
				       KERNEL_DIRECTORY : files[i].path, error);
	}
	if (!error)
		error = check_format(kernel);
	if (error)
		kernel_close(kernel);
	return error;
}

void kernel_close(struct kernel *kernel)
{
	for (size_t i = 0; i < FILES; i++)
		if (*descriptor(kernel, i) >= 0)
			close(*descriptor(kernel, i));
}

/* ---- The text of a run file's header ---- */

const char *describe_host(const struct config *config)
{
	return config->host[0] ? config->host : metadata_host();
}

/* Returns true if the settings are those of @run: its types cannot change while it is recorded. */
static bool is_still(const struct kernel *kernel, const struct run_id *run, bool is_prompt)
{
	struct control_status status;

	return !kernel_read_status(kernel, &status) && status.run == run->number &&
	       (status.is_recording || is_prompt);
}

/* Returns which types are recorded, malloc()ed; NULL if this is uncertain. */
static char *events_of(const struct kernel *kernel, const struct run_id *run, bool is_prompt)
{
	size_t bytes;
	char *text;

	if (!is_still(kernel, run, is_prompt) || kernel_read_events(kernel, &text, &bytes))
		return NULL;
	if (is_still(kernel, run, is_prompt))
		return text;
	free(text);
	return NULL;
}

int describe_run(const struct config *config, const struct kernel *kernel,
		 unsigned int cpus_possible, const struct run_id *run,
		 bool is_prompt, char **text, size_t *bytes)
{
	struct control_status status;
	size_t format_bytes;
	char *format, *events;
	int error;

	error = kernel_read_format(kernel, &format, &format_bytes);
	if (error)
		return error;
	error = kernel_read_status(kernel, &status);
	if (error)
		goto free_format;
	events = events_of(kernel, run, is_prompt);
	error = metadata_make(&(struct metadata){
		.host = describe_host(config),
		.run = run,
		.cpus_possible = cpus_possible,
		.status = &status,
		.events = events,
		.has_sampler = status.run == run->number && (status.is_recording || is_prompt),
		.tree_choice = config->tree_choice,
		.tree_processes = config->tree_processes,
		.format = format,
	}, text, bytes);
	free(events);
free_format:
	free(format);
	return error;
}
