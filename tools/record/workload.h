/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command that evtlog record runs, and signals during this time.
 */
#ifndef EVTLOG_RECORD_WORKLOAD_H
#define EVTLOG_RECORD_WORKLOAD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* @gate: a byte starts the command, closing it cancels; @report: errno if exec fails */
struct workload {
	pid_t pid;
	int gate;
	int report;
};

/**
 * workload_signals() - from now on, only note SIGINT, SIGTERM, SIGHUP and SIGQUIT
 *
 * They are blocked except in the functions that wait.  The previous mask is saved for the
 * command.
 */
void workload_signals(void);

/** workload_interrupted() - returns true if such a signal came */
bool workload_interrupted(void);

/**
 * workload_prepare() - create the process, which waits at the gate
 *
 * The slow part of starting the command is then done.  Returns 0 or -errno.
 */
int workload_prepare(struct workload *workload, char **argv);

/**
 * workload_prepare_with() - the same
 * @begin:	called in the process right before the command is run; returns 0 or an errno
 */
int workload_prepare_with(struct workload *workload, char **argv, int (*begin)(void *context),
			  void *context);

/** workload_go() - run the command; returns 0, or -errno if it cannot be run */
int workload_go(struct workload *workload);

/** workload_cancel() - end the process at the gate */
void workload_cancel(struct workload *workload);

/**
 * workload_wait() - wait for the command and forward signals
 * @status:	as for waitpid()
 *
 * A signal sent to this process is forwarded; a signal from the terminal reaches the command
 * directly.  A second signal ends the wait.  Returns 0 or -EINTR.
 */
int workload_wait(struct workload *workload, int *status);

/** workload_wait_signal() - wait for a signal if there is no command */
void workload_wait_signal(void);

/**
 * workload_wait_fd() - wait until @fd is readable, a signal comes, or the timeout
 * @timeout_ms:	-1 for no timeout
 *
 * Returns true if @fd is readable.
 */
bool workload_wait_fd(int fd, int timeout_ms);

/** workload_restore_mask() - for other children: restore the previous signal mask */
void workload_restore_mask(void);

#endif /* EVTLOG_RECORD_WORKLOAD_H */
