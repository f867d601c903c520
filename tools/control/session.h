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
 * @orders:	@count of them, the newest last: their files, and whether they had an alternative
 */
struct control_session {
	int fd;
	unsigned int count;
	struct {
		const char *file;
		bool has_otherwise;
	} orders[CONTROL_SESSION_ORDERS];
};

/** control_session_open() - begin without orders; 0 or -errno, after saying what is wrong */
int control_session_open(struct control_session *session);

/**
 * control_session_order() - write to a control file, and have that undone
 * @file:	below /proc/evtlog; lives as long as the session
 * @order:	what to write; NULL: nothing
 * @undo:	what to write there in the end; only if @order succeeded
 * @otherwise:	the same if the process that @undo names has ended; NULL: there is no such process
 *
 * Return: 0 or -errno, as control_write().
 */
int control_session_order(struct control_session *session, const char *file, const char *order,
			  const char *undo, const char *otherwise);

/**
 * control_session_undo() - undo the newest order
 *
 * Return: 0 or -errno of its file; with -EBUSY it is still to be undone, else it is not any more.
 */
int control_session_undo(struct control_session *session);

/** control_session_keep() - the newest order is not undone: what it changed is another's by now */
void control_session_keep(struct control_session *session);

/**
 * control_session_undo_to() - undo what is newer than the first @count orders
 *
 * What is not there any more needs no undoing; what else fails is said.
 */
void control_session_undo_to(struct control_session *session, unsigned int count);

/** control_session_close() - undo all, as control_session_undo_to(); also after a failed open */
void control_session_close(struct control_session *session);

#endif /* EVTLOG_CONTROL_SESSION_H */
