/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets the daemon's scheduling and memory locking, and drops privileges.
 */
#ifndef EVTLOG_LOGD_PRIVILEGE_H
#define EVTLOG_LOGD_PRIVILEGE_H

struct config;

/**
 * privilege_apply() - set affinity, nice or real-time priority, and lock memory
 *
 * A failure is printed and ignored: a log by a slower logger is better than none.
 */
void privilege_apply(const struct config *config);

/**
 * privilege_drop() - keep only the capabilities for writing files
 *
 * Call it after opening /proc/evtlog and after privilege_apply().  Returns 0 or -errno.
 */
int privilege_drop(void);

/** privilege_drop_all() - keep no capabilities; returns 0 or -errno */
int privilege_drop_all(void);

#endif /* EVTLOG_LOGD_PRIVILEGE_H */
