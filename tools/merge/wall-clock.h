/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts times on the common timeline to dates.
 *
 * The points are written into merged files, so that reading these gives the same dates.  Between
 * two points, the conversion is linear.
 */
#ifndef EVTLOG_MERGE_WALL_CLOCK_H
#define EVTLOG_MERGE_WALL_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "input/log-set.h"

#define REAL_POINTS_MAX	64
#define REAL_STEPS_MAX	32

struct real_point {
	int64_t time_ns;
	int64_t real_ns;
};

struct real_points {
	size_t count;
	struct real_point at[REAL_POINTS_MAX + 2 * REAL_STEPS_MAX];
};

/* Makes points of the reference's clock: evenly over the run, and on both sides of its steps. */
void real_points_make(struct real_points *points, const struct logs *logs);

/* Reads the points of a merged file. */
void real_points_read(struct real_points *points,
		      const struct evtlog_merged *merged);

/* Returns CLOCK_REALTIME of the reference at @time_ns. */
int64_t real_at(const struct real_points *points, int64_t time_ns);

#endif /* EVTLOG_MERGE_WALL_CLOCK_H */
