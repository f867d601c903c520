/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of programs that write logs, logd and evtlog buffer record: "logd: object: cause".
 */
#ifndef EVTLOG_COMMON_SAY_H
#define EVTLOG_COMMON_SAY_H

/** say_as() - print messages in the name of this program; default: evtlog */
void say_as(const char *name);

/**
 * say_to_syslog() - from now on, send messages to syslog instead of stderr
 *
 * Before, they go to stderr, with a prefix "<level>" if stderr is the journal.
 */
void say_to_syslog(void);

/* Call after closing files that may include syslog's. */
void say_reopen(void);

/* Selects whether say_info() and say_detail() print; warnings and errors are always printed. */
enum say_amount { SAY_LITTLE, SAY_NORMAL, SAY_MUCH };

void say_how_much(enum say_amount amount);

void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* EVTLOG_COMMON_SAY_H */
