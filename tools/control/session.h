/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/evtlog/session: orders that the kernel undoes when this process ends, even if it is killed.
 */
#ifndef EVTLOG_CONTROL_SESSION_H
#define EVTLOG_CONTROL_SESSION_H

#include <stdbool.h>

/* As many as the kernel takes */
#define CONTROL_SESSION_ORDERS	64

/*
 * @fd:		of the open file
 * @orders:	@count of them, the newest last: their files, and whether they have an @otherwise
 */
struct control_session {
	int fd;
	unsigned int count;
	struct {
		const char *file;
		bool has_otherwise;
	} orders[CONTROL_SESSION_ORDERS];
};

/** control_session_open() - open a session without orders; prints errors; returns 0 or -errno */
int control_session_open(struct control_session *session);

/**
 * control_session_order() - write to a control file, and undo that when the session ends
 * @file:	below /proc/evtlog; the string lives as long as the session
 * @order:	what to write now; NULL: nothing
 * @undo:	what to write at the end, if @order succeeded
 * @otherwise:	what to write at the end if @undo names a process that has ended; NULL: it names
 *		none
 *
 * Return: 0 or -errno, as control_write().
 */
int control_session_order(struct control_session *session, const char *file, const char *order,
			  const char *undo, const char *otherwise);

/**
 * control_session_undo() - undo the newest order
 *
 * Return: 0 or -errno of its file.  After -EBUSY or -ENOMEM the order is still there, else it is gone.
 */
int control_session_undo(struct control_session *session);

/** control_session_keep() - forget the newest order: another program owns what it changed */
void control_session_keep(struct control_session *session);

/**
 * control_session_undo_to() - undo all orders but the first @count
 *
 * Prints what fails, unless the thing to be undone is gone already.
 */
void control_session_undo_to(struct control_session *session, unsigned int count);

/** control_session_close() - undo all, as control_session_undo_to(); allowed after a failed open */
void control_session_close(struct control_session *session);

#endif /* EVTLOG_CONTROL_SESSION_H */
