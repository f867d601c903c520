// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a CPU did, up to some thousand events, as one FtraceEventBundle.
 */
#include <errno.h>
#include <stdlib.h>

#include "bundle.h"
#include "numbers.h"
#include "packet.h"

/* The field of each column, and how long a number of it may be */
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
	/* Pages of it that are not needed are never touched. */
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
