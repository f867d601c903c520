/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of `evtlog jitter`.
 *
 * Declarations that they share are in other headers.
 */
#ifndef EVTLOG_JITTER_SUBCOMMANDS_H
#define EVTLOG_JITTER_SUBCOMMANDS_H

#include "common/command.h"

/*
 * For each command: a const struct evtlog_command jitter_NAME, and a line here, in the order of
 * `evtlog jitter --help`. Its messages name it "jitter NAME".
 */
#define JITTER_COMMANDS(X) \
	X(run) \
	X(report) \
	X(picture) \
	X(diff) \
	X(scale)

/* Weak: the program for the test machine is linked without the plotting code. */
#define X(name) extern const struct evtlog_command jitter_##name __attribute__((weak));
JITTER_COMMANDS(X)
#undef X

#endif /* EVTLOG_JITTER_SUBCOMMANDS_H */
