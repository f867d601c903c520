/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/evtlog/session: commands that the kernel undoes when this process ends or is killed.
 */
#ifndef EVTLOG_CONTROL_SESSION_H
#define EVTLOG_CONTROL_SESSION_H

#include <stdbool.h>

/* The kernel's limit. */
#define CONTROL_SESSION_ORDERS	64

/*
 * @fd:		the open file
 * @orders:	@count commands, the newest last: the file that each was written to, and whether
 *		it has an @otherwise
 */
struct control_session {
	int fd;
	unsigned int count;
	struct {
		const char *file;
		bool has_otherwise;
	} orders[CONTROL_SESSION_ORDERS];
};

/** control_session_open() - open a session without commands; prints errors; returns 0 or -errno */
int control_session_open(struct control_session *session);

/**
 * control_session_order() - write to a control file, and undo this when the session ends
 * @file:	name in /proc/evtlog; the string must live as long as the session
 * @order:	text to write now, NULL for none
 * @undo:	text to write at the end, if writing @order succeeded
 * @otherwise:	text to write at the end if the process that @undo names has ended; NULL if @undo
 *		names no process
 *
 * Return: 0 or -errno, as control_write().
 */
int control_session_order(struct control_session *session, const char *file, const char *order,
			  const char *undo, const char *otherwise);

/**
 * control_session_undo() - undo the newest command
 *
 * Return: 0 or the -errno of its file.  After -EBUSY or -ENOMEM the command remains in the
 * session.  After any other result it is removed.
 */
int control_session_undo(struct control_session *session);

/** control_session_keep() - drop the newest command: another program now owns what it changed */
void control_session_keep(struct control_session *session);

/**
 * control_session_undo_to() - undo all commands but the first @count
 *
 * Prints errors, unless the object to restore no longer exists.
 */
void control_session_undo_to(struct control_session *session, unsigned int count);

/** control_session_close() - undo all commands; allowed after a failed control_session_open() */
void control_session_close(struct control_session *session);

#endif /* EVTLOG_CONTROL_SESSION_H */
