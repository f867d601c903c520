// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Follows the packets in a session's logs, as `evtlog path` does.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/merge/iterator.h"
#include "path/records.h"
#include "paths.h"

#define GIVEN_UP_EVENTS	0xffff

struct reading {
	struct session *session;
	struct session_paths *paths;
	struct path_records records;
	bool (*given_up)(void *context);
	void *context;
};

/* ---- Reading ---- */

static uint64_t count_records(const struct session *session, uint32_t number)
{
	const struct evtlog_index_cpu *cpu;
	uint64_t count = 0;

	for (unsigned int slot = 0;
	     (cpu = evtlog_index_cpu(session->hosts[number].index, slot)); slot++)
		count += cpu->counts[EVTLOG_KIND_PUT];
	return count;
}

static int take(struct reading *reading, const struct session_reader *reader,
		const struct evtlog_event *event)
{
	if (event->kind == EVTLOG_EVENT_GAP) {
		path_packets_forget(&reading->paths->packets, reader->host);
		return 0;
	}
	if (event->kind != EVTLOG_EVENT_RECORD)
		return 0;
	return path_records_take(&reading->records, &reading->paths->packets, reader->file,
				 reader->host, event,
				 session_time(reading->session, reader->host, event->time_ns));
}

/* Each host's events are in order of time; path_packets_take() needs no order between hosts. */
static int read_host(struct reading *reading, const struct session_reader *reader)
{
	const struct iterator_event *at;
	struct iterator iterator = { 0 };
	uint32_t events = 0;
	int result;

	if (!path_records_in(reader->file))
		return 0;
	result = iterator_of_log(&iterator, reader->file, 0, NULL);
	while (!result && (result = iterator_next(&iterator, &at)) > 0) {
		result = take(reading, reader, at->event);
		if (!(++events & GIVEN_UP_EVENTS) && reading->given_up &&
		    reading->given_up(reading->context))
			result = -ECANCELED;
	}
	iterator_end(&iterator);
	return result;
}

static int read_hosts(struct reading *reading)
{
	struct session *session = reading->session;
	int error = 0;

	for (uint32_t i = 0; i < session->host_count && !error; i++) {
		struct session_reader *reader;

		if (!count_records(session, i))
			continue;
		error = session_reader_get(session, i, &reader);
		if (error)
			break;
		error = read_host(reading, reader);
		session_reader_put(session, reader);
	}
	return error;
}

/* As in `evtlog path`: for an unknown clock error assume 1 s, so that packets show the order. */
static int match(struct session *session, struct session_paths *paths)
{
	uint64_t *error_ns = calloc(session->host_count + 1, sizeof(*error_ns));
	int error;

	if (!error_ns)
		return -ENOMEM;
	for (uint32_t i = 0; session->logs.hosts && i < session->host_count; i++) {
		const struct evtlog_host_clock *clock;

		clock = evtlog_clocksync_clock(session->logs.hosts, session->hosts[i].file);
		error_ns[i] = clock->bound_ns == UINT64_MAX ? 1000000000 : clock->bound_ns;
	}
	error = path_packets_match(&paths->packets, error_ns);
	free(error_ns);
	return error;
}

/* ---- Sorting paths by time ---- */

static int compare_ways(const void *x, const void *y)
{
	const struct session_way *a = x, *b = y;

	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? -1 : 1;
	return (a->packet > b->packet) - (a->packet < b->packet);
}

static void add_way(struct session_paths *paths, const struct path_packet *packet)
{
	struct session_way way = { packet, INT64_MAX, INT64_MIN };

	for (size_t i = 0; i < packet->count; i++) {
		int64_t time_ns = packet->visits[i].time_ns;

		way.begin_ns = time_ns < way.begin_ns ? time_ns : way.begin_ns;
		way.end_ns = time_ns > way.end_ns ? time_ns : way.end_ns;
	}
	if (way.end_ns - way.begin_ns > paths->longest_ns)
		paths->longest_ns = way.end_ns - way.begin_ns;
	paths->ways[paths->count++] = way;
}

