/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages to whoever runs the daemon: "logd: object: cause".
 */
#ifndef LOGD_SAY_H
#define LOGD_SAY_H

#include <stdbool.h>

/**
 * say_to_syslog() - from now on messages go to syslog instead of stderr
 *
 * Until then they go to stderr, with the journal's "<level>" in front where
 * stderr is the journal.
 */
void say_to_syslog(void);

/** say_verbose() - whether say_detail() says anything */
void say_verbose(bool on);

void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* LOGD_SAY_H */
