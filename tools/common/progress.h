/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows on a terminal how far long work is; says nothing elsewhere.
 */
#ifndef EVTLOG_COMMON_PROGRESS_H
#define EVTLOG_COMMON_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

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

#endif /* EVTLOG_COMMON_PROGRESS_H */
