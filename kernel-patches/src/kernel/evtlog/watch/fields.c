// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watches: an event's fields, a filter over them, and their values in a record
 */
#include <linux/evtlog.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <asm/byteorder.h>
#include <asm/unaligned.h>

#include "events.h"
#include "filter/filter.h"
#include "filter/tree.h"
#include "watch/watch.h"

#define PRINT_BYTES_MAX	32

static const char *type_fields(unsigned int type)
{
	switch (type) {
#define X(number, NAME, name, words, fields) case number: return fields;
	EVTLOG_TYPES(X)
#undef X
	default:
		return NULL;
	}
}

static int add_field(struct watch_fields *fields, const char *name, char kind, unsigned int at,
		     unsigned int bits)
{
	struct watch_field *field = &fields->field[fields->nr];

	if (fields->nr == WATCH_FIELDS_MAX)
		return -E2BIG;
	strscpy(field->name, name, sizeof(field->name));
	field->kind = kind;
	field->at = at;
	field->bits = bits;
	fields->nr++;
	return 0;
}

/* "NAME:WORD:BIT:BITS:KIND ..." of a type; "NAME:OFFSET:BYTES:KIND ...\n" of a registered event */
static int take_fields(struct watch_fields *fields, const char *text, bool is_registered)
{
	while (*text && *text != '\n') {
		unsigned int word = 1, at, size, unit = is_registered ? 8 : 1;
		char name[32], kind;

		if (is_registered ?
		    sscanf(text, "%31[^:]:%u:%u:%c", name, &at, &size, &kind) != 4 :
		    sscanf(text, "%31[^:]:%u:%u:%u:%c", name, &word, &at, &size, &kind) != 5)
			return -EINVAL;
		if (add_field(fields, name, kind, 64 * word + unit * at, unit * size))
			return -E2BIG;
		text += strcspn(text, " \n");
		text += *text == ' ';
	}
	return 0;
}

/**
 * watch_fields_find() - look up the fields of an event
 * @fields:	filled in
 * @name:	of a registered event, or of a type
 *
 * Adds fields that the event lacks: cpu, and the pid of the task that ran there.
 *
 * Context: task context, may sleep.
 * Return: 0; -ENOENT: no such event; -E2BIG: too many fields; -EINVAL.
 */
int watch_fields_find(struct watch_fields *fields, const char *name)
{
	int id = evtlog_event_find(name, fields->text, sizeof(fields->text));
	unsigned int type;
	int error = -ENOENT;

	fields->nr = 0;
	if (id > 0) {
		fields->type = EVTLOG_EVENT;
		fields->id = id;
		error = take_fields(fields, strchr(fields->text, '\n') + 1, true);
	}
	for (type = EVTLOG_COUNTER + 1; id < 0 && type < EVTLOG_EVENT; type++) {
		const char *its = evtlog_type_name(type);

		if (!its || strcmp(its, name))
			continue;
		fields->type = type;
		error = take_fields(fields, type_fields(type), false);
		break;
	}
	if (!error && watch_field_named(fields, "cpu") < 0)
		error = add_field(fields, "cpu", WATCH_CPU, 0, 32);
	if (!error && watch_field_named(fields, "pid") < 0)
		error = add_field(fields, "pid", WATCH_PID, 0, 32);
	return error;
}

/**
 * watch_field_named() - find a field by its name
 * @fields:	of the event
 * @name:	of the field
 *
 * Return: its index; -ENOENT.
 */
int watch_field_named(const struct watch_fields *fields, const char *name)
{
	unsigned int i;

	for (i = 0; i < fields->nr; i++) {
		if (!strcmp(fields->field[i].name, name))
			return i;
	}
	return -ENOENT;
}

static bool is_number(const struct watch_field *field)
{
	return field->bits && field->bits <= 64 && !strchr("cb6m", field->kind);
}

static unsigned int width_of(const struct watch_field *field)
{
	return field->bits <= 8 ? 1 : field->bits <= 16 ? 2 : field->bits <= 32 ? 4 : 8;
}

static u64 to_native(u64 value, unsigned int bits)
{
	return be64_to_cpu(value) >> (64 - bits);
}

/**
 * watch_field_value() - return a number of a record
 * @field:	of its event
 * @value:	set; only the lowest @bits of the field are valid
 *
 * Return: true if the record has the field: EVENTs may be shorter than their format.
 */
bool watch_field_value(const struct watch_field *field, const struct watch_record *rec, u64 *value)
{
	unsigned int bit = field->at % 64, word = field->at / 64;

	if (field->kind == WATCH_CPU || field->kind == WATCH_PID) {
		*value = field->kind == WATCH_CPU ? rec->cpu : rec->pid;
		return *value != U32_MAX;
	}
	if (!is_number(field) || word + (bit + field->bits + 63) / 64 > rec->nr_words)
		return false;
	if ((rec->words[0] >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX) == EVTLOG_EVENT &&
	    field->at + field->bits > 64 + 8 * evtlog_event_bytes(rec->words[0]))
		return false;
	/* Fields of a payload may be in two words. */
	if (bit % 8 == 0)
		*value = get_unaligned((const u64 *)((const u8 *)rec->words + field->at / 8));
	else
		*value = rec->words[word] >> bit;
	if (field->bits < 64)
		*value &= (1ULL << field->bits) - 1;
	if (field->kind == 'n' || field->kind == '4')
		*value = to_native(*value, field->bits);
	return true;
}

