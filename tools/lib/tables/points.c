// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events that are not slices: each has a row in `event`, and its fields are in `args`, unless
 * another table has the event.
 *
 * Records in which the writer describes the log itself are left out: TIME, EVENT_FORMAT, ON_CPU.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lib/base/zeros.h"

/* Longest part of a field that is written in hexadecimal digits */
#define BYTES_MAX	4000

#define NAMED_BYTES	((EVTLOG_EVENT_ID_MAX + 1) * sizeof(struct event_names))
#define CALLS_BYTES	(0x10000 * sizeof(int64_t))
#define IRQS_BYTES	(IRQS_MAX * sizeof(int64_t))

/* Takes names from the header's lines "irq_24=NAME". */
static void learn_irqs(struct tables *tables)
{
	const char *key, *value;

	for (size_t i = 0; evtlog_meta_at(tables->file, i, &key, &value); i++) {
		unsigned long irq;
		char *end;

		if (strncmp(key, "irq_", 4))
			continue;
		irq = strtoul(key + 4, &end, 10);
		if (end != key + 4 && !*end && irq < IRQS_MAX && *value)
			tables->irq_texts[irq] = tables_text(tables, value) + 1;
	}
}

int points_init(struct tables *tables)
{
	tables->events_named = zeros_new(NAMED_BYTES);
	tables->call_texts[0] = zeros_new(CALLS_BYTES);
	tables->call_texts[1] = zeros_new(CALLS_BYTES);
	tables->irq_texts = zeros_new(IRQS_BYTES);
	if (!tables->events_named || !tables->call_texts[0] || !tables->call_texts[1] ||
	    !tables->irq_texts)
		return -ENOMEM;
	tables->int_text = tables_text(tables, "int");
	tables->uint_text = tables_text(tables, "uint");
	tables->string_text = tables_text(tables, "string");
	learn_irqs(tables);
	return tables->error;
}

void points_free(struct tables *tables)
{
	for (unsigned int i = 0; tables->events_named && i < tables->named_end; i++)
		free(tables->events_named[i].fields);
	zeros_free(tables->events_named, NAMED_BYTES);
	zeros_free(tables->call_texts[0], CALLS_BYTES);
	zeros_free(tables->call_texts[1], CALLS_BYTES);
	zeros_free(tables->irq_texts, IRQS_BYTES);
}

/* ---- Fields ---- */

/* Columns of args; real_value is always NULL */
enum { INT_VALUE = 2, STRING_VALUE, REAL_VALUE, UINT_VALUE };

#define NO(column)	NULL_IF(true, column)

/* Numbers larger than INT64_MAX are in uint_value only. */
static void put_unsigned(struct tables *tables, int64_t key, uint64_t value)
{
	tables_put(tables, TABLE_ARGS, (int64_t[]) {
		tables->options.numbers->event, key, value, 0, 0, value, tables->uint_text
	}, NULL_IF(value > INT64_MAX, INT_VALUE) | NO(STRING_VALUE) | NO(REAL_VALUE));
}

static void put_signed(struct tables *tables, int64_t key, int64_t value)
{
	tables_put(tables, TABLE_ARGS, (int64_t[]) {
		tables->options.numbers->event, key, value, 0, 0, 0, tables->int_text
	}, NO(STRING_VALUE) | NO(REAL_VALUE) | NO(UINT_VALUE));
}

static void put_text(struct tables *tables, int64_t key, const char *text, size_t length)
{
	tables_put(tables, TABLE_ARGS, (int64_t[]) {
		tables->options.numbers->event, key, 0, tables_text_once(tables, text, length), 0,
		0, tables->string_text
	}, NO(INT_VALUE) | NO(REAL_VALUE) | NO(UINT_VALUE));
}

