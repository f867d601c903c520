// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The times of a host as an export has them.
 */
#include "host-clock.h"

static int64_t real_of_raw(const struct evtlog_file *file)
{
	uint64_t begin_ns = evtlog_begin_ns(file);

	return evtlog_real_ns(file, begin_ns) - (int64_t)begin_ns;
}

void host_clock_start(struct host_clock *clock, const struct sources *sources, size_t number)
{
	const struct logs *logs = &sources->logs;
	const struct evtlog_host_clock *about;

	if (logs->count == 1) {
		*clock = (struct host_clock) {
			.real_ns = real_of_raw(logs->files[number].file),
			.error_ns = evtlog_clock_error_ns(logs->files[number].file),
		};
		return;
	}
	about = evtlog_clocksync_clock(logs->hosts, number);
	*clock = (struct host_clock) {
		.related = true,
		.ahead_ns = about->offset_ns,
		.real_ns = real_of_raw(logs->files[evtlog_clocksync_reference(logs->hosts)].file) -
			   about->offset_ns,
		.error_ns = about->bound_ns,
	};
	evtlog_host_cursor_start(&clock->cursor, logs->hosts, number);
}
