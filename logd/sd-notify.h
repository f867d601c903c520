/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells a service manager how the daemon is: sd_notify(3)'s protocol.
 */
#ifndef EVTLOG_LOGD_SD_NOTIFY_H
#define EVTLOG_LOGD_SD_NOTIFY_H

/**
 * notify_open() - remember $NOTIFY_SOCKET; without one all calls do nothing
 */
void notify_open(void);
void notify_close(void);

void notify_ready(void);
void notify_reloading(void);
void notify_stopping(void);
void notify_status(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* EVTLOG_LOGD_SD_NOTIFY_H */
