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

int undo_add_tree(struct undo *undo, const char *file, const char *text, const char *otherwise)
{
	char *copy = undo->count < UNDO_MAX ? strdup(text) : NULL;

	if (!copy)
		return -ENOMEM;
	undo->writes[undo->count].file = file;
	undo->writes[undo->count].otherwise = otherwise;
	undo->writes[undo->count++].text = copy;
	return 0;
}

int undo_add(struct undo *undo, const char *file, const char *text)
{
	return undo_add_tree(undo, file, text, NULL);
}

/* A tree whose process has ended can be kept, but not be set again. */
static bool is_as_before(const char *file, const char *text)
{
	bool is_same;
	char *now;

	if (control_read(file, &now))
		return false;
	now[strcspn(now, "\n")] = '\0';
	is_same = !strcmp(now, text);
	free(now);
	return is_same;
}

/* What is not there needs not be taken back.  -ESRCH: it is what is written otherwise. */
static int write_back(const struct undo *undo, unsigned int i)
{
	const char *file = undo->writes[i].file, *otherwise = undo->writes[i].otherwise;
	int error;

	if (otherwise && is_as_before(file, undo->writes[i].text))
		return 0;
	error = control_write(file, undo->writes[i].text);
	if (error == -ESRCH && otherwise) {
		error = control_write(file, otherwise);
		return error ? error : -ESRCH;
	}
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
		if (error == -ESRCH)
			pr_warn(CONTROL_DIRECTORY "/%s: '%s' cannot be set again, as its process has ended; it is '%s' now",
				undo->writes[i].file, undo->writes[i].text,
				undo->writes[i].otherwise);
		else if (error)
			control_say_failed(undo->writes[i].file, error);
		free(undo->writes[i].text);
	}
	undo->count = 0;
}