static void put_bytes(struct tables *tables, int64_t key, const unsigned char *bytes, size_t length)
{
	char text[2 * BYTES_MAX];

	if (length > BYTES_MAX)
		length = BYTES_MAX;
	for (size_t i = 0; i < length; i++) {
		text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	put_text(tables, key, text, 2 * length);
}

/* A text that could not be read is NULL. */
static void put_no_text(struct tables *tables, int64_t key)
{
	tables_put(tables, TABLE_ARGS, (int64_t[]) {
		tables->options.numbers->event, key, 0, 0, 0, 0, tables->string_text
	}, NO(INT_VALUE) | NO(STRING_VALUE) | NO(REAL_VALUE) | NO(UINT_VALUE));
}

static void put_address(struct tables *tables, int64_t key, const unsigned char *bytes)
{
	char text[16], *to = text;

	for (unsigned int i = 0; i < 4; i++) {
		if (i)
			*to++ = '.';
		if (bytes[i] >= 100)
			*to++ = '0' + bytes[i] / 100;
		if (bytes[i] >= 10)
			*to++ = '0' + bytes[i] / 10 % 10;
		*to++ = '0' + bytes[i] % 10;
	}
	put_text(tables, key, text, to - text);
}

static uint64_t swapped(uint64_t value, unsigned int bytes)
{
	return __builtin_bswap64(value) >> (64 - 8 * bytes);
}

/* Converts a number from big-endian to the byte order of this machine. */
static uint64_t of_network(uint64_t value, unsigned int bytes)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return bytes ? swapped(value, bytes) : value;
#else
	return value;
#endif
}

/* ---- Types of the log ---- */

static int64_t field_text(struct tables *tables, const struct evtlog_type_info *type,
			  unsigned int field)
{
	int64_t *id = &tables->field_texts[type->number][field];

	if (!*id)
		*id = tables_text(tables, type->fields[field].name) + 1;
	return *id - 1;
}

static void put_field(struct tables *tables, int64_t key, const struct evtlog_field *field,
		      const uint64_t *words)
{
	uint64_t value;

	if (field->kind == 'c') {
		const char *text = (const char *)(words + field->word);

		put_text(tables, key, text, strnlen(text, field->bits / 8));
		return;
	}
	if (field->bits > 64) {
		tables->left_out.fields++;
		return;
	}
	if (field->kind == 's') {
		char text[] = { evtlog_state_letter(tables->file, evtlog_field_u64(field, words)),
				'+' };

		if (text[0] == '+')
			text[0] = 'R';
		else
			text[1] = '\0';
		put_text(tables, key, text, strnlen(text, sizeof(text)));
		return;
	}
	if (field->kind == 'd') {
		put_signed(tables, key, evtlog_field_s64(field, words));
		return;
	}
	value = evtlog_field_u64(field, words);
	if (field->kind == '4' && field->bits == 32) {
		uint32_t address = value;

		put_address(tables, key, (const unsigned char *)&address);
		return;
	}
	if (field->kind == 'n')
		value = of_network(value, field->bits / 8);
	put_unsigned(tables, key, value);
}

static void put_fields(struct tables *tables, const struct evtlog_type_info *type,
		       const struct evtlog_event *event)
{
	for (unsigned int i = 0; i < type->field_count; i++)
		put_field(tables, field_text(tables, type, i), &type->fields[i],
			  event->file_words);
}

/* ---- Registered events ---- */

static void learn(struct tables *tables, struct event_names *names, uint32_t id)
{
	const struct evtlog_event_format *format = evtlog_event_format(tables->file, id);
	char text[32];

	names->asked = true;
	if (id >= tables->named_end)
		tables->named_end = id + 1;
	if (!format) {
		snprintf(text, sizeof(text), "event %u", id);
		names->name = tables_text(tables, text);
		return;
	}
	names->fields = calloc(format->field_count + 1, sizeof(*names->fields));
	if (!names->fields) {
		tables->error = -ENOMEM;
		return;
	}
	names->format = format;
	names->name = tables_text(tables, format->name);
	for (unsigned int i = 0; i < format->field_count; i++)
		names->fields[i] = tables_text(tables, format->fields[i].name);
	names->is_sample = !strcmp(format->name, "sampler_task") && format->field_count == 4 &&
			   !strcmp(format->fields[0].name, "pid") &&
			   !strcmp(format->fields[1].name, "cpu") &&
			   !strcmp(format->fields[2].name, "prio") &&
			   !strcmp(format->fields[3].name, "state");
}

