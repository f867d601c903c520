/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets events and buffers back should the command that changed them be killed.
 *
 * Whoever lives to do it himself sends it home.
 */
#ifndef EVTLOG_RECORD_RESTORE_H
#define EVTLOG_RECORD_RESTORE_H

#include "control/control.h"

/* @pid: 0: there is none */
struct guard {
	pid_t pid;
	int gate;
};

/*
 * guard_start() - have a process of its own wait for our end
 * @events:	to write then; NULL: they stay
 * @before:	the status; a run later than its run is ended, too
 *
 * Returns 0 or -errno, and says nothing.
 */
int guard_start(struct guard *guard, const char *events, const struct control_status *before);

/* It is not needed any more; as often as you like. */
void guard_dismiss(struct guard *guard);

#endif /* EVTLOG_RECORD_RESTORE_H */
