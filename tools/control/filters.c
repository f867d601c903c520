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

/*
 * Has the session restore the filters of @type, or of the types of the group @type.  It undoes the
 * newest order first: the deletion of the new filter comes before these.
 */
static int keep_filters(struct control_session *session, const char *type)
{
	size_t length = strlen(type);
	struct control_filter filter;
	char *text, *at, *line, *undo;
	int error = control_read(CONTROL_FILTERS, &text);

	if (error)
		return error;
	for (at = text; !error && (line = strsep(&at, "\n"));) {
		if (!control_filter_parse(&filter, line) || strncmp(filter.type, type, length) ||
		    (filter.type[length] && filter.type[length] != '_'))
			continue;
		if (asprintf(&undo, "%s %s", filter.type, filter.text) < 0) {
			error = -ENOMEM;
			break;
		}
		error = control_session_order(session, CONTROL_FILTERS, NULL, undo, NULL);
		free(undo);
	}
	free(text);
	return error;
}

int control_filter_set(struct control_session *session, const char *type, const char *condition)
{
	int error = session ? keep_filters(session, type) : 0;
	char *order;

	if (!error && asprintf(&order, "%s %s", type, condition) < 0)
		error = -ENOMEM;
	if (!error) {
		error = session ? control_session_order(session, CONTROL_FILTERS, order, type, NULL) :
				  control_write(CONTROL_FILTERS, order);
		free(order);
	}
	if (error)
		say_refused(type, error);
	return error;
}
