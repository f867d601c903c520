// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Converts times of hosts to the common timeline and back.
 *
 * Stage: between the clocks that input/log-set.c related and the code that shows the logs.
 */
#include "session.h"

/* With a single file no clocks are related: its own time is the timeline. */
static int64_t timeline_time(const struct session *session, size_t file, uint64_t raw_ns)
{
	if (session->logs.hosts)
		return evtlog_clocksync_time(session->logs.hosts, file, raw_ns);
	return raw_ns < INT64_MAX ? (int64_t)raw_ns : INT64_MAX;
}

int64_t session_time(const struct session *session, uint32_t host, uint64_t raw_ns)
{
	int64_t time_ns = timeline_time(session, session->hosts[host].file, raw_ns);

	if (__builtin_sub_overflow(time_ns, session->base_ns, &time_ns))
		return session->base_ns < 0 ? INT64_MAX : INT64_MIN;
	return time_ns;
}

uint64_t session_raw(const struct session *session, uint32_t host, int64_t time_ns)
{
	size_t file = session->hosts[host].file;
	int64_t timeline_ns;

	if (__builtin_add_overflow(time_ns, session->base_ns, &timeline_ns))
		timeline_ns = time_ns < 0 ? INT64_MIN : INT64_MAX;
	if (session->logs.hosts)
		return evtlog_clocksync_raw(session->logs.hosts, file, timeline_ns);
	return timeline_ns > 0 ? timeline_ns : 0;
}

uint64_t session_bound(const struct session *session, uint32_t host, uint64_t raw_ns)
{
	size_t file = session->hosts[host].file;

	if (session->logs.hosts)
		return evtlog_clocksync_bound(session->logs.hosts, file, raw_ns);
	return evtlog_clock_error_ns(session->logs.files[file].file);
}

int64_t session_real(const struct session *session, int64_t time_ns)
{
	const struct logs *logs = &session->logs;
	size_t file = logs->hosts ? evtlog_clocksync_reference(logs->hosts) : 0;
	int64_t timeline_ns;
	uint64_t raw_ns;

	if (__builtin_add_overflow(time_ns, session->base_ns, &timeline_ns))
		timeline_ns = time_ns < 0 ? INT64_MIN : INT64_MAX;
	raw_ns = logs->hosts ? evtlog_clocksync_raw(logs->hosts, file, timeline_ns) :
		 timeline_ns > 0 ? (uint64_t)timeline_ns : 0;
	return evtlog_real_ns(logs->files[file].file, raw_ns);
}

void session_span_set(struct session *session)
{
	int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;

	for (size_t i = 0; i < session->logs.count; i++) {
		const struct evtlog_file *file = session->logs.files[i].file;
		int64_t from_ns = timeline_time(session, i, evtlog_begin_ns(file));
		int64_t to_ns = timeline_time(session, i, evtlog_end_ns(file));

		if (!evtlog_cpu_count(file))
			continue;
		if (from_ns < begin_ns)
			begin_ns = from_ns;
		if (to_ns > end_ns)
			end_ns = to_ns;
	}
	if (begin_ns > end_ns)
		begin_ns = end_ns = 0;
	session->base_ns = begin_ns;
	if (__builtin_sub_overflow(end_ns, begin_ns, &session->length_ns))
		session->length_ns = INT64_MAX;
}

/* ---- Clock error over a span ---- */

/* Between two packets the clock error is largest in the middle, so the ends are not enough. */
#define PLACES	256

uint64_t worst_bound(const struct session *session, uint32_t host, int64_t from_ns,
		     int64_t to_ns)
{
	uint64_t worst = 0;

	for (unsigned int i = 0; i <= PLACES; i++) {
		int64_t at = from_ns + (__int128)(to_ns - from_ns) * i / PLACES;
		uint64_t bound = session_bound(session, host,
					       session_raw(session, host, at));

		if (bound > worst)
			worst = bound;
	}
	return worst;
}