static int make_ways(struct session_paths *paths, unsigned int protocols)
{
	const struct packets *packets = &paths->packets;

	paths->ways = calloc(packets->count + 1, sizeof(*paths->ways));
	if (!paths->ways)
		return -ENOMEM;
	for (size_t i = 0; i < packets->count; i++)
		if (packets->at[i].count &&
		    protocols & path_key_protocol(&packets->at[i].key))
			add_way(paths, &packets->at[i]);
	qsort(paths->ways, paths->count, sizeof(*paths->ways), compare_ways);
	return 0;
}

static int make_lanes(const struct session *session, struct session_paths *paths)
{
	paths->lanes = calloc(session->host_count + 1, sizeof(*paths->lanes));
	if (!paths->lanes)
		return -ENOMEM;
	paths->host_count = session->host_count;
	for (uint32_t i = 0; i < session->host_count; i++) {
		paths->lanes[i] = malloc(EVTLOG_CPU_LIMIT * sizeof(**paths->lanes));
		if (!paths->lanes[i])
			return -ENOMEM;
		memset(paths->lanes[i], 0xff, EVTLOG_CPU_LIMIT * sizeof(**paths->lanes));
	}
	for (uint32_t i = 0; i < session->lane_count; i++) {
		const struct session_lane *lane = &session->lanes[i];

		if (lane->cpu < EVTLOG_CPU_LIMIT)
			paths->lanes[lane->host][lane->cpu] = i;
	}
	return 0;
}

/* ---- The whole procedure ---- */

static void free_paths(struct session_paths *paths)
{
	if (!paths)
		return;
	for (uint32_t i = 0; i < paths->host_count; i++)
		free(paths->lanes[i]);
	free(paths->lanes);
	free(paths->ways);
	path_packets_free(&paths->packets);
	free(paths);
}

static int follow(struct session *session, struct session_paths *paths,
		  bool (*given_up)(void *context), void *context)
{
	struct reading reading = {
		.session = session, .paths = paths, .given_up = given_up, .context = context,
	};
	uint64_t records = 0;
	int error;

	for (uint32_t i = 0; i < session->host_count; i++)
		records += count_records(session, i);
	error = path_packets_init(&paths->packets, session->host_count);
	if (!error)
		error = make_lanes(session, paths);
	if (records > SESSION_PATHS_RECORDS) {
		paths->too_many = records;
		return error;
	}
	if (!error)
		error = read_hosts(&reading);
	path_records_free(&reading.records);
	if (!error)
		error = match(session, paths);
	return error ? error : make_ways(paths, path_protocols_of(reading.records.seen));
}

int session_follow(struct session *session, bool (*given_up)(void *context), void *context,
		   const struct session_paths **pathsp)
{
	struct session_paths *paths;
	int error = 0;

	pthread_mutex_lock(&session->paths_lock);
	if (!session->paths) {
		paths = calloc(1, sizeof(*paths));
		error = paths ? follow(session, paths, given_up, context) : -ENOMEM;
		if (error)
			free_paths(paths);
		else
			session->paths = paths;
	}
	*pathsp = session->paths;
	pthread_mutex_unlock(&session->paths_lock);
	return error;
}

void session_paths_free(struct session *session)
{
	free_paths(session->paths);
	session->paths = NULL;
}

size_t session_paths_from(const struct session_paths *paths, int64_t time_ns)
{
	size_t low = 0, high = paths->count;

	if (__builtin_sub_overflow(time_ns, paths->longest_ns, &time_ns))
		return 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (paths->ways[middle].begin_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t session_visit_lane(const struct session_paths *paths, const struct path_visit *visit)
{
	return visit->cpu < EVTLOG_CPU_LIMIT ? paths->lanes[visit->host][visit->cpu] : UINT32_MAX;
}

const char *session_visit_reason(const struct session *session, const struct path_visit *visit,
				 char *text)
{
	const struct session_host *host = &session->hosts[visit->host];

	return path_reason(evtlog_meta(evtlog_index_file(host->index), "kernel"), visit->reason,
			   text);
}

uint64_t session_visits_bound(const struct session *session, const struct path_visit *a,
			      const struct path_visit *b)
{
	uint64_t first, second;

	if (a->host == b->host)
		return 0;
	first = session_bound(session, a->host, session_raw(session, a->host, a->time_ns));
	second = session_bound(session, b->host, session_raw(session, b->host, b->time_ns));
	if (__builtin_add_overflow(first, second, &first))
		return UINT64_MAX;
	return first;
}
