// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the event of a lane that is next to a time.
 */
#include <errno.h>
#include <string.h>

#include "nearest-event.h"

/* So much is looked at first, and read at once. */
#define FIRST_NS	(UINT64_C(1) << 20)
#define SHORTEST_NS	1024
#define READ_EVENTS	20000

/* Its time if it is wanted. */
static bool is_wanted(const struct nearest_options *opts, enum nearest_direction direction,
		      const struct track *track, uint64_t *raw_ns)
{
	const struct evtlog_event *event = track->event;
	char name[TRACK_NAME_BYTES];

	*raw_ns = event->time_ns;
	if (event->kind == EVTLOG_EVENT_GAP && opts->gaps) {
		if (direction == NEAREST_AFTER)
			*raw_ns = event->from_ns;
		return true;
	}
	return track_kind(event) & opts->kinds &&
	       (!opts->name || !strcmp(opts->name, track_name(track, name)));
}

/* Reads [@from, @to): the first that is wanted, or the last. */
static int read_segment(struct session *session, uint32_t lane, uint64_t from, uint64_t to,
			enum nearest_direction direction, const struct nearest_options *opts,
			struct nearest *nearest)
{
	uint32_t host = session->lanes[lane].host;
	uint64_t found = 0, count = 0, wanted = 0, raw_ns;
	struct track *track;
	int result;

	/* Looking back, a second reading stops at the last one of the first. */
	for (int again = 0; again < 2; again++) {
		result = tracks_open(&nearest->tracks, session, &lane, 1,
				     session_time(session, host, from));
		count = 0;
		while (!result && (result = tracks_next(&nearest->tracks, &track)) > 0) {
			result = 0;
			if (is_wanted(opts, direction, track, &raw_ns) &&
			    raw_ns >= from && raw_ns < to) {
				count++;
				found = raw_ns;
				if (direction == NEAREST_AFTER || (again && count == wanted)) {
					nearest->track = track;
					nearest->time_ns = session_time(session, host, found);
					nearest->raw_ns = found;
					return 1;
				}
			}
			/* A gap is told at its end, wherever it began. */
			if (track->event->time_ns >= to &&
			    !(direction == NEAREST_AFTER && opts->gaps &&
			      track->event->kind == EVTLOG_EVENT_GAP))
				break;
		}
		tracks_close(&nearest->tracks);
		if (result < 0 || !count)
			return result < 0 ? result : 0;
		wanted = count;
	}
	return 0;
}

/* Whether [@from, @to) may hold one, and how many events it holds at most. */
static int look(struct session *session, uint32_t lane, uint64_t from, uint64_t to,
		const struct nearest_options *opts, bool *may, uint64_t *events)
{
	const struct session_lane *which = &session->lanes[lane];
	struct session_host *host = &session->hosts[which->host];
	uint64_t edges[2] = { from, to };
	struct evtlog_bin bin;
	int error;

	/* A short gap is nothing of a long leaf's part: where there are any it is to be exact. */
	pthread_mutex_lock(&host->lock);
	error = evtlog_index_bins(host->index, which->slot, edges, 1,
				  opts->gaps && session_cpu(session, lane)->gaps, &bin);
	*events = evtlog_index_count(host->index, which->slot, from, to);
	pthread_mutex_unlock(&host->lock);
	if (!error)
		*may = bin.kinds & opts->kinds || (opts->gaps && bin.lost);
	return error;
}

int nearest_find(struct request *request, uint32_t lane, uint64_t raw_ns,
		 enum nearest_direction direction, const struct nearest_options *opts,
		 struct nearest *nearest)
{
	struct session *session = request->session;
	const struct evtlog_index_cpu *cpu = session_cpu(session, lane);
	bool after = direction == NEAREST_AFTER;
	uint64_t width = FIRST_NS, first = cpu->begin_ns, last = cpu->end_ns + 1;
	uint64_t at = raw_ns;

	memset(nearest, 0, sizeof(*nearest));
	if (opts->limit_ns && after && opts->limit_ns < last)
		last = opts->limit_ns;
	if (opts->limit_ns && !after && opts->limit_ns > first)
		first = opts->limit_ns;
	if (after && at < first)
		at = first;
	if (!after && at > last)
		at = last;
	while (after ? at < last : at > first) {
		uint64_t from = after ? at : at - first > width ? at - width : first;
		uint64_t to = after ? last - at > width ? at + width : last : at;
		uint64_t events;
		bool may = false;
		int result = look(session, lane, from, to, opts, &may, &events);

		if (!result && request_given_up(request))
			result = -ECANCELED;
		if (result)
			return result;
		if (may && events > READ_EVENTS && width > SHORTEST_NS) {
			width /= 8;
			continue;
		}
		if (may) {
			result = read_segment(session, lane, from, to, direction, opts,
					      nearest);
			if (result)
				return result;
		}
		at = after ? to : from;
		if (width <= UINT64_MAX / 4)
			width *= 4;
	}
	return 0;
}

void nearest_free(struct nearest *nearest)
{
	if (nearest->track)
		tracks_close(&nearest->tracks);
	nearest->track = NULL;
}
