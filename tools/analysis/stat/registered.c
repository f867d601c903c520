// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sums of registered events: their counts, and the numbers in their fields.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stat.h"

static bool is_number(const struct evtlog_event_field *field)
{
	return field->kind == 'u' || field->kind == 'd' || field->kind == 'n';
}

static __int128 value_of(const struct evtlog_event_field *field, const void *at, size_t bytes)
{
	if (field->kind == 'd')
		return evtlog_event_field_s64(at, bytes);
	if (field->kind == 'n')
		return __builtin_bswap64(evtlog_event_field_u64(at, bytes)) >> (64 - 8 * bytes);
	return evtlog_event_field_u64(at, bytes);
}

static void add_value(struct stat_field *to, __int128 value)
{
	if (!to->count || value < to->least)
		to->least = value;
	if (!to->count || value > to->most)
		to->most = value;
	to->count++;
	to->sum += value;
}

static void add_fields(struct stat_registered *registered, const struct evtlog_event *event)
{
	const struct evtlog_event_format *format = registered->format;
	size_t bytes, field_bytes;
	const void *payload = evtlog_event_payload(event, &bytes), *at;

	for (uint32_t i = 0; i < format->field_count; i++) {
		if (!is_number(&format->fields[i]))
			continue;
		at = evtlog_event_field_at(&format->fields[i], payload, bytes, &field_bytes);
		if (at)
			add_value(&registered->fields[i],
				  value_of(&format->fields[i], at, field_bytes));
	}
}

static struct stat_registered *registered_of(struct stat *stat, uint32_t id)
{
	if (!stat->registered)
		stat->registered = calloc(EVTLOG_EVENT_ID_MAX + 1, sizeof(*stat->registered));
	return stat->registered ? &stat->registered[id] : NULL;
}

int stat_registered_format(struct stat *stat, const struct evtlog_event *event)
{
	uint32_t id = evtlog_event_id(event);
	const struct evtlog_event_format *format = evtlog_event_format(stat->file, id);
	struct stat_registered *registered;

	if (!format || !format->filter)
		return 0;
	registered = registered_of(stat, id);
	if (!registered)
		return -ENOMEM;
	registered->format = format;
	return 0;
}

bool stat_registered_is_there(const struct stat_registered *registered)
{
	return registered->count || (registered->format && registered->format->filter);
}

int stat_registered_add(struct stat *stat, const struct evtlog_event *event)
{
	uint32_t id = evtlog_event_id(event);
	struct stat_registered *registered = registered_of(stat, id);

	if (!registered)
		return -ENOMEM;
	if (!registered->count++) {
		registered->format = evtlog_event_format(stat->file, id);
		if (registered->format && registered->format->field_count)
			registered->fields = calloc(registered->format->field_count,
						    sizeof(*registered->fields));
	}
	if (!registered->format || !registered->format->field_count)
		return 0;
	if (!registered->fields)
		return -ENOMEM;
	add_fields(registered, event);
	return 0;
}

bool stat_registered_has_pass(const struct stat *stat)
{
	for (uint32_t id = 0; stat->registered && id <= EVTLOG_EVENT_ID_MAX; id++) {
		const struct stat_registered *registered = &stat->registered[id];

		if (registered->count && registered->format &&
		    !strcmp(registered->format->name, "sampler_pass"))
			return true;
	}
	return false;
}

void stat_registered_free(struct stat *stat)
{
	for (uint32_t id = 0; stat->registered && id <= EVTLOG_EVENT_ID_MAX; id++)
		free(stat->registered[id].fields);
	free(stat->registered);
}
