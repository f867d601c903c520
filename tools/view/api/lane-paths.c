// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds packets' ways in a span.
 */
#include <errno.h>
#include <stdlib.h>

#include "lane-paths.h"
#include "lib/base/array.h"

/* A packet is in the span from its first visit to its last, also between them. */
static bool is_in(const struct session_way *way, int64_t from_ns, int64_t to_ns)
{
	return way->begin_ns < to_ns && way->end_ns >= from_ns;
}

static void count_ways(struct paths_view *view, int64_t from_ns, int64_t to_ns, size_t limit)
{
	const struct session_paths *paths = view->paths;

	for (size_t i = session_paths_from(paths, from_ns);
	     i < paths->count && paths->ways[i].begin_ns < to_ns; i++)
		if (is_in(&paths->ways[i], from_ns, to_ns)) {
			if (view->ways && view->count < limit)
				view->ways[view->count] = i;
			view->count++;
		}
}

/* @counts: visits and drops by lane and bin */
static void count_visits(const struct paths_view *view, const struct path_packet *packet,
			 int64_t from_ns, int64_t to_ns, uint32_t bins, uint64_t (*counts)[2])
{
	for (size_t i = 0; i < packet->count; i++) {
		const struct path_visit *visit = &packet->visits[i];
		uint32_t lane = session_visit_lane(view->paths, visit);
		uint64_t bin;

		if (visit->time_ns < from_ns || visit->time_ns >= to_ns || lane == UINT32_MAX)
			continue;
		bin = ((__int128)visit->time_ns - from_ns) * bins / ((__int128)to_ns - from_ns);
		counts[(uint64_t)lane * bins + bin][0]++;
		counts[(uint64_t)lane * bins + bin][1] += visit->station == PATH_DROP;
	}
}

static int add_cells(struct paths_view *view, const struct session *session, uint32_t bins,
		     uint64_t (*counts)[2])
{
	for (uint32_t lane = 0; lane < session->lane_count; lane++)
		for (uint32_t bin = 0; bin < bins; bin++) {
			const uint64_t *count = counts[(uint64_t)lane * bins + bin];

			if (!count[0])
				continue;
			if (array_reserve(&view->cells, &view->cell_capacity, view->cell_count,
					  sizeof(*view->cells)))
				return -ENOMEM;
			view->cells[view->cell_count++] = (struct paths_cell){
				.lane = lane, .bin = bin, .visits = count[0], .drops = count[1],
			};
		}
	return 0;
}

static int make_cells(struct paths_view *view, const struct session *session, int64_t from_ns,
		      int64_t to_ns, uint32_t bins)
{
	const struct session_paths *paths = view->paths;
	uint64_t (*counts)[2] = calloc((size_t)session->lane_count * bins + 1, sizeof(*counts));
	int error;

	if (!counts)
		return -ENOMEM;
	for (size_t i = session_paths_from(paths, from_ns);
	     i < paths->count && paths->ways[i].begin_ns < to_ns; i++)
		count_visits(view, paths->ways[i].packet, from_ns, to_ns, bins, counts);
	error = add_cells(view, session, bins, counts);
	free(counts);
	return error;
}

int paths_view_make(struct paths_view *view, const struct session *session,
		    const struct session_paths *paths, int64_t from_ns, int64_t to_ns,
		    uint64_t limit, uint32_t bins)
{
	*view = (struct paths_view){ .paths = paths };
	if (to_ns <= from_ns)
		limit = 0;
	view->ways = calloc((limit < paths->count ? limit : paths->count) + 1,
			    sizeof(*view->ways));
	if (!view->ways)
		return -ENOMEM;
	count_ways(view, from_ns, to_ns, limit);
	if (view->count <= limit || to_ns <= from_ns)
		return 0;
	free(view->ways);
	view->ways = NULL;
	return make_cells(view, session, from_ns, to_ns, bins);
}

void paths_view_free(struct paths_view *view)
{
	free(view->ways);
	free(view->cells);
}
