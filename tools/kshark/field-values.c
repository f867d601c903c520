// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads fields of events by name, for KernelShark.
 */
#include <string.h>

#include "methods.h"

#define PREV_PID	"prev_pid"
#define PREV_STATE	"prev_state"

/* TASK_REPORT_MAX: preempted */
#define STATE_PREEMPTED	0x100

int64_t field_prev_state(const struct evtlog_file *file, const struct evtlog_event *event)
{
	/* In the order of the bits of the tracepoint's prev_state; a running task has no bit. */
	static const char letters[] = "SDTtXZPI";
	char letter = evtlog_state_letter(file, evtlog_switch_state(event->words));
	const char *at = strchr(letters, letter);

	if (letter == '+')
		return STATE_PREEMPTED;
	return at && letter ? 1 << (at - letters) : 0;
}

/* Converts a number of @bytes bytes from network byte order. */
static int64_t big_endian(uint64_t value, unsigned int bytes)
{
	return __builtin_bswap64(value) >> (64 - 8 * bytes);
}

static const struct evtlog_event_format *format_of(const struct evtlog_file *file,
						   const struct evtlog_event *event)
{
	return event->known == EVTLOG_EVENT ?
	       evtlog_event_format(file, evtlog_event_id(event)) : NULL;
}

unsigned int field_names(const struct evtlog_file *file, const struct evtlog_event *event,
			 const char **names)
{
	const struct evtlog_event_format *format = format_of(file, event);
	const struct evtlog_type_info *type;
	unsigned int count = 0;

	if (event->kind != EVTLOG_EVENT_RECORD)
		return 0;
	if (event->known == EVTLOG_SCHED_SWITCH)
		names[count++] = PREV_PID;
	type = evtlog_type_info(file, event->number);
	for (unsigned int i = 0; !format && i < type->field_count; i++)
		names[count++] = type->fields[i].name;
	for (unsigned int i = 0; format && i < format->field_count && count < FIELD_NAMES_MAX; i++)
		names[count++] = format->fields[i].name;
	return count;
}

static bool registered_value(const struct evtlog_event_format *format,
			     const struct evtlog_event *event, const char *name, int64_t *value)
{
	size_t bytes, field_bytes;
	const void *payload = evtlog_event_payload(event, &bytes), *at;

	for (unsigned int i = 0; i < format->field_count; i++) {
		const struct evtlog_event_field *field = &format->fields[i];

		if (strcmp(field->name, name))
			continue;
		at = evtlog_event_field_at(field, payload, bytes, &field_bytes);
		if (!at || !strchr("udxpknt", field->kind))
			return false;
		*value = field->kind == 'd' ? evtlog_event_field_s64(at, field_bytes) :
					      (int64_t)evtlog_event_field_u64(at, field_bytes);
		if (field->kind == 'n' && field_bytes && field_bytes <= sizeof(*value))
			*value = big_endian(*value, field_bytes);
		return true;
	}
	return false;
}

bool field_value(const struct evtlog_file *file, const struct evtlog_event *event,
		 const char *name, int64_t *value)
{
	const struct evtlog_event_format *format = format_of(file, event);
	const struct evtlog_type_info *type;

	if (event->kind != EVTLOG_EVENT_RECORD)
		return false;
	if (event->known == EVTLOG_SCHED_SWITCH && !strcmp(name, PREV_PID)) {
		*value = (int32_t)event->pid;
		return true;
	}
	if (event->known == EVTLOG_SCHED_SWITCH && !strcmp(name, PREV_STATE)) {
		*value = field_prev_state(file, event);
		return true;
	}
	if (format)
		return registered_value(format, event, name, value);
	type = evtlog_type_info(file, event->number);
	for (unsigned int i = 0; i < type->field_count; i++) {
		const struct evtlog_field *field = &type->fields[i];

		if (strcmp(field->name, name) || field->kind == 'c' || field->bits > 64)
			continue;
		*value = field->kind == 'd' ? evtlog_field_s64(field, event->file_words) :
					      (int64_t)evtlog_field_u64(field, event->file_words);
		if (field->kind == 'n')
			*value = big_endian(*value, (field->bits + 7) / 8);
		return true;
	}
	return false;
}
