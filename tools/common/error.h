/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of the commands on stderr: "evtlog: object: cause".
 *
 * Results are not printed here: commands print them to stdout, directly or with json.h.
 */
#ifndef EVTLOG_COMMON_ERROR_H
#define EVTLOG_COMMON_ERROR_H

#include <stdbool.h>
#include <stdint.h>

/*
 * pr_err() - print "evtlog: ", the message and a newline to stderr
 * pr_warn(), pr_info() - the same, if the command continues
 */
void pr_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define pr_err(...)	pr_message(__VA_ARGS__)
#define pr_warn(...)	pr_message(__VA_ARGS__)
#define pr_info(...)	pr_message(__VA_ARGS__)

/*
 * Like pr_err(), for misuse: adds "Try 'evtlog COMMAND --help'." (without COMMAND if it is
 * NULL).  Returns EXIT_MISUSE, for use as `return misuse(...)`.
 */
int misuse(const char *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Flushes stdout, as the last call of a command: a full disk or a closed pipe is an error.
 * Returns @status, or EXIT_FAILED if writing failed.
 */
int finish(int status);

/* ---- Progress of long work, shown only on a terminal ---- */

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
/* Cheap, but too slow for each event: call it for every 65,536th event, for example. */
void progress_update(struct progress *progress, uint64_t done);
/* Erases the progress line. */
void progress_end(struct progress *progress);

#endif /* EVTLOG_COMMON_ERROR_H */
