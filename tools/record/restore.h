/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets events and buffers back should the command that changed them be killed.
 */
#ifndef EVTLOG_RECORD_RESTORE_H
#define EVTLOG_RECORD_RESTORE_H

#include "control/control.h"
#include "guard.h"

/*
 * restore_guard() - have a process of its own wait for our end; guard_dismiss() ends that
 * @events:	to write then; NULL: they stay
 * @before:	the status; a run later than its run is ended, too
 * @output:	the name that the run's file was to get, of which that process says then what became of it; NULL
 *
 * Returns 0 or -errno, and says nothing.
 */
int restore_guard(struct guard *guard, const char *events, const struct control_status *before,
		  const char *output);

#endif /* EVTLOG_RECORD_RESTORE_H */
