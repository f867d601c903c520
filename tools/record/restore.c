// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sets events and buffers back if the process that changed them ended suddenly.
 *
 * Called by session.c; guard.c waits.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/error.h"
#include "restore.h"
#include "run-file.h"

/* What the guard has of us */
struct restore {
	const char *events;
	const struct control_status *before;
	const char *output;
};

static bool write_number(const char *name, unsigned int number)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", number);
	return !control_write(name, text);
}

/* Nobody gives the run's file the name that was asked for any more. */
static void say_where(const char *output, const struct control_status *now)
{
	struct logger_directory directory = { .path = "." };
	const char *slash = strrchr(output, '/');
	struct logger_file file = { 0 };

	if (slash)
		snprintf(directory.path, sizeof(directory.path), "%.*s",
			 (int)(slash - output) + (slash == output), output);
	directory.fd = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory.fd >= 0) {
		logger_find_file(&directory, now, &file);
		close(directory.fd);
	}
	if (file.path[0])
		pr_warn("%s: evtlog was killed before it could give the run that name: run %" PRIu64 " is in %s%s",
			output, now->run, file.path,
			file.is_complete ? "" : ", which is not complete");
	else
		pr_warn("%s: evtlog was killed, and run %" PRIu64 " is in no file: start logd, which saves what the kernel has of it",
			output, now->run);
}

/* Whether all is as it was.  A logger that was not there before holds the buffers. */
static bool set_back(void *context)
{
	const struct restore *restore = context;
	const struct control_status *before = restore->before;
	const char *events = restore->events;
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
	if (restore->output && now.run > before->run) {
		/* It is still saving the run. */
		done &= !now.logger;
		if (done)
			say_where(restore->output, &now);
	}
	control_status_free(&now);
	return done;
}

int restore_guard(struct guard *guard, const char *events, const struct control_status *before,
		  const char *output)
{
	struct restore restore = { .events = events, .before = before, .output = output };

	return guard_start(guard, set_back, &restore);
}
