/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages to whoever runs the daemon: "logd: object: cause".
 */
#ifndef EVTLOG_LOGD_LOG_H
#define EVTLOG_LOGD_LOG_H

/**
 * say_to_syslog() - from now on messages go to syslog instead of stderr
 *
 * Until then they go to stderr, with the journal's "<level>" in front where
 * stderr is the journal.
 */
void say_to_syslog(void);

/* Once files were closed that may have been syslog's. */
void say_reopen(void);

/* What say_info() and say_detail() do; warnings and errors are always said. */
enum say_amount { SAY_LITTLE, SAY_NORMAL, SAY_MUCH };

void say_how_much(enum say_amount amount);

void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* EVTLOG_LOGD_LOG_H */
