// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads and writes the control files of /proc/evtlog, arms the kernel, and prints why this failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffers.h"
#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "control.h"
#include "file.h"
#include "watches.h"

static int open_control(const char *name, int flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), CONTROL_DIRECTORY "/%s", name);
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int control_read_bytes(const char *name, char **bytes, size_t *length)
{
	int fd = open_control(name, O_RDONLY), error;

	if (fd < 0)
		return fd;
	error = control_file_read(fd, bytes, length);
	close(fd);
	return error;
}

int control_read(const char *name, char **text)
{
	size_t length;

	return control_read_bytes(name, text, &length);
}

int control_write(const char *name, const char *text)
{
	int fd = open_control(name, O_WRONLY), error;

	if (fd < 0)
		return fd;
	error = control_file_write(fd, text);
	close(fd);
	return error;
}

int control_status(struct control_status *status)
{
	char *text;
	int error;

	memset(status, 0, sizeof(*status));
	error = control_read("status", &text);
	if (error)
		return error;
	error = control_status_parse(status, text);
	free(text);
	return error;
}

void control_say_tree(void)
{
	char *text;

	/* Kernels without trees do not have this file. */
	if (control_read("run_tree", &text))
		return;
	text[strcspn(text, "\n")] = '\0';
	if (strcmp(text, "all"))
		pr_warn("only events of tree %s are recorded, because of " CONTROL_DIRECTORY "/run_tree; evtlog record --tree all records all tasks; echo all > " CONTROL_DIRECTORY "/run_tree removes the choice",
			text);
	free(text);
}

void control_say_sampler(void)
{
	struct control_status status;

	if (control_status(&status))
		return;
	control_status_free(&status);
	if (status.sampler.interval[0])
		pr_warn("tasks are also sampled (interval %s, tree %s), because of " CONTROL_DIRECTORY "/sampler; echo off > " CONTROL_DIRECTORY "/sampler switches the sampler off",
			status.sampler.interval, status.sampler.tree);
}

/* Counts the holders that control_say_tree() and control_say_sampler() already reported. */
static unsigned int known_holders(int pid)
{
	struct control_status status;
	unsigned int count = 0;
	char *text;

	if (!control_read("run_tree", &text)) {
		count += atoi(text) == pid;
		free(text);
	}
	if (!control_status(&status)) {
		count += status.sampler.interval[0] && atoi(status.sampler.tree) == pid;
		control_status_free(&status);
	}
	return count;
}

void control_say_marks(void)
{
	char *text, pids[80] = "";
	unsigned int holders;
	size_t used = 0;
	int pid;

	if (control_read("trees", &text))
		return;
	for (const char *at = text; (at = strstr(at, "pid ")); at++)
		if (sscanf(at, "pid %d holders %u", &pid, &holders) == 2 &&
		    holders > known_holders(pid) && used < sizeof(pids))
			used += snprintf(pids + used, sizeof(pids) - used, "%s%d", used ? " " : "",
					 pid);
	if (pids[0])
		pr_warn("trees of tasks are marked already: %s in " CONTROL_DIRECTORY "/trees; echo -NUMBER > " CONTROL_DIRECTORY "/trees removes one",
			pids);
	free(text);
}

/* Prints the reason why a file does not exist. */
static void say_missing(const char *name)
{
	static const struct {
		const char *name, *what;
	} parts[] = {
		{ "probes", "probes; boot one with CONFIG_EVTLOG_PROBE" },
		{ CONTROL_BUFFERS, "named buffers; boot one with this evtlog's patches" },
		{ CONTROL_WATCHES, "watches; boot one with this evtlog's patches" },
		{ CONTROL_MATCHES, "watches; boot one with this evtlog's patches" },
	};
	const char *what = "evtlog: boot a patched kernel or load the module; see evtlog(7)";

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && !access(CONTROL_DIRECTORY, F_OK); i++)
		if (!strcmp(name, parts[i].name))
			what = parts[i].what;
	pr_err(CONTROL_DIRECTORY "/%s: this kernel has no %s", name, what);
}

