/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the commands of evtlog talk on stderr: "evtlog: object: cause".
 *
 * It does not print results: those go to stdout, by the command itself or
 * through json.h.
 */
#ifndef EVTLOG_COMMON_ERROR_H
#define EVTLOG_COMMON_ERROR_H

#include <stdbool.h>
#include <stdint.h>

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

/* ---- Shows on a terminal how far long work is; says nothing elsewhere ---- */

struct progress {
	const char *what;
	uint64_t total;
	uint64_t began_ms;
	uint64_t shown_ms;
	bool terminal;
	bool shown;
};

void progress_begin(struct progress *progress, const char *what,
		    uint64_t total);
/* Cheap, but not for every event: say every 65,536th. */
void progress_update(struct progress *progress, uint64_t done);
/* Wipes what is shown. */
void progress_end(struct progress *progress);

#endif /* EVTLOG_COMMON_ERROR_H */
