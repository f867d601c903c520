/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports the daemon's state to a service manager, with the protocol of sd_notify(3).
 */
#ifndef EVTLOG_LOGD_SD_NOTIFY_H
#define EVTLOG_LOGD_SD_NOTIFY_H

/** notify_open() - connect to $NOTIFY_SOCKET; without it, all calls do nothing */
void notify_open(void);
void notify_close(void);

void notify_ready(void);
void notify_reloading(void);
void notify_stopping(void);
void notify_status(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* EVTLOG_LOGD_SD_NOTIFY_H */
