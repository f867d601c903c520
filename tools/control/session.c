// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes commands through /proc/evtlog/session.
 *
 * The kernel stores the texts that undo them: see kernel/evtlog/session.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/error.h"
#include "control.h"
#include "file.h"
#include "session.h"

#define SESSION	"session"

int control_session_open(struct control_session *session)
{
	int error = 0;

	session->count = 0;
	session->fd = open(CONTROL_DIRECTORY "/" SESSION, O_WRONLY | O_CLOEXEC);
	if (session->fd < 0)
		error = -errno;
	/* The file exists since evtlog 0.12: distinguish an older evtlog from none. */
	if (error == -ENOENT && access(CONTROL_DIRECTORY "/status", F_OK) == 0)
		pr_err(CONTROL_DIRECTORY "/" SESSION ": the kernel has an older evtlog than this program: boot a kernel with the same version");
	else if (error)
		control_say_failed(SESSION, error);
	return error;
}

int control_session_order(struct control_session *session, const char *file, const char *order,
			  const char *undo, const char *otherwise)
{
	char *text;
	int error;

	if (session->count == CONTROL_SESSION_ORDERS)
		return -ENOSPC;
	if (asprintf(&text, "%s%s%s\nundo %s%s%s", file, order ? " " : "", order ? order : "", undo,
		     otherwise ? "\nelse " : "", otherwise ? otherwise : "") < 0)
		return -ENOMEM;
	error = control_file_write(session->fd, text);
	free(text);
	if (error)
		return error;
	session->orders[session->count].file = file;
	session->orders[session->count++].has_otherwise = otherwise;
	return 0;
}

/* Returns true if the command is still to be undone. */
static bool is_left(int error)
{
	return error == -EBUSY || error == -ENOMEM;
}

int control_session_undo(struct control_session *session)
{
	int error = control_file_write(session->fd, "undo");

	if (!is_left(error))
		session->count--;
	return error;
}

void control_session_keep(struct control_session *session)
{
	control_file_write(session->fd, "keep");
	session->count--;
}

static void say_undone(const char *file, bool has_otherwise, int error)
{
	if (error == -EBUSY)
		pr_warn(CONTROL_DIRECTORY "/%s: busy; the kernel tries to restore it for up to a minute",
			file);
	else if (error == -ESRCH && has_otherwise)
		pr_warn(CONTROL_DIRECTORY "/%s: not restored, because the process that it named has ended",
			file);
	else if (error != -ENOENT && error != -ESRCH)
		control_say_failed(file, error);
}

void control_session_undo_to(struct control_session *session, unsigned int count)
{
	while (session->count > count) {
		unsigned int newest = session->count - 1;
		int error = control_session_undo(session);

		if (error)
			say_undone(session->orders[newest].file,
				   session->orders[newest].has_otherwise, error);
		if (is_left(error))
			return;
	}
}

void control_session_close(struct control_session *session)
{
	if (session->fd < 0)
		return;
	control_session_undo_to(session, 0);
	close(session->fd);
	session->fd = -1;
}
