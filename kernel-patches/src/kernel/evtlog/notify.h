/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is notified of full buffers, and how.
 */
#ifndef EVTLOG_NOTIFY_H
#define EVTLOG_NOTIFY_H

#include <linux/types.h>
#include <linux/wait.h>

extern struct wait_queue_head evtlog_readers;

int evtlog_logger_announce(pid_t nr);
pid_t evtlog_logger_pid(void);
void evtlog_notify(void);
void evtlog_notify_init(void);

#endif /* EVTLOG_NOTIFY_H */
