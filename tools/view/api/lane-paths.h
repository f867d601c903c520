/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets' ways in a span: each, or where they are too many, how many visits lanes have.
 *
 * Stage: between the session and the answers and pictures.
 */
#ifndef EVTLOG_VIEW_API_LANE_PATHS_H
#define EVTLOG_VIEW_API_LANE_PATHS_H

#include "view/session/paths.h"

/*
 * Visits of a lane in a piece of the span.
 *
 * @drops:	of them
 */
struct paths_cell {
	uint32_t lane;
	uint32_t bin;
	uint64_t visits;
	uint64_t drops;
};

/*
 * @count:	packets with any visit or way in the span
 * @ways:	numbers of @count of them; NULL: they are more than wanted
 * @cells:	then, by lane and bin
 */
struct paths_view {
	const struct session_paths *paths;
	size_t count;
	size_t *ways;
	struct paths_cell *cells;
	size_t cell_count;
	size_t cell_capacity;
};

/**
 * paths_view_make() - of [@from_ns, @to_ns)
 * @limit:	so many packets are told, of more the cells
 * @bins:	pieces of the span
 *
 * Return: 0; -ENOMEM.  paths_view_free() in any case.
 */
int paths_view_make(struct paths_view *view, const struct session *session,
		    const struct session_paths *paths, int64_t from_ns, int64_t to_ns,
		    uint64_t limit, uint32_t bins);
void paths_view_free(struct paths_view *view);

#endif /* EVTLOG_VIEW_API_LANE_PATHS_H */
