// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * All CPUs' events in the order of time: the public functions.
 *
 * lanes.c does the work.
 */
#include <errno.h>
#include <stdlib.h>

#include "lanes.h"

struct evtlog_cpu_merge {
	struct lanes lanes;
};

int evtlog_cpu_merge_new(struct evtlog_file *file, struct evtlog_cpu_merge **mergep)
{
	struct evtlog_cpu_merge *merge = calloc(1, sizeof(*merge));
	int error;

	*mergep = NULL;
	if (!merge)
		return -ENOMEM;
	error = lanes_open(&merge->lanes, file, 0);
	if (error) {
		evtlog_cpu_merge_free(merge);
		return error;
	}
	*mergep = merge;
	return 0;
}

void evtlog_cpu_merge_free(struct evtlog_cpu_merge *merge)
{
	if (!merge)
		return;
	lanes_close(&merge->lanes);
	free(merge);
}

int evtlog_cpu_merge_next(struct evtlog_cpu_merge *merge,
			  const struct evtlog_event **eventp)
{
	return lanes_next(&merge->lanes, eventp);
}

const struct evtlog_stream_counts *
evtlog_cpu_merge_counts(const struct evtlog_cpu_merge *merge, unsigned int slot)
{
	return evtlog_stream_counts(merge->lanes.streams[slot]);
}

uint64_t evtlog_cpu_merge_position(const struct evtlog_cpu_merge *merge)
{
	return lanes_position(&merge->lanes);
}