static int refuse_task(const struct evtlog_filter *filter, char *error, size_t size)
{
	unsigned int i;

	for (i = 0; i < filter->nr_nodes; i++) {
		const struct filter_node *node = &filter->nodes[i];
		bool has_value = node->kind == FILTER_COMPARE || node->kind == FILTER_SET;

		if (node->kind < FILTER_COMM && (!has_value || node->special == FILTER_SLOT))
			continue;
		snprintf(error, size,
			 "a watch can test only the event's fields, cpu and pid");
		return -EINVAL;
	}
	return 0;
}

/**
 * watch_side_compile() - compile the filter of a side
 * @side:	its fields are set
 * @condition:	text of the filter
 * @error:	set to the reason of a failure
 *
 * Return: 0; -EINVAL.
 */
int watch_side_compile(struct watch_side *side, const char *condition, char *error, size_t size)
{
	struct evtlog_filter_field fields[WATCH_FIELDS_MAX];
	unsigned int i, nr = 0;

	for (i = 0; i < side->fields.nr; i++) {
		const struct watch_field *field = &side->fields.field[i];

		if (!is_number(field))
			continue;
		fields[nr++] = (struct evtlog_filter_field){
			.name = field->name, .slot = i, .width = width_of(field),
			.is_signed = field->kind == 'd',
		};
	}
	side->filter = evtlog_filter_compile(condition, fields, nr, error, size);
	if (!side->filter)
		return -EINVAL;
	if (refuse_task(side->filter, error, size))
		return -EINVAL;
	for (i = 0; i < side->filter->nr_nodes; i++) {
		const struct filter_node *node = &side->filter->nodes[i];

		if (node->kind == FILTER_COMPARE || node->kind == FILTER_SET)
			side->used |= BIT_ULL(node->slot);
	}
	return 0;
}

/**
 * watch_side_takes() - return true if a record is of this side
 * @side:	A or B
 */
bool watch_side_takes(const struct watch_side *side, const struct watch_record *rec)
{
	u64 first = rec->words[0], slots[WATCH_FIELDS_MAX];
	unsigned int i;

	if ((first >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX) != side->fields.type)
		return false;
	if (side->fields.type == EVTLOG_EVENT &&
	    (first >> EVTLOG_DATA_SHIFT & EVTLOG_EVENT_ID_MAX) != side->fields.id)
		return false;
	if (!side->filter)
		return true;
	for (i = 0; i < side->fields.nr; i++) {
		if (side->used >> i & 1 &&
		    !watch_field_value(&side->fields.field[i], rec, &slots[i]))
			return false;
	}
	return evtlog_filter_run(side->filter, slots);
}

static size_t print_bytes(const struct watch_field *field, const struct watch_record *rec,
			  char *at, size_t room)
{
	unsigned int from = field->at / 8, bytes = field->bits / 8, i, has = 8 * rec->nr_words;
	const u8 *data = (const u8 *)rec->words + from;
	size_t used = 0;

	if ((rec->words[0] >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX) == EVTLOG_EVENT)
		has = min(has, 8 + evtlog_event_bytes(rec->words[0]));
	if (from >= has)
		return 0;
	bytes = min3(bytes ?: has - from, has - from, (unsigned int)PRINT_BYTES_MAX);
	for (i = 0; i < bytes && (field->kind != 'c' || data[i]); i++) {
		if (field->kind != 'c')
			used += scnprintf(at + used, room - used, "%02x", data[i]);
		else
			used += scnprintf(at + used, room - used, "%c",
					  data[i] > ' ' && data[i] < 127 ? data[i] : '?');
	}
	return used;
}

/**
 * watch_side_print() - print a record: "NAME cpu=N field=value ..."
 * @side:	of the record
 * @at:		written to
 * @room:	size of @at
 *
 * Return: number of characters written.
 */
size_t watch_side_print(const struct watch_side *side, const struct watch_record *rec,
			char *at, size_t room)
{
	size_t used = scnprintf(at, room, "%s", side->name);
	unsigned int i;
	u64 value;

	for (i = 0; i < side->fields.nr; i++) {
		const struct watch_field *field = &side->fields.field[i];
		bool is_hex = field->kind == 'x' || field->kind == '4';

		if (!is_number(field)) {
			used += scnprintf(at + used, room - used, " %s=", field->name);
			used += print_bytes(field, rec, at + used, room - used);
			continue;
		}
		if (!watch_field_value(field, rec, &value))
			continue;
		if (field->kind == 'd')
			used += scnprintf(at + used, room - used, " %s=%lld", field->name,
					  filter_extend(value, width_of(field), true));
		else
			used += scnprintf(at + used, room - used, is_hex ? " %s=0x%llx" : " %s=%llu",
					  field->name, value);
	}
	return used;
}
