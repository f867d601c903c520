// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads and writes the control files of /proc/evtlog.
 *
 * Stage: beside the data's way; no log is read here.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "control.h"
#include "say.h"

static int open_control(const char *name, int flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), CONTROL_DIRECTORY "/%s", name);
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int control_read(const char *name, char **text)
{
	size_t capacity = 16384, used = 0;
	int fd = open_control(name, O_RDONLY);
	char *to, *grown;
	ssize_t n;

	if (fd < 0)
		return fd;
	to = malloc(capacity);
	n = to ? 1 : -1;
	while (n > 0) {
		n = read(fd, to + used, capacity - used - 1);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			used += n;
		if (used < capacity - 1)
			continue;
		grown = realloc(to, capacity *= 2);
		if (!grown)
			n = -1;
		else
			to = grown;
	}
	if (n < 0) {
		int error = errno ? -errno : -ENOMEM;

		free(to);
		close(fd);
		return error;
	}
	close(fd);
	to[used] = '\0';
	*text = to;
	return 0;
}

int control_write(const char *name, const char *text)
{
	int fd = open_control(name, O_WRONLY);
	int error = 0;

	if (fd < 0)
		return fd;
	while (write(fd, text, strlen(text)) < 0) {
		if (errno == EINTR)
			continue;
		error = -errno;
		break;
	}
	close(fd);
	return error;
}

static int parse_cpu(struct control_status *status, const char *line)
{
	struct control_cpu cpu = { 0 }, *grown;
	unsigned long long buffers, bytes, full, nmi;
	int online;

	if (sscanf(line, "cpu %u online %d buffers %llu waiting %u bytes %llu lost_full %llu lost_nmi %llu",
		   &cpu.cpu, &online, &buffers, &cpu.waiting, &bytes, &full, &nmi) != 7)
		return 0;
	cpu.is_online = online;
	cpu.buffers = buffers;
	cpu.bytes = bytes;
	cpu.lost_full = full;
	cpu.lost_nmi = nmi;
	grown = realloc(status->cpus, (status->cpu_count + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	status->cpus = grown;
	status->cpus[status->cpu_count++] = cpu;
	return 0;
}

static void parse_remote(struct control_remote *remote, const char *name, const char *value)
{
	struct control_refused *refused = &remote->refused[remote->causes];

	if (!strcmp(name, "keys")) {
		if (strcmp(value, "-"))
			snprintf(remote->keys, sizeof(remote->keys), "%s", value);
	} else if (!strcmp(name, "obeyed")) {
		remote->obeyed = strtoull(value, NULL, 10);
	} else if (!strcmp(name, "replied")) {
		remote->replied = strtoull(value, NULL, 10);
	} else if (!strncmp(name, "refused_", 8) && remote->causes < CONTROL_CAUSES_MAX) {
		snprintf(refused->cause, sizeof(refused->cause), "%s", name + 8);
		refused->count = strtoull(value, NULL, 10);
		remote->causes++;
	}
}

static void parse_boost(struct control_boost *boost, const char *name, const char *value)
{
	uint64_t number = strtoull(value, NULL, 10);

	if (!strcmp(name, "active"))
		boost->active = number;
	else if (!strcmp(name, "tasks"))
		boost->tasks = number;
	else if (!strcmp(name, "boosted"))
		boost->boosted = number;
	else if (!strcmp(name, "restored"))
		boost->restored = number;
	else if (!strcmp(name, "left"))
		boost->left = number;
}

static int parse_line(struct control_status *status, char *line)
{
	char *value = strchr(line, ' ');

	if (!value)
		return 0;
	if (!strncmp(line, "cpu ", 4))
		return parse_cpu(status, line);
	*value++ = '\0';
	if (!strcmp(line, "state"))
		status->is_recording = !strcmp(value, "recording");
	else if (!strcmp(line, "run"))
		status->run = strtoull(value, NULL, 10);
	else if (!strcmp(line, "run_name") && strcmp(value, "-"))
		snprintf(status->run_name, sizeof(status->run_name), "%s", value);
	else if (!strcmp(line, "logger"))
		status->logger = strtol(value, NULL, 10);
	else if (!strcmp(line, "buffers"))
		status->buffers = strtoul(value, NULL, 10);
	else if (!strcmp(line, "buffer_kb"))
		status->buffer_kb = strtoul(value, NULL, 10);
	else if (!strcmp(line, "ticks_hz"))
		status->ticks_hz = strtoull(value, NULL, 10);
	else if (!strcmp(line, "ticks_trusted"))
		status->ticks_trusted = *value == '1';
	else if (!strcmp(line, "boot_id"))
		snprintf(status->boot_id, sizeof(status->boot_id), "%s", value);
	else if (!strncmp(line, "remote_", 7))
		parse_remote(&status->remote, line + 7, value);
	else if (!strncmp(line, "boost_", 6))
		parse_boost(&status->boost, line + 6, value);
	return 0;
}

int control_status(struct control_status *status)
{
	char *text, *line, *rest;
	int error;

	memset(status, 0, sizeof(*status));
	error = control_read("status", &text);
	if (error)
		return error;
	for (line = strtok_r(text, "\n", &rest); line && !error;
	     line = strtok_r(NULL, "\n", &rest))
		error = parse_line(status, line);
	free(text);
	if (error)
		control_status_free(status);
	return error;
}

void control_status_free(struct control_status *status)
{
	free(status->cpus);
	status->cpus = NULL;
	status->cpu_count = 0;
}

uint64_t control_lost(const struct control_status *status)
{
	uint64_t lost = 0;

	for (unsigned int i = 0; i < status->cpu_count; i++)
		lost += status->cpus[i].lost_full + status->cpus[i].lost_nmi;
	return lost;
}

unsigned int control_waiting(const struct control_status *status)
{
	unsigned int waiting = 0;

	for (unsigned int i = 0; i < status->cpu_count; i++)
		waiting += status->cpus[i].waiting;
	return waiting;
}

char *control_events(const char *choice)
{
	bool has_signs = strpbrk(choice, "+-");
	/* Every name at most doubles, by its sign and its blank. */
	char *result = malloc(2 * strlen(choice) + sizeof("-all "));
	const char *at = choice;
	char *to = result;

	if (!result)
		return NULL;
	if (!has_signs)
		to = stpcpy(to, "-all");
	else
		*to = '\0';
	while (*at) {
		size_t length = strcspn(at, ", \t\n");

		if (length) {
			if (to > result)
				*to++ = ' ';
			if (*at != '+' && *at != '-')
				*to++ = '+';
			to = mempcpy(to, at, length);
			*to = '\0';
		}
		at += length + !!at[length];
	}
	return result;
}

char *control_events_now(void)
{
	char *text;

	if (control_read("events", &text))
		return NULL;
	for (char *c = text; *c; c++)
		if (*c == '\n')
			*c = ' ';
	return text;
}

void control_say_failed(const char *name, int error)
{
	switch (error) {
	case -ENOENT:
		say(CONTROL_DIRECTORY "/%s: this kernel has no evtlog: boot the patched kernel (see README.md)",
		    name);
		break;
	case -EPERM:
	case -EACCES:
		say(CONTROL_DIRECTORY "/%s: %s: run it as root, with CAP_SYS_ADMIN in the initial user namespace",
		    name, strerror(-error));
		break;
	default:
		say(CONTROL_DIRECTORY "/%s: %s", name, strerror(-error));
	}
}

int control_status_or_say(struct control_status *status)
{
	int error = control_status(status);

	if (error)
		control_say_failed("status", error);
	return error;
}
