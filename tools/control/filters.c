// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sets and deletes the kernel's filters of events.
 *
 * The kernel compiles the condition, and prints what is wrong with it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "control.h"
#include "filters.h"

/* A line of the file: TYPE rejected N if CONDITION */
bool control_filter_parse(struct control_filter *filter, const char *line)
{
	int length = 0;

	if (sscanf(line, "%31s rejected %" SCNu64 " if %n", filter->type, &filter->rejected,
		   &length) != 2 || !length)
		return false;
	filter->text = line + length;
	return true;
}

static void say_refused(const char *type, int error)
{
	char *reason;

	if (error == -E2BIG) {
		pr_err("%s: its condition is too long: at most 1024 characters", type);
		return;
	}
	if ((error != -EINVAL && error != -EBUSY) || control_read("filters_error", &reason)) {
		control_say_failed(CONTROL_FILTERS, error);
		return;
	}
	if (strtok(reason, "\n"))
		pr_err("%s: %s", type, reason);
	else if (error == -EBUSY)
		pr_err("a run is being recorded; end it with evtlog stop");
	else
		pr_err("%s: %s", type, strerror(-error));
	free(reason);
}

/* The order that restores the filter of @type: "TYPE CONDITION", or "TYPE" if it has none. */
static char *make_undo(const char *type)
{
	struct control_filter filter;
	char *text, *at, *line, *undo = NULL;

	if (control_read(CONTROL_FILTERS, &text))
		return strdup(type);
	for (at = text; !undo && (line = strsep(&at, "\n"));)
		if (control_filter_parse(&filter, line) && !strcmp(filter.type, type) &&
		    asprintf(&undo, "%s %s", type, filter.text) < 0)
			break;
	free(text);
	return undo ? undo : strdup(type);
}

int control_filter_set(struct control_session *session, const char *type, const char *condition)
{
	char *order = NULL, *undo = NULL;
	int error = -ENOMEM;

	if (asprintf(&order, "%s %s", type, condition) < 0)
		order = NULL;
	else if (!session)
		error = control_write(CONTROL_FILTERS, order);
	else if ((undo = make_undo(type)))
		error = control_session_order(session, CONTROL_FILTERS, order, undo, NULL);
	if (error)
		say_refused(type, error);
	free(order);
	free(undo);
	return error;
}
