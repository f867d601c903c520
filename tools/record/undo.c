// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes back what was written to control files.
 *
 * The guard of restore.c ends the run of a command that was killed; until then the kernel refuses
 * what it allows between runs only, and it is tried again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "control/control.h"
#include "undo.h"

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

/* Whether all is taken back. */
static bool set_back(void *context)
{
	struct undo *undo = context;

	while (undo->done < undo->count && write_back(undo, undo->done) != -EBUSY)
		undo->done++;
	return undo->done == undo->count;
}

int undo_guard(struct undo *undo)
{
	return guard_start(&undo->guard, set_back, undo);
}

void undo_now(struct undo *undo)
{
	int error;

	guard_dismiss(&undo->guard);
	for (unsigned int i = 0; i < undo->count; i++) {
		error = write_back(undo, i);
		if (error)
			control_say_failed(undo->writes[i].file, error);
		free(undo->writes[i].text);
	}
	undo->count = 0;
}
