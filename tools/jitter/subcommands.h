/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of `evtlog jitter`.
 *
 * What they share beyond that is in headers of its own.
 */
#ifndef EVTLOG_JITTER_SUBCOMMANDS_H
#define EVTLOG_JITTER_SUBCOMMANDS_H

#include "common/command.h"

/*
 * Each is a const struct evtlog_command jitter_NAME, and a line here, in the order
 * `evtlog jitter --help` shows them.  Its messages are of "jitter NAME".
 */
#define JITTER_COMMANDS(X) \
	X(run) \
	X(report) \
	X(picture) \
	X(diff) \
	X(scale)

/* Weak: the test machine's program is linked without what draws. */
#define X(name) extern const struct evtlog_command jitter_##name __attribute__((weak));
JITTER_COMMANDS(X)
#undef X

#endif /* EVTLOG_JITTER_SUBCOMMANDS_H */
