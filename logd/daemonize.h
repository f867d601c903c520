/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaves the terminal, and writes the pid file by which init scripts find the daemon.
 */
#ifndef EVTLOG_LOGD_DAEMONIZE_H
#define EVTLOG_LOGD_DAEMONIZE_H

/**
 * background_enter() - continue in a child process that has no terminal
 *
 * The parent waits here.  It exits with 0 when the child calls background_ready(), or with the
 * child's status if the child ends before: so the caller of logd gets the result of the start.
 * Returns 0 in the child, -errno in the parent.
 */
int background_enter(void);

/** background_ready() - end the parent, and switch from stderr to syslog */
void background_ready(void);

/**
 * background_leave() - call in a child of the daemon
 *
 * Its end is then not reported to the parent, and it does not keep the terminal open.
 */
void background_leave(void);

/** pid_file_write() - returns 0 or -errno; does nothing if @path is empty */
int pid_file_write(const char *path);
void pid_file_remove(const char *path);

#endif /* EVTLOG_LOGD_DAEMONIZE_H */
