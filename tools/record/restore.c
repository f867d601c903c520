// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sets events and buffers back if the process that changed them ended suddenly.
 *
 * Called by session.c; guard.c waits.
 */
#include <stdio.h>

#include "restore.h"

/* What the guard has of us */
struct restore {
	const char *events;
	const struct control_status *before;
};

static bool write_number(const char *name, unsigned int number)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", number);
	return !control_write(name, text);
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
	control_status_free(&now);
	return done;
}

int restore_guard(struct guard *guard, const char *events, const struct control_status *before)
{
	struct restore restore = { .events = events, .before = before };

	return guard_start(guard, set_back, &restore);
}
