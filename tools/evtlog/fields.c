// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows a record's fields as the file describes them.
 *
 * Stage: between events and a line or JSON.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/remote.h>

#include "fields.h"

#define IRQS_MAX	65536

int fields_init(struct fields *fields, const struct evtlog_file *file,
		const struct evtlog_tasks *tasks)
{
	const char *key, *value;

	*fields = (struct fields) { .file = file, .tasks = tasks };
	for (size_t i = 0; evtlog_meta_at(file, i, &key, &value); i++) {
		unsigned long irq;
		char *end;

		if (strncmp(key, "irq_", 4))
			continue;
		irq = strtoul(key + 4, &end, 10);
		if (end == key + 4 || *end || irq >= IRQS_MAX || !*value)
			continue;
		if (irq >= fields->irqs) {
			const char **names;

			names = reallocarray(fields->irq_names, irq + 1,
					     sizeof(*names));
			if (!names)
				return -ENOMEM;
			memset(names + fields->irqs, 0,
			       (irq + 1 - fields->irqs) * sizeof(*names));
			fields->irq_names = names;
			fields->irqs = irq + 1;
		}
		fields->irq_names[irq] = value;
	}
	return 0;
}

void fields_free(struct fields *fields)
{
	free(fields->irq_names);
}

const char *fields_irq_name(const struct fields *fields, unsigned int irq)
{
	return irq < fields->irqs ? fields->irq_names[irq] : NULL;
}

void fields_task(const struct fields *fields, struct line *line, uint32_t pid)
{
	const struct evtlog_task *task = NULL;

	if (pid == EVTLOG_PID_UNKNOWN) {
		line_char(line, '?');
		return;
	}
	if (fields->tasks)
		task = evtlog_tasks_find(fields->tasks, pid);
	if (task && task->comm[0])
		line_escaped(line, task->comm,
			     strnlen(task->comm, sizeof(task->comm)));
	else
		line_char(line, '?');
	line_char(line, '-');
	line_u64(line, pid, 0, ' ');
}

static void show_irq(const struct fields *fields, struct line *line,
		     uint64_t irq)
{
	const char *name = irq < IRQS_MAX ? fields_irq_name(fields, irq) : NULL;

	line_u64(line, irq, 0, ' ');
	if (!name)
		return;
	line_char(line, '(');
	line_escaped(line, name, strlen(name));
	line_char(line, ')');
}

static void show_address(struct line *line, uint32_t address)
{
	const uint8_t *byte = (const uint8_t *)&address;

	for (int i = 0; i < 4; i++) {
		if (i)
			line_char(line, '.');
		line_u64(line, byte[i], 0, ' ');
	}
}

/* A number whose bytes are in network order. */
static uint64_t big_endian(const struct evtlog_field *field, uint64_t value)
{
	return __builtin_bswap64(value) >> (64 - ((field->bits + 7) & ~7u));
}

static size_t text_length(const struct evtlog_field *field,
			  const uint64_t *words)
{
	return strnlen((const char *)&words[field->word], field->bits / 8);
}

static void show_field(const struct fields *fields, struct line *line,
		       const struct evtlog_field *field, const uint64_t *words)
{
	uint64_t value = evtlog_field_u64(field, words);
	const char *name;

	switch (field->kind) {
	case 'd':
		line_s64(line, evtlog_field_s64(field, words));
		break;
	case 'x':
		line_hex(line, value);
		break;
	case 'p':
		fields_task(fields, line, value);
		break;
	case 's':
		line_char(line, evtlog_state_letter(fields->file, value));
		break;
	case 'v':
		name = value < 64 ? evtlog_softirq_name(fields->file, value) :
		       NULL;
		if (name)
			line_text(line, name);
		else
			line_u64(line, value, 0, ' ');
		break;
	case 'c':
		line_char(line, '"');
		if (field->bits > 64)
			line_escaped(line, &words[field->word],
				     text_length(field, words));
		else
			line_escaped(line, &value,
				     strnlen((const char *)&value, 8));
		line_char(line, '"');
		break;
	case '4':
		show_address(line, value);
		break;
	case 'n':
		line_u64(line, big_endian(field, value), 0, ' ');
		break;
	case 't':
		line_seconds(line, value, 0);
		break;
	default:
		if (!strcmp(field->name, "irq"))
			show_irq(fields, line, value);
		else
			line_u64(line, value, 0, ' ');
	}
}

