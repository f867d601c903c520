// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values that are shown as text and as JSON.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <evtlog/event-format.h>

#include "common/number.h"
#include "input/event-filter.h"
#include "info.h"

bool info_ordered_before_ns(const struct info *info, uint64_t *ns)
{
	const char *text = evtlog_meta(info->file, "reference_ticks");
	uint64_t hz = evtlog_ticks_hz(info->file), ticks;
	char *end;

	if (!text || !hz || !info->has_begin)
		return false;
	ticks = strtoull(text, &end, 10);
	if (end == text || *end || ticks > info->begin_ticks ||
	    info->begin_ticks - ticks > hz * 86400)
		return false;
	*ns = (unsigned __int128)(info->begin_ticks - ticks) * 1000000000 / hz;
	return true;
}

/* 0: not a number */
static uint32_t meta_number(const struct evtlog_file *file, const char *key)
{
	const char *text = evtlog_meta(file, key);
	uint32_t number;

	return text && !number_parse_u32(&number, text, 1, UINT32_MAX) ? number : 0;
}

/* "4ms", as the kernel prints it, always with a unit; 0: not a time */
static uint64_t interval_ns(const char *text)
{
	uint64_t ns;

	return *text && isalpha(text[strlen(text) - 1]) && !filter_time(&ns, text) ? ns : 0;
}

bool info_sampler(const struct evtlog_file *file, struct info_sampler *sampler)
{
	const char *interval = evtlog_meta(file, "sampler_interval");

	if (!interval)
		return false;
	sampler->interval_ns = interval_ns(interval);
	if (!sampler->interval_ns && strcmp(interval, "tick"))
		return false;
	sampler->tree_pid = meta_number(file, "sampler_tree");
	return true;
}

const char *info_tree_choice(const struct evtlog_file *file, uint32_t *processes)
{
	*processes = meta_number(file, "tree_processes");
	return evtlog_meta(file, "tree_choice");
}

void info_boot_id(const struct evtlog_file *file, char text[37])
{
	const uint8_t *id = evtlog_boot_id(file);

	for (int i = 0; i < 16; i++)
		text += sprintf(text, "%s%02x",
				i == 4 || i == 6 || i == 8 || i == 10 ? "-" :
				"", id[i]);
}

void info_real(const struct evtlog_file *file, uint64_t ns, char *text, size_t capacity)
{
	int64_t real_ns = evtlog_real_ns(file, ns);
	time_t seconds = real_ns / 1000000000;
	size_t length;
	struct tm tm;

	text[0] = '\0';
	if (real_ns < 0 || !gmtime_r(&seconds, &tm))
		return;
	length = strftime(text, capacity, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + length, capacity - length, ".%09dZ",
		 (int)(real_ns % 1000000000));
}

bool info_has_time(const struct info *info)
{
	return info->has_begin;
}

bool info_knows_logger_time(const struct info *info)
{
	return info_has_time(info) && !evtlog_tree_pid(info->file) &&
	       evtlog_recorded(info->file, EVTLOG_SCHED_SWITCH) != EVTLOG_RECORDED_OFF;
}

double info_logger_share(const struct info *info)
{
	uint64_t span_ns = usage_span_ns(&info->usage);

	return span_ns ? (double)info->usage.logger_ns / span_ns : 0;
}

/* ---- Passes of the kernel's sampler, and those that it missed ---- */

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
