/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command that evtlog record runs, and the signals meanwhile.
 */
#ifndef EVTLOG_RECORD_WORKLOAD_H
#define EVTLOG_RECORD_WORKLOAD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* @gate: closed to let the command go; @report: its errno if it can't */
struct workload {
	pid_t pid;
	int gate;
	int report;
};

/**
 * workload_signals() - from now on INT, TERM, HUP and QUIT only take notes
 *
 * They are blocked but for workload_wait() and workload_wait_signal().  The
 * mask of before is kept for the command.
 */
void workload_signals(void);

/** workload_interrupted() - such a signal came */
bool workload_interrupted(void);

/**
 * workload_prepare() - make the process, which waits at the gate
 *
 * What takes time before the command runs is over when this returns.
 * Returns 0 or -errno.
 */
int workload_prepare(struct workload *workload, char **argv);

/**
 * workload_prepare_with() - the same
 * @begin:	called in the process once it may go, right before the command: 0 or an errno
 */
int workload_prepare_with(struct workload *workload, char **argv, int (*begin)(void *context),
			  void *context);

/** workload_go() - run the command; 0, or -errno when there is none such */
int workload_go(struct workload *workload);

/** workload_cancel() - end the process at the gate */
void workload_cancel(struct workload *workload);

/**
 * workload_wait() - wait for the command, passing signals on
 * @status:	as of waitpid()
 *
 * A signal of the terminal reaches the command by itself, one sent to us is
 * passed on; a second one ends the waiting.  Returns 0 or -EINTR.
 */
int workload_wait(struct workload *workload, int *status);

/** workload_wait_signal() - wait for a signal when there is no command */
void workload_wait_signal(void);

/**
 * workload_wait_fd() - wait until @fd can be read, a signal comes, or time is over
 * @timeout_ms:	-1: without end
 *
 * Returns whether it can be read.
 */
bool workload_wait_fd(int fd, int timeout_ms);

/** workload_restore_mask() - for other children: signals as they were before */
void workload_restore_mask(void);

#endif /* EVTLOG_RECORD_WORKLOAD_H */