/* Of messages: what they ask for, by name. */
static const char *remote_name(const struct evtlog_field *field, uint64_t value)
{
	static const char *const operations[] = {
		[EVTLOG_REMOTE_STATUS] = "status",
		[EVTLOG_REMOTE_START] = "start",
		[EVTLOG_REMOTE_STOP] = "stop",
		[EVTLOG_REMOTE_SCHED] = "sched",
		[EVTLOG_REMOTE_ARM] = "arm",
		[EVTLOG_REMOTE_DISARM] = "disarm",
		[EVTLOG_REMOTE_CANCEL] = "cancel",
	};
	static const char *const groups[] = {
		[EVTLOG_REMOTE_PGID] = "pgid",
		[EVTLOG_REMOTE_SID] = "sid",
		[EVTLOG_REMOTE_CGROUP] = "cgroup",
	};

	if (!strcmp(field->name, "operation"))
		return value < sizeof(operations) / sizeof(operations[0]) ?
		       operations[value] : NULL;
	if (!strcmp(field->name, "group_kind"))
		return value < sizeof(groups) / sizeof(groups[0]) ? groups[value] : NULL;
	return NULL;
}

/* How long before the event it was; false: nobody looked, or can tell. */
static bool arrival_before_ns(const struct fields *fields, const struct evtlog_field *field,
			      const struct evtlog_event *event, uint64_t *ns)
{
	uint64_t hz = evtlog_ticks_hz(fields->file), ticks;

	if (field->kind != 'k' || strcmp(field->name, "arrival"))
		return false;
	ticks = evtlog_field_u64(field, event->file_words);
	if (!ticks || !hz || ticks > event->ticks)
		return false;
	*ns = (unsigned __int128)(event->ticks - ticks) * 1000000000 / hz;
	return true;
}

static void show_before(struct line *line, uint64_t ns)
{
	line_char(line, '-');
	line_u64(line, ns / 1000, 0, ' ');
	line_char(line, '.');
	line_u64(line, ns % 1000, 3, '0');
	line_text(line, "us");
}

void fields_show(const struct fields *fields, struct line *line,
		 const struct evtlog_event *event)
{
	const struct evtlog_type_info *type;

	type = evtlog_type_info(fields->file, event->number);
	for (unsigned int i = 0; i < type->field_count; i++) {
		const struct evtlog_field *field = &type->fields[i];
		uint64_t before_ns;
		const char *name;

		if (i)
			line_char(line, ' ');
		line_text(line, field->name);
		line_char(line, '=');
		name = type->known == EVTLOG_REMOTE ?
		       remote_name(field, evtlog_field_u64(field, event->file_words)) :
		       NULL;
		if (name)
			line_text(line, name);
		else if (arrival_before_ns(fields, field, event, &before_ns))
			show_before(line, before_ns);
		else
			show_field(fields, line, field, event->file_words);
	}
}

static void field_json(const struct fields *fields, struct json *json,
		       const struct evtlog_field *field, const uint64_t *words)
{
	uint64_t value = evtlog_field_u64(field, words);
	struct line text;
	char letter[2] = "";

	text.length = 0;
	switch (field->kind) {
	case 'd':
		json_s64(json, field->name, evtlog_field_s64(field, words));
		break;
	case 'x':
		line_hex(&text, value);
		json_bytes(json, field->name, text.text, text.length);
		break;
	case 's':
		letter[0] = evtlog_state_letter(fields->file, value);
		json_string(json, field->name, letter);
		break;
	case 'c':
		if (field->bits > 64)
			json_bytes(json, field->name, &words[field->word],
				   text_length(field, words));
		else
			json_bytes(json, field->name, &value,
				   strnlen((const char *)&value, 8));
		break;
	case '4':
		show_address(&text, value);
		json_bytes(json, field->name, text.text, text.length);
		break;
	case 'n':
		json_u64(json, field->name, big_endian(field, value));
		break;
	default:
		json_u64(json, field->name, value);
	}
}

void fields_json(const struct fields *fields, struct json *json,
		 const struct evtlog_event *event)
{
	const struct evtlog_type_info *type;

	type = evtlog_type_info(fields->file, event->number);
	for (unsigned int i = 0; i < type->field_count; i++) {
		uint64_t before_ns;

		field_json(fields, json, &type->fields[i], event->file_words);
		if (arrival_before_ns(fields, &type->fields[i], event, &before_ns))
			json_u64(json, "arrival_before_ns", before_ns);
	}
}
