/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of a lane of a picture: bins of one slice, from its switch in to its switch out.
 *
 * Its twin is view/page/draw/runs.js.
 */
#ifndef EVTLOG_VIEW_PICTURE_RUNS_H
#define EVTLOG_VIEW_PICTURE_RUNS_H

#include "picture.h"

/*
 * The bins of a lane, one after the other; all but @lane is zero at the begin.
 * @run: the one that is not over; its name is NULL when there is none
 * @open: the bin before was the run's
 * @busy: there was nothing idle since the run before
 * @edge: the bin of the last switch
 */
struct picture_runs {
	struct picture_lane *lane;
	struct picture_run run;
	bool open;
	bool busy;
	size_t edge;
};

/*
 * picture_runs_take() - the next bin of the lane
 * @name: of its task; NULL if that is idle or not known
 *
 * Return: 0 or -ENOMEM.
 */
int picture_runs_take(struct picture_runs *runs, size_t bin, const char *name);

/* picture_runs_end() - after the last of @bins.  0 or -ENOMEM. */
int picture_runs_end(struct picture_runs *runs, size_t bins);

#endif /* EVTLOG_VIEW_PICTURE_RUNS_H */
