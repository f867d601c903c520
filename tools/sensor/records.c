// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decodes a kernel buffer.
 */
#include <errno.h>

#include "records.h"

/*
 * @high:	upper half of the time, from the last record with a full time
 * @cpu:	of the buffer; in a global buffer, from the last ON_CPU record
 */
struct walk {
	struct sensor_table *table;
	const struct evtlog_buffer_header *buffer;
	sensor_tell *tell;
	void *context;
	uint64_t high;
	uint32_t cpu;
	int error;
};

/* Returns the time from the first clock reading to @ticks, which may be negative. */
static int64_t since_begin(const struct evtlog_buffer_header *buffer, uint64_t ticks)
{
	double from = (int64_t)(ticks - buffer->begin.ticks);
	double ticks_between = (int64_t)(buffer->end.ticks - buffer->begin.ticks);
	double ns_between = (int64_t)(buffer->end.raw_ns - buffer->begin.raw_ns);

	/* If passed on at once, the two clock readings of the buffer are too close. */
	if (ns_between > 1e6 && ticks_between > 0)
		return from * ns_between / ticks_between;
	return buffer->ticks_hz ? from * 1e9 / buffer->ticks_hz : 0;
}

static void tell(struct walk *walk, const struct sensor_format *format, uint64_t first,
		 const void *payload, size_t bytes)
{
	const struct evtlog_buffer_header *buffer = walk->buffer;
	int64_t since = since_begin(buffer, walk->high | (uint32_t)first);
	struct sensor_record record = {
		.format = format,
		.cpu = walk->cpu,
		.raw_ns = buffer->begin.raw_ns + since,
		.real_ns = buffer->begin.real_ns + since,
		.payload = payload,
		.bytes = bytes,
	};

	walk->tell(walk->context, &record);
}

static void take_event(struct walk *walk, const uint64_t *words)
{
	uint32_t id = evtlog_data(words, 0, EVTLOG_EVENT_ID_BITS);
	size_t bytes = evtlog_event_bytes(words[0]);
	const struct sensor_format *format = sensor_table_format(walk->table, id);

	if (!format) {
		walk->table->unknown++;
		walk->error = -ENOENT;
		return;
	}
	sensor_table_add(walk->table, format, words + 1, bytes);
	if (walk->table->events[format->event].is_subscribed)
		tell(walk, format, words[0], words + 1, bytes);
}

/* The payload is decoded only if it is used. */
static int take_builtin(struct walk *walk, unsigned int type, const uint64_t *words)
{
	const struct sensor_format *format = sensor_table_format(walk->table,
								 SENSOR_BUILTIN_ID(type));
	uint64_t payload[SENSOR_BUILTIN_PAYLOAD_BYTES / 8];
	bool is_told;
	size_t bytes = 0;
	int error;

	if (!format) {
		error = sensor_records_learn_builtin(walk->table, type);
		format = sensor_table_format(walk->table, SENSOR_BUILTIN_ID(type));
		walk->table->unknown += !format;
		if (!format)
			return error == -ENOMEM ? error : 0;
	}
	is_told = walk->table->events[format->event].is_subscribed;
	if (is_told || format->take_count)
		bytes = sensor_builtin_payload(words, payload);
	sensor_table_add(walk->table, format, payload, bytes);
	if (is_told)
		tell(walk, format, words[0], payload, bytes);
	return 0;
}

static int take(struct walk *walk, const uint64_t *words)
{
	unsigned int type = words[0] >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;
	int error;

	switch (type) {
	case EVTLOG_EVENT:
		take_event(walk, words);
		return 0;
	case EVTLOG_EVENT_FORMAT:
		error = sensor_table_learn(walk->table,
					   evtlog_data(words, 0, EVTLOG_EVENT_ID_BITS), words + 1,
					   evtlog_event_bytes(words[0]));
		/* The records of the event are counted as unknown. */
		return error == -ENOMEM ? error : 0;
	case EVTLOG_TIME:
		walk->high = words[1] & ~(uint64_t)UINT32_MAX;
		return 0;
	case EVTLOG_ON_CPU:
		walk->cpu = evtlog_data(words, 0, EVTLOG_DATA_BITS);
		return 0;
	case EVTLOG_LOST:
	case EVTLOG_COUNTER:
	case EVTLOG_TASK:
		/* These describe the log, they are not events. */
		return 0;
	default:
		return take_builtin(walk, type, words);
	}
}

int sensor_records_learn_builtin(struct sensor_table *table, unsigned int type)
{
	char text[SENSOR_BUILTIN_FORMAT_BYTES];
	size_t bytes = sensor_builtin_format(type, text);

	return bytes ? sensor_table_learn(table, SENSOR_BUILTIN_ID(type), text, bytes) : -ENOENT;
}

int sensor_records_add(struct sensor_table *table, const struct evtlog_buffer_header *buffer,
		       sensor_tell *tell, void *context)
{
	struct walk walk = {
		.table = table, .buffer = buffer, .tell = tell, .context = context,
		.high = buffer->begin_ticks & ~(uint64_t)UINT32_MAX, .cpu = buffer->cpu,
	};
	const uint64_t *at, *end;
	int error;

	if (buffer->abi_version != EVTLOG_ABI_VERSION || buffer->header_bytes % 8 ||
	    buffer->header_bytes < sizeof(*buffer) || buffer->used_bytes < buffer->header_bytes)
		return -EPROTO;
	at = (const void *)((const char *)buffer + buffer->header_bytes);
	end = at + (buffer->used_bytes - buffer->header_bytes) / 8;
	while (at < end) {
		size_t words = evtlog_record_words(*at);

		if (!words || words > (size_t)(end - at))
			return -EBADMSG;
		error = take(&walk, at);
		if (error)
			return error;
		at += words;
	}
	return walk.error;
}