static struct event_names *names_of(struct tables *tables, const struct evtlog_event *event)
{
	uint32_t id = evtlog_event_id(event) & EVTLOG_EVENT_ID_MAX;
	struct event_names *names = &tables->events_named[id];

	if (!names->asked)
		learn(tables, names, id);
	return names;
}

static void put_payload_field(struct tables *tables, int64_t key,
			      const struct evtlog_event_field *field, const void *payload,
			      size_t bytes)
{
	size_t length;
	const void *at = evtlog_event_field_at(field, payload, bytes, &length);
	char address[EVTLOG_ADDRESS_BYTES];
	size_t address_length;

	if (!at)
		return;
	if (evtlog_event_field_is_unread(field, at, length)) {
		put_no_text(tables, key);
		return;
	}
	address_length = evtlog_event_field_address(field, at, length, address);
	if (address_length) {
		put_text(tables, key, address, address_length);
		return;
	}
	switch (field->kind) {
	case 'c':
		put_text(tables, key, at, strnlen(at, length));
		return;
	case 'b':
		put_bytes(tables, key, at, length);
		return;
	case '4':
		tables->left_out.fields++;
		return;
	case 'd':
		put_signed(tables, key, evtlog_event_field_s64(at, length));
		return;
	case 'n':
		put_unsigned(tables, key, of_network(evtlog_event_field_u64(at, length), length));
		return;
	default:
		put_unsigned(tables, key, evtlog_event_field_u64(at, length));
	}
}

static void put_payload(struct tables *tables, const struct event_names *names,
			const struct evtlog_event *event)
{
	size_t bytes;
	const void *payload = evtlog_event_payload(event, &bytes);

	if (!names->format) {
		put_bytes(tables, tables_text(tables, "payload"), payload, bytes);
		return;
	}
	for (unsigned int i = 0; i < names->format->field_count; i++)
		put_payload_field(tables, names->fields[i], &names->format->fields[i], payload,
				  bytes);
}

static uint64_t sample_field(const struct event_names *names, unsigned int number,
			     const void *payload, size_t bytes)
{
	size_t length;
	const void *at = evtlog_event_field_at(&names->format->fields[number], payload, bytes,
					       &length);

	return at ? evtlog_event_field_u64(at, length) : UINT64_MAX;
}

/* The state as in thread_state. The sampler has '+' for a task that waits for its CPU. */
static int64_t sampled_state(struct tables *tables, char state)
{
	if (state == 'R')
		return tables_text(tables, "Running");
	if (state == '+')
		return tables_text(tables, "R");
	return tables_text_of(tables, &state, 1);
}

static void put_sample(struct tables *tables, const struct event_names *names, const struct cpu *on,
		       const struct evtlog_event *event)
{
	size_t bytes;
	const void *payload = evtlog_event_payload(event, &bytes);
	uint64_t pid = sample_field(names, 0, payload, bytes);
	uint64_t cpu = sample_field(names, 1, payload, bytes);
	int32_t priority = sample_field(names, 2, payload, bytes);
	char state = sample_field(names, 3, payload, bytes);
	const struct task *task = tables_task_of(tables, pid < REPLAY_PIDS ? pid : EVTLOG_PID_UNKNOWN);

	if (!task->pid)
		tables_leave_out(tables, on, event);
	if (!task->pid || !tables_want(tables, TABLE_SAMPLE))
		return;
	tables_put_sourced(tables, TABLE_SAMPLE, (int64_t[]) {
		tables->now, (int32_t)cpu, task->utid, sampled_state(tables, state), priority,
		SOURCE_VALUES(tables)
	}, 0);
}

