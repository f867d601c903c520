/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaving the terminal, and the pid file by which init scripts find the daemon.
 */
#ifndef EVTLOG_LOGD_DAEMONIZE_H
#define EVTLOG_LOGD_DAEMONIZE_H

/**
 * background_enter() - go on in a child that has no terminal
 *
 * The parent waits here and exits 0 when the child calls background_ready(),
 * or with the child's status if that ends before: who started logd learns
 * whether it runs.  Returns 0 in the child, -errno in the parent.
 */
int background_enter(void);

/** background_ready() - let the parent go, and turn from stderr to syslog */
void background_ready(void);

/**
 * background_leave() - in a child of the daemon: have no part in the above
 *
 * Its end does not tell the parent anything, and it holds no terminal.
 */
void background_leave(void);

/** pid_file_write() - 0 or -errno; does nothing for an empty path */
int pid_file_write(const char *path);
void pid_file_remove(const char *path);

#endif /* EVTLOG_LOGD_DAEMONIZE_H */
