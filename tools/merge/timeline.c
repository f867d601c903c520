// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Converts times on a common timeline to dates.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "timeline.h"

static void add_point(struct real_points *points, const struct evtlog_file *file, int64_t at)
{
	if (points->count && at <= points->at[points->count - 1].time_ns)
		return;
	points->at[points->count++] = (struct real_point) {
		.time_ns = at,
		.real_ns = evtlog_real_ns(file, at),
	};
}

void real_points_make(struct real_points *points, const struct logs *logs)
{
	size_t reference = evtlog_clocksync_reference(logs->hosts), steps = 0;
	const struct evtlog_file *file = logs->files[reference].file;
	int64_t begin_ns = evtlog_begin_ns(file), end_ns = evtlog_end_ns(file);
	struct evtlog_real_step step;

	points->count = 0;
	for (int64_t i = 0; i < REAL_POINTS_MAX; i++) {
		int64_t at = begin_ns + (end_ns - begin_ns) / (REAL_POINTS_MAX - 1) * i;

		while (steps < REAL_STEPS_MAX && evtlog_real_step(file, steps, &step) &&
		       (int64_t)step.after_ns <= at) {
			add_point(points, file, step.after_ns - 1);
			add_point(points, file, step.after_ns);
			steps++;
		}
		add_point(points, file, at);
	}
}

void real_points_read(struct real_points *points,
		      const struct evtlog_merged *merged)
{
	const char *key, *value;

	points->count = 0;
	for (size_t i = 0; points->count < sizeof(points->at) / sizeof(points->at[0]) &&
			   evtlog_merged_meta_at(merged, i, &key, &value); i++) {
		struct real_point point;

		if (strcmp(key, "real") ||
		    sscanf(value, "%" SCNd64 ":%" SCNd64, &point.time_ns,
			   &point.real_ns) != 2 ||
		    (points->count &&
		     point.time_ns <= points->at[points->count - 1].time_ns))
			continue;
		points->at[points->count++] = point;
	}
}

int64_t real_at(const struct real_points *points, int64_t time_ns)
{
	size_t low = 0, high = points->count;
	const struct real_point *a, *b;
	__int128 real;

	if (!points->count)
		return time_ns;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (points->at[middle].time_ns <= time_ns)
			low = middle;
		else
			high = middle;
	}
	a = &points->at[low];
	real = (__int128)a->real_ns + time_ns - a->time_ns;
	if (low + 1 < points->count && time_ns > a->time_ns) {
		b = a + 1;
		real += ((__int128)b->real_ns - a->real_ns - b->time_ns + a->time_ns) *
			(time_ns - a->time_ns) / (b->time_ns - a->time_ns);
	}
	if (real > INT64_MAX)
		return INT64_MAX;
	return real < INT64_MIN ? INT64_MIN : (int64_t)real;
}
