// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows the fields of a record as the file describes them, and adds names to numbers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "fields.h"
#include "names.h"

#define IRQS_MAX	65536

/*
 * Prepared JSON keys for the events of a type.
 * @event:	the key "event" with its value
 * @of:		for each field, its key and the key of its name
 */
struct fields_keys {
	struct json_key event;
	struct {
		struct json_key key;
		struct json_key name;
	} of[EVTLOG_FIELDS_MAX];
};

static void find_names(struct fields *fields)
{
	for (unsigned int number = 0; number <= EVTLOG_TYPE_MAX; number++) {
		const struct evtlog_type_info *type = evtlog_type_info(fields->file, number);

		for (unsigned int i = 0; type && i < type->field_count; i++)
			fields->names[number][i] = names_kind(type, &type->fields[i]);
	}
}

int fields_init(struct fields *fields, const struct evtlog_file *file,
		const struct evtlog_tasks *tasks)
{
	const char *key, *value;

	*fields = (struct fields) { .file = file, .tasks = tasks };
	/* Without this memory, keys are made for each event. */
	fields->keys = calloc(EVTLOG_TYPE_MAX + 1, sizeof(*fields->keys));
	find_names(fields);
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
	for (unsigned int number = 0; fields->keys && number <= EVTLOG_TYPE_MAX; number++)
		free(fields->keys[number]);
	free(fields->keys);
	free(fields->irq_names);
}

const char *fields_irq_name(const struct fields *fields, unsigned int irq)
{
	return irq < fields->irqs ? fields->irq_names[irq] : NULL;
}

/* Returns the name of a task, EVTLOG_COMM_LEN untrusted bytes; NULL if unknown. */
static const char *task_comm(const struct fields *fields, uint32_t pid)
{
	const struct evtlog_task *task = NULL;

	if (fields->comm_of)
		return fields->comm_of(fields->comm_context, pid);
	if (fields->tasks)
		task = evtlog_tasks_find(fields->tasks, pid);
	return task && task->comm[0] ? task->comm : NULL;
}

void fields_task(const struct fields *fields, struct line *line, uint32_t pid)
{
	const char *comm = task_comm(fields, pid);

	if (pid == EVTLOG_PID_UNKNOWN) {
		line_char(line, '?');
		return;
	}
	if (comm)
		line_escaped(line, comm, strnlen(comm, EVTLOG_COMM_LEN));
	else
		line_char(line, '?');
	line_char(line, '-');
	line_u64(line, pid, 0, ' ');
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

/* Converts a number from network byte order. */
static uint64_t big_endian(const struct evtlog_field *field, uint64_t value)
{
	return __builtin_bswap64(value) >> (64 - ((field->bits + 7) & ~7u));
}

static size_t text_length(const struct evtlog_field *field,
			  const uint64_t *words)
{
	return strnlen((const char *)&words[field->word], field->bits / 8);
}

/* Shows a task state; a preempted task is still running: "R+", as in ftrace. */
static void show_state(struct line *line, char letter)
{
	if (letter == '+')
		line_char(line, 'R');
	line_char(line, letter);
}

/* Adds "(name)", with '-' for blanks: a field is one word. */
static void show_name(struct line *line, const char *name)
{
	size_t from;

	if (!name)
		return;
	line_char(line, '(');
	from = line->length;
	line_escaped(line, name, strlen(name));
	for (; from < line->length; from++)
		if (line->text[from] == ' ')
			line->text[from] = '-';
	line_char(line, ')');
}

void fields_show_value(const struct fields *fields, struct line *line,
		       const struct evtlog_field *field, const uint64_t *words)
{
	uint64_t value = evtlog_field_u64(field, words);

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
		show_state(line, evtlog_state_letter(fields->file, value));
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
		line_u64(line, value, 0, ' ');
	}
}

/* Returns the name for the value of field @number; NULL if it has none or the name is unknown. */
static const char *name_of(const struct fields *fields, const struct evtlog_event *event,
			   const struct evtlog_field *field, unsigned int number)
{
	enum name_kind kind = fields->names[event->number][number];
	uint64_t value;

	/* Fast path: most fields have no names. */
	if (kind == NAME_NONE)
		return NULL;
	value = evtlog_field_u64(field, event->file_words);
	if (kind == NAME_COUNTED &&
	    evtlog_data(event->words, 1, 5) == EVTLOG_COUNTER_IRQ)
		return fields_irq_name(fields, value);
	if (kind == NAME_LINE)
		return value < IRQS_MAX ? fields_irq_name(fields, value) : NULL;
	return names_find(fields->file, kind, event, value);
}

/* Returns true if the name is shown without the number. */
static bool stands_alone(enum name_kind kind)
{
	return kind == NAME_SOFTIRQ || kind == NAME_OPERATION || kind == NAME_GROUP;
}

/* Time from the arrival of a message to the event; returns false if the arrival is unknown. */
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

/* Returns true for a registered event with a format, which defines its name and fields. */
static bool is_named(const struct fields *fields, const struct evtlog_event *event)
{
	return event->known == EVTLOG_EVENT &&
	       evtlog_event_format(fields->file, evtlog_event_id(event));
}

const char *fields_own_name(const struct fields *fields, const struct evtlog_event *event)
{
	if (is_named(fields, event))
		return evtlog_event_format(fields->file, evtlog_event_id(event))->name;
	return evtlog_type_info(fields->file, event->number)->name;
}