/* ---- Events ---- */

static int64_t name_of(struct tables *tables, const struct evtlog_type_info *type,
		unsigned int known)
{
	/* Types of vectors do not come here: nested.c uses their entries. */
	int64_t *id = &tables->type_texts[type ? type->number : known];

	if (!type)
		return tables_text(tables, "?");
	if (!*id)
		*id = tables_text(tables, type->name) + 1;
	return *id - 1;
}

static void put_exit(struct tables *tables, const struct cpu *cpu, const struct evtlog_event *event)
{
	const struct task *task = tables_task_of(tables, evtlog_record_pid(event->words));

	if (!task->pid)
		tables_leave_out(tables, cpu, event);
	if (task->pid && tables_want(tables, TABLE_PROCESS_EXIT))
		tables_put_sourced(tables, TABLE_PROCESS_EXIT, (int64_t[]) {
			tables->now, cpu->number, task->utid, (int32_t)(event->words[1] >> 32),
			SOURCE_VALUES(tables)
		}, 0);
}

void points_take(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event)
{
	bool is_registered = event->known == EVTLOG_EVENT;
	const struct event_names *names = is_registered ? names_of(tables, event) : NULL;
	const struct evtlog_type_info *type;

	if (!tables_now_wanted(tables, cpu) || tables->error)
		return;
	if (event->known == EVTLOG_SCHED_PROCESS_EXIT) {
		put_exit(tables, cpu, event);
		return;
	}
	if (names && names->is_sample) {
		put_sample(tables, names, cpu, event);
		return;
	}
	/* Count also unwanted events: a checkpoint must be valid for all tables. */
	tables->options.numbers->event++;
	if (!tables_want(tables, TABLE_EVENT) && !tables_want(tables, TABLE_ARGS))
		return;
	type = evtlog_type_info(tables->file, event->number);
	if (tables_want(tables, TABLE_EVENT))
		tables_put_sourced(tables, TABLE_EVENT, (int64_t[]) {
			tables->options.numbers->event, tables->now, cpu->number,
			cpu_utid(tables, cpu),
			names ? names->name : name_of(tables, type, event->known),
			tables->options.numbers->event, SOURCE_VALUES(tables)
		}, NULL_IF(!cpu_task(tables, cpu), 3));
	if (!tables_want(tables, TABLE_ARGS))
		return;
	if (names)
		put_payload(tables, names, event);
	else if (type)
		put_fields(tables, type, event);
}

void points_take_counter(struct tables *tables, struct cpu *cpu, const struct evtlog_event *event)
{
	static const char *const names[] = {
		[EVTLOG_COUNTER_CTXT] = "ctxt",
		[EVTLOG_COUNTER_SOFTIRQ] = "softirq",
		[EVTLOG_COUNTER_IRQ] = "irq",
		[EVTLOG_COUNTER_VECTOR] = "vector",
		[EVTLOG_COUNTER_SWITCHES] = "switches",
		[EVTLOG_COUNTER_ICMP] = "icmp",
		[EVTLOG_COUNTER_REJECTED] = "rejected",
		[EVTLOG_COUNTER_IRQS] = "irqs",
		[EVTLOG_COUNTER_STEAL] = "steal",
	};
	uint32_t counter = evtlog_data(event->words, 1, 5);
	const char *name = counter < sizeof(names) / sizeof(*names) ? names[counter] : "?";

	if (tables_want(tables, TABLE_KERNEL_COUNTER) && tables_now_wanted(tables, cpu))
		tables_put_sourced(tables, TABLE_KERNEL_COUNTER, (int64_t[]) {
			tables->now, cpu->number, tables_text(tables, name),
			evtlog_data(event->words, 6, 20), evtlog_data(event->words, 0, 1),
			event->words[1], SOURCE_VALUES(tables)
		}, 0);
}
