/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the commands of evtlog talk on stderr: "evtlog: object: cause".
 *
 * It does not print results: those go to stdout, by the command itself or
 * through json.h.
 */
#ifndef EVTLOG_COMMON_ERROR_H
#define EVTLOG_COMMON_ERROR_H

/*
 * pr_err() - "evtlog: " and the message on stderr, as a line of its own; a newline is added
 * pr_warn(), pr_info() - the same, of what does not keep the command from its work
 */
void pr_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define pr_err(...)	pr_message(__VA_ARGS__)
#define pr_warn(...)	pr_message(__VA_ARGS__)
#define pr_info(...)	pr_message(__VA_ARGS__)

/*
 * The same for misuse: adds "Try 'evtlog COMMAND --help'." (no COMMAND if
 * NULL).  Returns EXIT_MISUSE, so that a command can say `return misuse(...)`.
 */
int misuse(const char *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Flushes stdout.  A command's last call: a full disk or a closed pipe must
 * not pass for success.  Returns @status, or EXIT_FAILED after saying why.
 */
int finish(int status);

#endif /* EVTLOG_COMMON_ERROR_H */
