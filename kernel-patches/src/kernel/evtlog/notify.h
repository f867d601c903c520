/* SPDX-License-Identifier: GPL-2.0-only */
/* Notifies the logger and pollers of full buffers */
#ifndef EVTLOG_NOTIFY_H
#define EVTLOG_NOTIFY_H

#include <linux/types.h>
#include <linux/wait.h>

/* Woken when any CPU hands over a buffer */
extern struct wait_queue_head evtlog_handed;

struct wait_queue_head *evtlog_readers_of(unsigned int cpu);
int evtlog_logger_announce(pid_t nr);
pid_t evtlog_logger_pid(void);
bool evtlog_logger_is_current(void);
void evtlog_notify(void);
void evtlog_notify_init(void);
void evtlog_notify_exit(void);
void evtlog_wait_for_room(unsigned int words, unsigned long until);

#endif /* EVTLOG_NOTIFY_H */
