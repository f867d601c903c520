// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes packets of a Perfetto trace, and bundles of events.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "message.h"
#include "packet.h"

/* All packets belong to one sequence. */
#define SEQUENCE	1

/* Text of a log's header is untrusted: TEXT_BYTES is the limit of each in a packet. */
#define TEXT_BYTES	1000
#define PACKET_BYTES	8192

/* Writes the head of a packet with one field.  The caller then writes the field's @bytes bytes. */
static void packet_begin(FILE *out, unsigned int field, size_t bytes)
{
	uint8_t sequence[2 + VARINT_BYTES], head[2 * (TAG_BYTES + VARINT_BYTES)], *at = head;
	size_t sequence_bytes = put_number(sequence, PACKET_SEQUENCE_ID, SEQUENCE) - sequence;

	at = put_varint(at, TRACE_PACKET << 3 | WIRE_BYTES);
	at = put_varint(at, sequence_bytes + varint_bytes(field << 3) + varint_bytes(bytes) + bytes);
	fwrite(head, at - head, 1, out);
	fwrite(sequence, sequence_bytes, 1, out);
	at = put_varint(head, field << 3 | WIRE_BYTES);
	at = put_varint(at, bytes);
	fwrite(head, at - head, 1, out);
}

static void write_packet(FILE *out, unsigned int field, const uint8_t *bytes, const uint8_t *end)
{
	packet_begin(out, field, end - bytes);
	fwrite(bytes, end - bytes, 1, out);
}

/* Puts untrusted text, cut and made valid UTF-8.  Puts nothing if @text is NULL. */
static uint8_t *put_foreign(uint8_t *at, unsigned int field, const char *text)
{
	char *clean = text ? utf8_clean(text, strnlen(text, TEXT_BYTES / 3)) : NULL;

	if (clean)
		at = put_text(at, field, clean);
	free(clean);
	return at;
}

/* ---- The host ---- */

static uint8_t *put_clock(uint8_t *at, unsigned int id, uint64_t time_ns)
{
	uint8_t *begin = nested_begin(at, SNAPSHOT_CLOCK, 1);

	at = put_number(at, CLOCK_ID, id);
	at = put_number(at, CLOCK_TIMESTAMP, time_ns);
	nested_end(begin, at, 1);
	return at;
}

void packet_clocks(FILE *out, struct host_clock *clock, const struct evtlog_file *file,
		   uint64_t raw_ns)
{
	uint8_t packet[128], *at = packet;

	at = put_clock(at, BUILTIN_MONOTONIC_RAW, host_clock_ns(clock, raw_ns));
	at = put_clock(at, BUILTIN_REALTIME, evtlog_real_ns(file, raw_ns));
	at = put_number(at, SNAPSHOT_PRIMARY, BUILTIN_MONOTONIC_RAW);
	write_packet(out, PACKET_CLOCK_SNAPSHOT, packet, at);
}

void packet_system(FILE *out, const struct evtlog_file *file, const char *name)
{
	uint8_t packet[PACKET_BYTES], *at = packet, *begin = nested_begin(at, SYSTEM_UTSNAME, 2);

	at = put_text(at, UTSNAME_SYSNAME, "Linux");
	at = put_foreign(at, UTSNAME_VERSION, evtlog_meta(file, "version"));
	at = put_foreign(at, UTSNAME_RELEASE, evtlog_meta(file, "kernel"));
	at = put_foreign(at, UTSNAME_MACHINE, evtlog_meta(file, "machine"));
	nested_end(begin, at, 2);
	at = put_text(at, SYSTEM_TRACING_SERVICE, "evtlog " EVTLOG_VERSION);
	at = put_number(at, SYSTEM_NUM_CPUS, evtlog_cpu_count(file));
	at = put_foreign(at, SYSTEM_MACHINE_NAME, name);
	write_packet(out, PACKET_SYSTEM_INFO, packet, at);
}

/* ---- Tasks ---- */

static uint8_t *put_process(uint8_t *at, const struct export_task *task)
{
	uint8_t *begin = nested_begin(at, TREE_PROCESS, 1);

	at = put_number(at, PROCESS_PID, task->pid);
	at = put_number(at, PROCESS_PPID, task->ppid);
	at = put_bytes(at, PROCESS_CMDLINE, task->comm, strnlen(task->comm, EVTLOG_COMM_LEN));
	at = put_number(at, PROCESS_CMDLINE_IS_COMM, 1);
	if (task->flags & EVTLOG_TASK_KTHREAD)
		at = put_number(at, PROCESS_IS_KTHREAD, 1);
	nested_end(begin, at, 1);
	return at;
}