void fields_show(const struct fields *fields, struct line *line,
		 const struct evtlog_event *event)
{
	const struct evtlog_type_info *type;

	type = evtlog_type_info(fields->file, event->number);
	for (unsigned int i = 0; i < type->field_count && !is_named(fields, event); i++) {
		const struct evtlog_field *field = &type->fields[i];
		const char *name = name_of(fields, event, field, i);
		uint64_t before_ns;

		if (i)
			line_char(line, ' ');
		line_text(line, field->name);
		line_char(line, '=');
		if (name && stands_alone(fields->names[event->number][i])) {
			line_text(line, name);
			continue;
		}
		if (arrival_before_ns(fields, field, event, &before_ns))
			show_before(line, before_ns);
		else
			fields_show_value(fields, line, field, event->file_words);
		show_name(line, name);
	}
	payload_show(fields, line, !is_named(fields, event), event);
}

void fields_json_value(const struct fields *fields, struct json *json, const char *key,
		       const struct evtlog_field *field, const uint64_t *words)
{
	uint64_t value = evtlog_field_u64(field, words);
	struct line text;
	char letter[2] = "";

	text.length = 0;
	switch (field->kind) {
	case 'd':
		json_exact_s64(json, key, evtlog_field_s64(field, words));
		break;
	case 'x':
		line_hex(&text, value);
		json_bytes(json, key, text.text, text.length);
		break;
	case 's':
		letter[0] = evtlog_state_letter(fields->file, value);
		json_string(json, key, letter);
		break;
	case 'c':
		if (field->bits > 64)
			json_bytes(json, key, &words[field->word],
				   text_length(field, words));
		else
			json_bytes(json, key, &value,
				   strnlen((const char *)&value, 8));
		break;
	case '4':
		show_address(&text, value);
		json_bytes(json, key, text.text, text.length);
		break;
	case 'n':
		json_exact_u64(json, key, big_endian(field, value));
		break;
	default:
		json_exact_u64(json, key, value);
	}
}

/* Adds the name of a field's number or letter. */
static void name_json(const struct fields *fields, struct json *json,
		      const struct evtlog_event *event, const struct evtlog_field *field,
		      unsigned int number, const struct json_key *key)
{
	uint64_t value;
	const char *name;

	if (field->kind == 'p') {
		name = task_comm(fields, evtlog_field_u64(field, event->file_words));
		json_keyed(json, key);
		if (name)
			json_bytes(json, NULL, name, strnlen(name, EVTLOG_COMM_LEN));
		else
			json_null(json, NULL);
		return;
	}
	if (field->kind == 's') {
		value = evtlog_field_u64(field, event->file_words);
		name = names_state(evtlog_state_letter(fields->file, value));
	} else {
		name = name_of(fields, event, field, number);
	}
	if (!name)
		return;
	json_keyed(json, key);
	json_string(json, NULL, name);
}

static void make_keys(struct fields_keys *keys, const struct evtlog_type_info *type)
{
	json_pair_make(&keys->event, "event", type->name);
	for (unsigned int i = 0; i < type->field_count; i++) {
		const struct evtlog_field *field = &type->fields[i];

		json_key_make(&keys->of[i].key, field->name, "");
		json_key_make(&keys->of[i].name, field->name, field->kind == 'p' ? "_comm" : "_name");
	}
}

/* @for_now: used if there is no memory for cached keys */
static const struct fields_keys *keys_of(const struct fields *fields,
					 const struct evtlog_type_info *type,
					 struct fields_keys *for_now)
{
	struct fields_keys *keys = fields->keys ? fields->keys[type->number] : NULL;

	if (__builtin_expect(!keys, 0)) {
		keys = fields->keys ? malloc(sizeof(*keys)) : NULL;
		if (keys)
			fields->keys[type->number] = keys;
		else
			keys = for_now;
		make_keys(keys, type);
	}
	return keys;
}

static void put_fields(const struct fields *fields, struct json *json,
		       const struct evtlog_event *event, const struct evtlog_type_info *type,
		       const struct fields_keys *keys)
{
	static const struct json_key key = JSON_KEY("fields");

	json_keyed(json, &key);
	json_object(json, NULL);
	for (unsigned int i = 0; i < type->field_count; i++) {
		const struct evtlog_field *field = &type->fields[i];
		uint64_t before_ns;

		json_keyed(json, &keys->of[i].key);
		fields_json_value(fields, json, NULL, field, event->file_words);
		name_json(fields, json, event, field, i, &keys->of[i].name);
		if (arrival_before_ns(fields, field, event, &before_ns))
			json_u64(json, "arrival_before_ns", before_ns);
	}
	payload_json(fields, json, event);
	json_end(json);
}

void fields_json(const struct fields *fields, struct json *json,
		 const struct evtlog_event *event)
{
	const struct evtlog_type_info *type = evtlog_type_info(fields->file, event->number);
	struct fields_keys for_now;

	put_fields(fields, json, event, type, keys_of(fields, type, &for_now));
}

void fields_event_json(const struct fields *fields, struct json *json,
		       const struct evtlog_event *event)
{
	const struct evtlog_type_info *type = evtlog_type_info(fields->file, event->number);
	struct fields_keys for_now;
	const struct fields_keys *keys = keys_of(fields, type, &for_now);

	json_pair(json, &keys->event);
	put_fields(fields, json, event, type, keys);
}
