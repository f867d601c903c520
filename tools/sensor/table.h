/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sensor's data about events: their count, and the last value, minimum, maximum, sum and
 * histogram of each number.
 *
 * Stage: records.c adds records; lines.c, prometheus.c and ganglia.c print the data.
 */
#ifndef EVTLOG_SENSOR_TABLE_H
#define EVTLOG_SENSOR_TABLE_H

#include <evtlog/abi.h>
#include <evtlog/event-format.h>
#include <evtlog/evtlog.h>

/* More events are counted as unknown, more fields of an event are skipped. */
#define SENSOR_EVENTS_MAX	1024
#define SENSOR_FIELDS_MAX	64

/* The IDs of built-in events follow those of registered events. */
#define SENSOR_BUILTIN_ID(type)	(EVTLOG_EVENT_ID_MAX + 1 + (type))
#define SENSOR_ID_MAX		SENSOR_BUILTIN_ID(EVTLOG_TYPE_MAX)

/*
 * Bucket 0 counts values below 0, bucket 1 the value 0, and bucket 2 + n values greater than
 * 2^(n - 1) and at most 2^n.
 */
#define SENSOR_BUCKETS		67

/*
 * A number in an event's records.  Values are signed if @is_signed.
 *
 * @count:	records with this number
 * @count_before, @sum_before: as of the last sensor_table_tick()
 * @side_count, @side_sum: of values >= 0, and of the absolute values of those below 0
 * @mean:	of the last interval; @has_mean: True: the last interval had values
 * @buckets:	SENSOR_BUCKETS counts, NULL if there is no histogram
 */
struct sensor_field {
	char name[EVTLOG_NAME_MAX + 1];
	bool is_signed;
	bool has_mean;
	uint64_t count;
	uint64_t last, min, max;
	double sum;
	uint64_t side_count[2];
	double side_sum[2];
	uint64_t count_before;
	double sum_before;
	double mean;
	uint64_t *buckets;
};

/*
 * @records:	since the start of the sensor
 * @before:	@records as of the last sensor_table_tick()
 * @rate:	per second, in the last interval
 * @is_subscribed: True: a client gets each record
 */
struct sensor_event {
	char name[EVTLOG_NAME_MAX + 1];
	bool is_subscribed;
	uint64_t records;
	uint64_t before;
	double rate;
	struct sensor_field *fields;
	size_t field_count;
};

/* A number in a payload: its position, and the event's field that gets it. */
struct sensor_take {
	uint16_t offset;
	uint16_t end;
	uint8_t bytes;
	char kind;
	uint16_t field;
};

/*
 * The format of records with an ID.
 *
 * @text, @bytes: as read from the kernel
 * @event:	its index
 * @takes:	@take_count of them
 */
struct sensor_format {
	struct evtlog_event_format *format;
	char *text;
	size_t bytes;
	uint32_t event;
	uint32_t take_count;
	struct sensor_take *takes;
};

/*
 * @field_globs, @histogram_globs: EVENT.FIELD with * and ?, separated by commas; NULL: all
 *		fields, no histograms
 * @by_id:	1 + index in @formats; 0 if unknown
 * @unknown:	records of events that are unknown or too many
 * @damaged:	buffers that could not be read to the end
 */
struct sensor_table {
	const char *field_globs, *histogram_globs;
	uint16_t by_id[SENSOR_ID_MAX + 1];
	struct sensor_format *formats;
	size_t format_count, format_capacity;
	struct sensor_event *events;
	size_t event_count;
	uint64_t unknown;
	uint64_t damaged;
};

/** sensor_glob() - returns true if one of @globs, separated by commas, matches @name */
bool sensor_glob(const char *globs, const char *name);

/** sensor_table_new() - returns NULL if out of memory */
struct sensor_table *sensor_table_new(const char *field_globs, const char *histogram_globs);
void sensor_table_free(struct sensor_table *table);

/**
 * sensor_table_learn() - set the format of an ID
 *
 * It replaces an earlier format of the ID.  Returns 0; -EBADMSG; -ENOMEM; -ENOSPC if there are
 * too many events.
 */
int sensor_table_learn(struct sensor_table *table, uint32_t id, const void *text, size_t bytes);

/** sensor_table_add() - add one record */
void sensor_table_add(struct sensor_table *table, const struct sensor_format *format,
		      const void *payload, size_t bytes);

/** sensor_table_format() - return the format of an ID, NULL if unknown */
static inline const struct sensor_format *sensor_table_format(const struct sensor_table *table,
							       uint32_t id)
{
	return table->by_id[id] ? &table->formats[table->by_id[id] - 1] : NULL;
}

/** sensor_table_tick() - end an interval and compute its rates and means */
void sensor_table_tick(struct sensor_table *table, double seconds);

/* ---- records.c: the records of a kernel buffer, from record/source.h ---- */

/*
 * A record for clients.
 *
 * @raw_ns, @real_ns:	CLOCK_MONOTONIC_RAW and CLOCK_REALTIME of the record
 */
struct sensor_record {
	const struct sensor_format *format;
	uint32_t cpu;
	uint64_t raw_ns;
	uint64_t real_ns;
	const void *payload;
	size_t bytes;
};

typedef void sensor_emit(void *context, const struct sensor_record *record);

/**
 * sensor_records_add() - add a buffer's records to the table
 * @buffer:	@buffer->used_bytes long
 * @emit:	called for records of subscribed events
 *
 * Return: 0; -EBADMSG if a record is damaged, the rest is not read; -EPROTO if the kernel has
 * another version of the format; -ENOENT if an event is unknown, its records are counted as
 * unknown; -ENOMEM.
 */
int sensor_records_add(struct sensor_table *table, const struct evtlog_buffer_header *buffer,
		       sensor_emit *emit, void *context);

/** sensor_records_learn_builtin() - learn a built-in event; as sensor_table_learn(), or -ENOENT */
int sensor_records_learn_builtin(struct sensor_table *table, unsigned int type);

/** sensor_builtin_type() - return the type of built-in events with this name, 0 if there is none */
unsigned int sensor_builtin_type(const char *name);

#endif /* EVTLOG_SENSOR_TABLE_H */