static uint8_t *put_thread(uint8_t *at, const struct export_task *task)
{
	uint8_t *begin = nested_begin(at, TREE_THREAD, 1);

	at = put_number(at, THREAD_TID, task->pid);
	at = put_bytes(at, THREAD_NAME, task->comm, strnlen(task->comm, EVTLOG_COMM_LEN));
	at = put_number(at, THREAD_TGID, task->tgid);
	nested_end(begin, at, 1);
	return at;
}

/* Writes a packet with a process tree and a timestamp. */
static void write_tree(FILE *out, const uint8_t *tree, const uint8_t *end, uint64_t time_ns)
{
	uint8_t fields[4 * (TAG_BYTES + VARINT_BYTES)], *at = fields;
	uint8_t head[TAG_BYTES + VARINT_BYTES], *head_end;

	at = put_number(at, PACKET_TIMESTAMP, time_ns);
	at = put_number(at, PACKET_TIMESTAMP_CLOCK_ID, BUILTIN_MONOTONIC_RAW);
	at = put_number(at, PACKET_SEQUENCE_ID, SEQUENCE);
	at = put_varint(at, PACKET_PROCESS_TREE << 3 | WIRE_BYTES);
	at = put_varint(at, end - tree);
	head_end = put_varint(head, TRACE_PACKET << 3 | WIRE_BYTES);
	head_end = put_varint(head_end, (at - fields) + (end - tree));
	fwrite(head, head_end - head, 1, out);
	fwrite(fields, at - fields, 1, out);
	fwrite(tree, end - tree, 1, out);
}

void packet_tasks(FILE *out, struct export_tasks *tasks, uint64_t time_ns)
{
	uint8_t tree[PACKET_BYTES], *at = tree;

	for (size_t i = 1; i < tasks->count; i++) {
		const struct export_task *task = &tasks->at[i];

		/* The idle task, pid 0, belongs to no process. */
		if (!task->named || !task->pid ||
		    tasks_status(tasks, task) == TASK_STATUS_DEAD)
			continue;
		if (at - tree > PACKET_BYTES - 128) {
			write_tree(out, tree, at, time_ns);
			at = tree;
		}
		at = task->tgid == task->pid || !task->tgid ? put_process(at, task) :
							     put_thread(at, task);
	}
	if (at != tree)
		write_tree(out, tree, at, time_ns);
}

/* ---- Attributes of the trace ---- */

static uint8_t *put_attribute(uint8_t *at, const char *key, const char *text, int64_t number)
{
	uint8_t *begin = nested_begin(at, ATTRIBUTES_ATTRIBUTE, 2);

	at = put_text(at, ATTRIBUTE_KEY, key);
	at = text ? put_text(at, ATTRIBUTE_TEXT, text) : put_number(at, ATTRIBUTE_NUMBER, number);
	nested_end(begin, at, 2);
	return at;
}

void packet_attributes(FILE *out, const struct host_clock *clock, const struct evtlog_file *file,
		       uint64_t lost, const char *const *notes, unsigned int note_count)
{
	uint8_t packet[PACKET_BYTES], *at = packet;

	at = put_attribute(at, "evtlog.version", EVTLOG_VERSION, 0);
	at = put_attribute(at, "evtlog.run", NULL, evtlog_run(file));
	at = put_attribute(at, "evtlog.clock_error_ns",
			   clock->error_ns == UINT64_MAX ? "unknown" : NULL, clock->error_ns);
	at = put_attribute(at, "evtlog.clock_ahead_ns", NULL, clock->ahead_ns);
	at = put_attribute(at, "evtlog.events_lost", NULL, lost);
	for (unsigned int i = 0; i < note_count; i++) {
		char key[32];

		snprintf(key, sizeof(key), "evtlog.note_%u", i);
		at = put_attribute(at, key, notes[i], 0);
	}
	write_packet(out, PACKET_TRACE_ATTRIBUTES, packet, at);
}

/* ---- FtraceEventBundle: up to some thousand events of a CPU ---- */

/* The field of each column, and the largest size of a number in it */
static const struct {
	uint8_t field;
	uint8_t bytes;
} columns[BUNDLE_COLUMNS] = {
	[SWITCH_TIMES] = { COMPACT_SWITCH_TIMESTAMP, VARINT_BYTES },
	[SWITCH_STATES] = { COMPACT_SWITCH_PREV_STATE, 2 },
	[SWITCH_PIDS] = { COMPACT_SWITCH_NEXT_PID, 4 },
	[SWITCH_PRIOS] = { COMPACT_SWITCH_NEXT_PRIO, 2 },
	[SWITCH_COMMS] = { COMPACT_SWITCH_NEXT_COMM_INDEX, 2 },
	[WAKING_TIMES] = { COMPACT_WAKING_TIMESTAMP, VARINT_BYTES },
	[WAKING_PIDS] = { COMPACT_WAKING_PID, 4 },
	[WAKING_CPUS] = { COMPACT_WAKING_TARGET_CPU, VARINT_BYTES },
	[WAKING_PRIOS] = { COMPACT_WAKING_PRIO, 2 },
	[WAKING_COMMS] = { COMPACT_WAKING_COMM_INDEX, 2 },
	[WAKING_FLAGS] = { COMPACT_WAKING_COMMON_FLAGS, 1 },
};

