// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the runs of a lane as view/page/draw/runs.js does.  Interrupts are within a run; a switch
 * ends it, even if the same task has the CPU again in the next bin.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "runs.h"

/* Of 255: that much of a bin a task has where it begins to be seen as running. */
#define MOST	230

static int close_run(struct picture_runs *runs, size_t end)
{
	struct picture_lane *lane = runs->lane;

	if (!runs->run.name)
		return 0;
	if (array_reserve(&lane->runs, &lane->run_capacity, lane->run_count, sizeof(*lane->runs)))
		return -ENOMEM;
	runs->run.end = end;
	lane->runs[lane->run_count++] = runs->run;
	runs->run.name = NULL;
	return 0;
}

int picture_runs_take(struct picture_runs *runs, size_t i, const char *name)
{
	const struct evtlog_bin *bin = &runs->lane->bins[i];
	bool switched = bin->kinds & 1u << EVTLOG_KIND_SWITCH;
	bool same = runs->run.name && bin->task == runs->run.task && bin->task_share;
	/* Nobody's time but interrupts': the slice may go on behind them. */
	bool within = runs->run.name && !bin->task && bin->busy;
	int error = 0;

	if (runs->open)
		runs->run.to = i;
	if (switched)
		runs->edge = i;
	if (switched || bin->lost || !(same || within))
		error = close_run(runs, i);
	runs->open = runs->run.name && same;
	if (!bin->busy || bin->lost)
		runs->busy = false;
	if (runs->run.name || !name || bin->task_share <= MOST)
		return error;
	runs->run = (struct picture_run) {
		.from = i, .to = i + 1, .edge = runs->edge, .name = name, .task = bin->task,
		.colour = runs->lane->colours[i], .joined = runs->busy,
	};
	runs->open = runs->busy = true;
	return error;
}

int picture_runs_end(struct picture_runs *runs, size_t bins)
{
	if (runs->open)
		runs->run.to = bins;
	return close_run(runs, bins);
}
