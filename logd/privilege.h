/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the daemon is scheduled and locked in memory, and what it gives up.
 */
#ifndef EVTLOG_LOGD_PRIVILEGE_H
#define EVTLOG_LOGD_PRIVILEGE_H

struct config;

/**
 * privilege_apply() - affinity, real-time priority, locked memory
 *
 * What is refused is said and done without: a log with a slower logger is
 * better than none.
 */
void privilege_apply(const struct config *config);

/**
 * privilege_drop() - keep only what writing files needs
 *
 * To be called when /proc/evtlog is open and privilege_apply() is done.
 * Returns 0 or -errno.
 */
int privilege_drop(void);

/** privilege_drop_all() - keep nothing; 0 or -errno */
int privilege_drop_all(void);

#endif /* EVTLOG_LOGD_PRIVILEGE_H */