int bundle_begin(struct bundle *bundle, FILE *out, uint32_t cpu)
{
	size_t bytes = BUNDLE_EVENTS_BYTES;
	uint8_t *at;

	*bundle = (struct bundle) { .out = out, .cpu = cpu };
	for (unsigned int i = 0; i < BUNDLE_COLUMNS; i++)
		bytes += (size_t)columns[i].bytes * BUNDLE_SCHED_MAX;
	/* Pages that are not needed are never touched. */
	bundle->memory = malloc(bytes);
	if (!bundle->memory)
		return -ENOMEM;
	at = bundle->memory;
	for (unsigned int i = 0; i < BUNDLE_COLUMNS; i++) {
		bundle->columns[i] = (struct column) { at, at };
		at += (size_t)columns[i].bytes * BUNDLE_SCHED_MAX;
	}
	bundle->events = at;
	bundle->events_end = at;
	return 0;
}

void bundle_end(struct bundle *bundle)
{
	free(bundle->memory);
	bundle->memory = NULL;
}

uint32_t bundle_name_slow(struct bundle *bundle, uint32_t slot, const char *comm)
{
	memcpy(bundle->names[bundle->name_count], comm, EVTLOG_COMM_LEN);
	bundle->name_of[slot] = ++bundle->name_count;
	return bundle->name_count - 1;
}

static size_t compact_bytes(const struct bundle *bundle)
{
	size_t bytes = 0;

	for (unsigned int i = 0; i < BUNDLE_COLUMNS; i++) {
		size_t column = bundle->columns[i].end - bundle->columns[i].bytes;

		if (column)
			bytes += 1 + varint_bytes(column) + column;
	}
	for (unsigned int i = 0; i < bundle->name_count; i++)
		bytes += 2 + strnlen(bundle->names[i], EVTLOG_COMM_LEN);
	return bytes;
}

static void write_compact(struct bundle *bundle, size_t bytes)
{
	uint8_t head[1 + VARINT_BYTES];

	if (!bytes)
		return;
	head[0] = BUNDLE_COMPACT_SCHED << 3 | WIRE_BYTES;
	fwrite(head, put_varint(head + 1, bytes) - head, 1, bundle->out);
	for (unsigned int i = 0; i < bundle->name_count; i++) {
		size_t length = strnlen(bundle->names[i], EVTLOG_COMM_LEN);

		putc(COMPACT_INTERN_TABLE << 3 | WIRE_BYTES, bundle->out);
		putc(length, bundle->out);
		fwrite(bundle->names[i], length, 1, bundle->out);
	}
	for (unsigned int i = 0; i < BUNDLE_COLUMNS; i++) {
		size_t column = bundle->columns[i].end - bundle->columns[i].bytes;

		if (!column)
			continue;
		head[0] = columns[i].field << 3 | WIRE_BYTES;
		fwrite(head, put_varint(head + 1, column) - head, 1, bundle->out);
		fwrite(bundle->columns[i].bytes, column, 1, bundle->out);
	}
}

static void clear(struct bundle *bundle)
{
	for (unsigned int i = 0; i < BUNDLE_COLUMNS; i++)
		bundle->columns[i].end = bundle->columns[i].bytes;
	bundle->events_end = bundle->events;
	bundle->switches = 0;
	bundle->wakings = 0;
	bundle->switch_ns = 0;
	bundle->waking_ns = 0;
	bundle->name_count = 0;
	memset(bundle->name_of, 0, sizeof(bundle->name_of));
	bundle->previous_ns = bundle->last_ns;
	bundle->lost = false;
}

void bundle_flush(struct bundle *bundle)
{
	size_t events = bundle->events_end - bundle->events, compact = compact_bytes(bundle);
	uint8_t head[64], *at = head;
	size_t bytes;

	if (!events && !compact && !bundle->lost)
		return;
	at = put_number(at, BUNDLE_CPU, bundle->cpu);
	if (bundle->lost)
		at = put_number(at, BUNDLE_LOST_EVENTS, 1);
	at = put_number(at, BUNDLE_FTRACE_CLOCK, FTRACE_CLOCK_MONO_RAW);
	if (bundle->previous_ns)
		at = put_number(at, BUNDLE_PREVIOUS_END, bundle->previous_ns);
	bytes = (at - head) + events + (compact ? 1 + varint_bytes(compact) + compact : 0);
	packet_begin(bundle->out, PACKET_FTRACE_EVENTS, bytes);
	fwrite(head, at - head, 1, bundle->out);
	fwrite(bundle->events, events, 1, bundle->out);
	write_compact(bundle, compact);
	clear(bundle);
}
