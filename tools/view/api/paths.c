// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers with paths of packets: in a span, or found by a search.
 */
#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "lane-events.h"
#include "lib/base/array.h"
#include "path/records.h"
#include "view/http/server.h"

/* ---- Finding the paths in a span ---- */

/* True if the path overlaps the span, even if no visit is in it. */
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

/* ---- Answers ---- */

#define PACKETS_MAX	20000
#define BINS_MAX	8192
/* Cells of all lanes, 16 bytes each */
#define CELLS_MAX	(1u << 22)
#define FOUND_MAX	1000
#define TEXT_MAX	100

static bool given_up(void *context)
{
	return request_given_up(context);
}

static int get_paths(struct request *request, const struct session_paths **paths)
{
	return session_follow(request->session, request->connection ? given_up : NULL, request,
			      paths);
}

/* ---- A packet ---- */

/* Host, CPU, lane, time, station, pid, reason; the clock error after a change of host. */
static void visit_json(const struct session *session, const struct session_paths *paths,
		       struct json *json, const struct path_visit *visit, bool is_first)
{
	uint32_t lane = session_visit_lane(paths, visit);
	char text[PATH_REASON_TEXT];

	json_array(json, NULL);
	json_u64(json, NULL, visit->host);
	json_u64(json, NULL, visit->cpu);
	if (lane == UINT32_MAX)
		json_null(json, NULL);
	else
		json_u64(json, NULL, lane);
	answer_s64(json, NULL, visit->time_ns);
	json_u64(json, NULL, visit->station);
	if (visit->pid == EVTLOG_PID_UNKNOWN)
		json_null(json, NULL);
	else
		json_u64(json, NULL, visit->pid);
	json_string(json, NULL, visit->station == PATH_DROP ?
		    session_visit_reason(session, visit, text) : NULL);
	if (is_first || visit[-1].host == visit->host)
		json_null(json, NULL);
	else
		answer_bound(json, NULL, session_visits_bound(session, visit - 1, visit));
	json_end(json);
}

static void ends_json(struct json *json, const struct path_key *key)
{
	char text[PATH_ADDRESS_TEXT];

	json_string(json, "source", path_address(key->source, text));
	json_u64(json, "source_port", key->source_port);
	json_string(json, "destination", path_address(key->destination, text));
	json_u64(json, "destination_port", key->destination_port);
}

static void packet_json(const struct session *session, const struct session_paths *paths,
			struct json *json, size_t number)
{
	const struct path_packet *packet = paths->ways[number].packet;

	json_object(json, NULL);
	json_u64(json, "id", number);
	json_string(json, "protocol", path_protocol_name(&packet->key));
	ends_json(json, &packet->key);
	if (!path_key_same_flow(&packet->key, &packet->last)) {
		json_object(json, "translated");
		ends_json(json, &packet->last);
		json_end(json);
	}
	json_u64(json, "bytes", packet->length);
	json_u64(json, "ip_id", packet->key.id);
	json_bool(json, "ambiguous", packet->is_ambiguous);
	json_bool(json, "read", path_is_end(path_last(packet)->station));
	json_array(json, "visits");
	for (size_t i = 0; i < packet->count; i++)
		visit_json(session, paths, json, &packet->visits[i], !i);
	json_end(json);
	json_end(json);
}

/* Writes the common part of all answers: totals, and the names of stations by number. */
static void begin_json(struct json *json, const struct session_paths *paths)
{
	json_u64(json, "total", paths->count);
	if (paths->too_many)
		answer_u64(json, "too_many", paths->too_many);
	else
		json_null(json, "too_many");
	json_array(json, "stations");
	for (enum path_station i = 0; i < PATH_STATIONS; i++)
		json_string(json, NULL, path_stations[i].function);
	json_end(json);
}

/* ---- Packets of a span ---- */

