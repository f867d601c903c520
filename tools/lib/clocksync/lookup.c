// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Tells what became of hosts whose clocks were related, and times on their common timeline.
 *
 * It computes nothing: timeline.c does.
 */
#include "clocksync.h"

size_t evtlog_clocksync_reference(const struct evtlog_clocksync *hosts)
{
	return hosts->hosts[hosts->reference].first;
}

size_t evtlog_clocksync_order(const struct evtlog_clocksync *hosts, size_t number)
{
	return number < hosts->file_count ? hosts->order[number] : SIZE_MAX;
}

uint64_t evtlog_clocksync_ntp_disproved(const struct evtlog_clocksync *hosts)
{
	return hosts->ntp_disproved_ns;
}

static const struct host *host_of(const struct evtlog_clocksync *hosts, size_t file)
{
	return &hosts->hosts[hosts->host_of[file]];
}

const struct evtlog_host_clock *
evtlog_clocksync_clock(const struct evtlog_clocksync *hosts, size_t file)
{
	return file < hosts->file_count ? &host_of(hosts, file)->clock : NULL;
}

const char *evtlog_clock_method_name(enum evtlog_clock_method method)
{
	static const char *const names[] = {
		[EVTLOG_CLOCK_NONE] = "none",
		[EVTLOG_CLOCK_REFERENCE] = "reference",
		[EVTLOG_CLOCK_PACKETS] = "packets",
		[EVTLOG_CLOCK_NTP] = "ntp",
	};

	return (size_t)method < sizeof(names) / sizeof(names[0]) ?
	       names[method] : "?";
}

int64_t evtlog_clocksync_time(const struct evtlog_clocksync *hosts, size_t file,
			      uint64_t raw_ns)
{
	return timeline_time(&host_of(hosts, file)->timeline, raw_ns);
}

uint64_t evtlog_clocksync_raw(const struct evtlog_clocksync *hosts, size_t file,
			      int64_t time_ns)
{
	return timeline_raw(&host_of(hosts, file)->timeline, time_ns);
}

uint64_t evtlog_clocksync_bound(const struct evtlog_clocksync *hosts, size_t file,
				uint64_t raw_ns)
{
	return timeline_bound(&host_of(hosts, file)->timeline, raw_ns);
}

void evtlog_host_cursor_start(struct evtlog_host_cursor *cursor,
			      const struct evtlog_clocksync *hosts, size_t file)
{
	timeline_cursor(cursor, &host_of(hosts, file)->timeline);
}
