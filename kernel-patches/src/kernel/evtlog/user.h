/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NMIs that came in user mode, which the next USER_EXIT tells.
 *
 * Stage: beside the hooks of hook_user.c, for those that begin runs and for tests.
 */
#ifndef EVTLOG_USER_H
#define EVTLOG_USER_H

void evtlog_user_forget_nmis(void);

#endif /* EVTLOG_USER_H */
