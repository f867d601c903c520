// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds when a task runs next, or ran last.
 *
 * Stage: within the viewer, from the indexes.
 */
#include <errno.h>

#include "task-search.h"

/* So many parts of a stretch are looked at together. */
#define PARTS	64

/*
 * The first, or last, part of [@from, @to) in which the task may run, made as short as
 * can be.  1; 0: none; -errno.
 */
static int narrow(struct request *request, uint32_t host, uint32_t task, int64_t *from,
		  int64_t *to, bool after)
{
	struct evtlog_bin bins[PARTS];
	int64_t edges[PARTS + 1];

	for (;;) {
		int64_t length = *to - *from;
		bool refine = length < PARTS << 20;
		int found = -1, error;

		for (int i = 0; i <= PARTS; i++)
			edges[i] = *from + (__int128)length * i / PARTS;
		error = session_task_bins(request->session, host, task, edges, PARTS, refine,
					  bins);
		if (!error && request_given_up(request))
			error = -ECANCELED;
		if (error)
			return error;
		for (int i = 0; i < PARTS; i++)
			if (bins[i].busy && edges[i] < edges[i + 1] && (found < 0 || !after))
				found = i;
		if (found < 0)
			return 0;
		*from = edges[found];
		*to = edges[found + 1];
		if (*to - *from <= 1)
			return 1;
	}
}

int task_search(struct request *request, uint32_t host, uint32_t task, int64_t *time_ns,
		bool after)
{
	int64_t length = request->session->length_ns, at = *time_ns, width = INT64_C(1) << 24;

	if (at < 0)
		at = 0;
	if (at > length)
		at = length;
	while (after ? at < length : at > 0) {
		int64_t from = after ? at : at > width ? at - width : 0;
		int64_t to = after ? length - at > width ? at + width : length : at;
		int64_t part_from = from, part_to = to;
		int result = narrow(request, host, task, &part_from, &part_to, after);

		if (result < 0)
			return result;
		if (result) {
			*time_ns = part_from;
			return 1;
		}
		at = after ? to : from;
		if (width < INT64_MAX / 8)
			width *= 4;
	}
	return 0;
}
