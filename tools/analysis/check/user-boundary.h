/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a CPU's records leave and enter user mode in turn.
 */
#ifndef EVTLOG_ANALYSIS_CHECK_USER_BOUNDARY_H
#define EVTLOG_ANALYSIS_CHECK_USER_BOUNDARY_H

#include <stdbool.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

enum boundary_side {
	BOUNDARY_UNKNOWN,	/* nothing was seen yet, or something was lost */
	BOUNDARY_USER,
	BOUNDARY_KERNEL,
};

/*
 * @exits, @enters: seen
 * @wrong:	a record in user mode, an exit behind an exit, a task that enters and
 *		does not run
 * @switches:	seen since something was lost: it is known who runs
 */
struct boundary {
	enum boundary_side side;
	uint64_t exits;
	uint64_t enters;
	uint64_t wrong;
	bool switches;
};

/* Takes the CPU's next event. */
void boundary_update(struct boundary *boundary, const struct evtlog_event *event);

/* What is wrong; nothing where only one side was recorded. */
uint64_t boundary_wrong(const struct boundary *boundary);

#endif /* EVTLOG_ANALYSIS_CHECK_USER_BOUNDARY_H */
