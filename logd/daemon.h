/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The daemon as a process: its terminal and pid file, its privileges, its service manager.
 */
#ifndef EVTLOG_LOGD_DAEMON_H
#define EVTLOG_LOGD_DAEMON_H

struct config;

/* ---- The terminal, and the pid file by which init scripts find the daemon ---- */

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

/* ---- Scheduling, memory locking, and privileges ---- */

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

/* ---- The daemon's state for a service manager, by sd_notify(3) ---- */

/** notify_open() - connect to $NOTIFY_SOCKET; without it, all calls do nothing */
void notify_open(void);
void notify_close(void);

void notify_ready(void);
void notify_reloading(void);
void notify_stopping(void);
void notify_status(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* EVTLOG_LOGD_DAEMON_H */