void control_say_failed(const char *name, int error)
{
	switch (error) {
	case -ENOENT:
		say_missing(name);
		break;
	case -EPERM:
		if (control_is_locked_down()) {
			pr_err(CONTROL_DIRECTORY "/%s: %s: the kernel is locked down, also for root: boot with lockdown=integrity or without lockdown",
			       name, strerror(-error));
			break;
		}
		/* fall through */
	case -EACCES:
		pr_err(CONTROL_DIRECTORY "/%s: %s: this needs root with CAP_SYS_ADMIN%s in the initial user namespace, and a kernel that is not locked down%s",
		       name, strerror(-error),
		       strcmp(name, "probes") ? "" : " and CAP_SYS_MODULE",
		       strcmp(name, "status") ? "" : "; or CAP_PERFMON and the group of evtlog.gid");
		break;
	case -E2BIG:
		pr_err(CONTROL_DIRECTORY "/%s: the text to write is too long; make it shorter", name);
		break;
	default:
		pr_err(CONTROL_DIRECTORY "/%s: %s", name, strerror(-error));
	}
}

void control_say_refused(const char *file, const char *what, int error)
{
	char *text;

	/* The kernel did not see this order: its sentence is about an earlier one. */
	if (error == -E2BIG) {
		pr_err("%s: too long; make it shorter", what);
		return;
	}
	if (error == -EPERM || error == -EACCES || control_read(file, &text)) {
		control_say_failed(file, error);
		return;
	}
	text[strcspn(text, "\n")] = '\0';
	if (!strncmp(text, "error ", 6))
		pr_err("%s: %s", what, text + 6);
	else
		control_say_failed(file, error);
	free(text);
}

void control_say_order_failed(int error)
{
	if (error == -ENOMEM)
		pr_err(CONTROL_DIRECTORY "/enable: no memory for the buffers: use fewer or smaller ones (buffers, buffer_kb)");
	else
		control_say_failed("enable", error);
}

int control_status_or_say(struct control_status *status)
{
	int error = control_status(status);

	if (error)
		control_say_failed("status", error);
	return error;
}

/* ---- Arming, for `evtlog start --arm` and `evtlog stop --disarm` ---- */

static void say_not_armed(const char *order, int error, const struct control_status *status)
{
	switch (error) {
	case -EINVAL:
		pr_err(CONTROL_DIRECTORY "/enable: this kernel does not support '%s', and arms at each start: boot a newer kernel",
		       order);
		break;
	case -EBUSY:
		pr_err("run %" PRIu64 " is being recorded; end it with evtlog stop", status->run);
		break;
	default:
		control_say_order_failed(error);
	}
}

static void print_armed(const struct control_status *status, bool as_json)
{
	struct json json;

	if (as_json) {
		json_start(&json, stdout, false);
		json_object(&json, NULL);
		json_bool(&json, "armed", status->is_armed);
		json_u64(&json, "buffers", status->buffers);
		json_u64(&json, "buffer_kb", status->buffer_kb);
		json_u64(&json, "logger", status->logger);
		json_end(&json);
	} else if (status->is_armed && status->is_recording) {
		printf("armed: run %" PRIu64 " is being recorded; the kernel stays armed when it stops\n",
		       status->run);
	} else if (status->is_armed) {
		printf("armed: %u x %u KiB per CPU; ready for evtlog start\n",
		       status->buffers, status->buffer_kb);
	} else {
		printf("disarmed\n");
		if (status->logger)
			pr_info("logd does not arm the kernel again; evtlog start --arm arms it, and evtlog start arms it for one run");
	}
}

int control_arm(bool arms, bool as_json)
{
	const char *order = arms ? "arm" : "disarm";
	struct control_status status;
	int error;

	if (control_status_or_say(&status))
		return EXIT_FAILED;
	control_status_free(&status);
	error = control_write("enable", order);
	if (error) {
		say_not_armed(order, error, &status);
		return EXIT_FAILED;
	}
	if (control_status_or_say(&status))
		return EXIT_FAILED;
	control_status_free(&status);
	print_armed(&status, as_json);
	return EXIT_OK;
}