static void cells_json(struct json *json, const struct paths_view *view, int64_t from_ns,
		       int64_t to_ns, uint32_t bins)
{
	json_object(json, "density");
	answer_s64(json, "from", from_ns);
	answer_s64(json, "to", to_ns);
	json_u64(json, "bins", bins);
	json_array(json, "cells");
	for (size_t i = 0; i < view->cell_count; i++) {
		const struct paths_cell *cell = &view->cells[i];

		json_array(json, NULL);
		json_u64(json, NULL, cell->lane);
		json_u64(json, NULL, cell->bin);
		json_u64(json, NULL, cell->visits);
		json_u64(json, NULL, cell->drops);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

static void span_json(struct request *request, struct json *json, const struct paths_view *view,
		      int64_t from_ns, int64_t to_ns, uint32_t bins)
{
	begin_json(json, view->paths);
	json_u64(json, "count", view->count);
	if (!view->ways) {
		cells_json(json, view, from_ns, to_ns, bins);
		return;
	}
	json_array(json, "packets");
	for (size_t i = 0; i < view->count; i++)
		packet_json(request->session, view->paths, json, view->ways[i]);
	json_end(json);
}

unsigned int answer_paths(struct request *request)
{
	const struct session_paths *paths;
	uint64_t limit = 1000, bins = 1024;
	struct paths_view view = { 0 };
	int64_t from_ns, to_ns;
	struct json json;
	int error;

	if (request_time(request, "from", &from_ns) || request_time(request, "to", &to_ns) ||
	    request_u64(request, "limit", PACKETS_MAX, &limit) == -EINVAL ||
	    request_u64(request, "bins", BINS_MAX, &bins) == -EINVAL || !bins)
		return request_failed(request, -EINVAL);
	if (bins > CELLS_MAX / (request->session->lane_count + 1))
		bins = CELLS_MAX / (request->session->lane_count + 1) + 1;
	error = get_paths(request, &paths);
	if (!error)
		error = paths_view_make(&view, request->session, paths, from_ns, to_ns, limit, bins);
	if (!error)
		error = request_begin(request, &json);
	if (!error)
		span_json(request, &json, &view, from_ns, to_ns, bins);
	paths_view_free(&view);
	return error ? request_failed(request, error) : request_end(request, &json);
}

/* ---- Searching packets ---- */

static unsigned int answer_packets(struct request *request, const struct session_paths *paths,
				   const size_t *found, size_t count, uint64_t all)
{
	struct json json;

	if (request_begin(request, &json))
		return request_failed(request, -ENOMEM);
	begin_json(&json, paths);
	answer_u64(&json, "count", all);
	json_array(&json, "packets");
	for (size_t i = 0; i < count; i++)
		packet_json(request->session, paths, &json, found[i]);
	json_end(&json);
	return request_end(request, &json);
}

/*
 * The searched text: a number is a packet's number, an IP identification or a port; "#7" is only
 * the packet 7; other text is part of "address:port" of an end.
 */
struct wanted {
	const char *text;
	bool is_number;
	bool is_own;
	uint64_t number;
};

static bool key_fits(const struct wanted *wanted, const struct path_key *key)
{
	char address[PATH_ADDRESS_TEXT], end[PATH_ADDRESS_TEXT + 8];

	if (wanted->is_number)
		return key->source_port == wanted->number ||
		       key->destination_port == wanted->number || key->id == wanted->number;
	snprintf(end, sizeof(end), "%s:%u", path_address(key->source, address), key->source_port);
	if (strstr(end, wanted->text))
		return true;
	snprintf(end, sizeof(end), "%s:%u", path_address(key->destination, address),
		 key->destination_port);
	return strstr(end, wanted->text);
}

static bool fits(const struct wanted *wanted, const struct session_paths *paths, size_t number)
{
	const struct path_packet *packet = paths->ways[number].packet;

	if (wanted->is_own)
		return number == wanted->number;
	return (wanted->is_number && number == wanted->number) ||
	       key_fits(wanted, &packet->key) || key_fits(wanted, &packet->last);
}

/*
 * Finds up to @limit packets from @time_ns on, then from the begin of the log.
 * Returns the number of all that fit.
 */
static uint64_t find(const struct wanted *wanted, const struct session_paths *paths,
		     int64_t time_ns, size_t *found, size_t limit, size_t *count)
{
	size_t first = 0;
	uint64_t all = 0;

	while (first < paths->count && paths->ways[first].begin_ns < time_ns)
		first++;
	for (size_t i = 0; i < paths->count; i++) {
		size_t number = (first + i) % paths->count;

		if (!fits(wanted, paths, number))
			continue;
		all++;
		if (*count < limit)
			found[(*count)++] = number;
	}
	return all;
}

unsigned int answer_find_packets(struct request *request)
{
	struct wanted wanted = { .text = request_text(request, "q") };
	const struct session_paths *paths;
	int64_t time_ns = INT64_MIN;
	uint64_t limit = 50, all;
	unsigned int status;
	size_t *found, count = 0;
	int error;

	if (!wanted.text || !*wanted.text || strlen(wanted.text) > TEXT_MAX ||
	    request_u64(request, "limit", FOUND_MAX, &limit) == -EINVAL ||
	    request_time(request, "after", &time_ns) == -EINVAL)
		return request_failed(request, -EINVAL);
	wanted.is_own = *wanted.text == '#';
	wanted.is_number = !number_parse(&wanted.number, wanted.text + wanted.is_own, 0,
					 UINT64_MAX);
	wanted.is_own &= wanted.is_number;
	error = get_paths(request, &paths);
	if (error)
		return request_failed(request, error);
	found = calloc(limit + 1, sizeof(*found));
	if (!found)
		return request_failed(request, -ENOMEM);
	all = find(&wanted, paths, time_ns, found, limit, &count);
	status = answer_packets(request, paths, found, count, all);
	free(found);
	return status;
}
