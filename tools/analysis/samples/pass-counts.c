// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts the passes of the kernel's sampler, and those that it missed.
 *
 * Called by cmd-info.c with each event.
 */
#include <string.h>

#include <evtlog/event-format.h>

#include "pass-counts.h"

static const struct evtlog_event_field *find_missed(const struct evtlog_event_format *format)
{
	for (uint32_t i = 0; i < format->field_count; i++)
		if (!strcmp(format->fields[i].name, "missed"))
			return &format->fields[i];
	return NULL;
}

void pass_counts_take(struct pass_counts *counts, const struct evtlog_file *file,
		      const struct evtlog_event *event)
{
	const struct evtlog_event_format *format;
	const struct evtlog_event_field *field;
	size_t bytes, field_bytes;
	const void *payload, *at;

	if (event->kind != EVTLOG_EVENT_RECORD || event->known != EVTLOG_EVENT)
		return;
	format = evtlog_event_format(file, evtlog_event_id(event));
	if (!format || strcmp(format->name, "sampler_pass"))
		return;
	field = find_missed(format);
	payload = evtlog_event_payload(event, &bytes);
	at = field ? evtlog_event_field_at(field, payload, bytes, &field_bytes) : NULL;
	if (!at || field_bytes != sizeof(uint32_t))
		return;
	counts->passes++;
	counts->missed += evtlog_event_field_u64(at, field_bytes);
}
