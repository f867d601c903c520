/* SPDX-License-Identifier: GPL-2.0-only */
/* /proc/evtlog/session: orders that are undone when it is closed. */
#ifndef EVTLOG_SESSION_H
#define EVTLOG_SESSION_H

struct proc_ops;

extern const struct proc_ops evtlog_session_ops;

int evtlog_session_init(void);
void evtlog_session_exit(void);

#endif /* EVTLOG_SESSION_H */
