/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that a CPU's records leave and enter user mode alternately.
 */
#ifndef EVTLOG_ANALYSIS_CHECK_USER_BOUNDARY_H
#define EVTLOG_ANALYSIS_CHECK_USER_BOUNDARY_H

#include <stdbool.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

enum boundary_side {
	BOUNDARY_UNKNOWN,	/* no record yet, or records were lost */
	BOUNDARY_USER,
	BOUNDARY_KERNEL,
};

/*
 * @exits, @enters: numbers of records
 * @wrong:	number of records in user mode, of exits after an exit, and of entries by a task
 *		that does not run
 * @switches:	there was a switch since the last loss, so the running task is known
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

/* Number of errors; 0 if only one side was recorded */
uint64_t boundary_wrong(const struct boundary *boundary);

#endif /* EVTLOG_ANALYSIS_CHECK_USER_BOUNDARY_H */
