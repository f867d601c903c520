/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sensor knows of events: how many, and of their numbers the last, least, greatest, sum
 * and histogram.
 *
 * Stage: behind records.h, which adds; lines.c, prometheus.c and ganglia.c show it.
 */
#ifndef EVTLOG_SENSOR_TABLE_H
#define EVTLOG_SENSOR_TABLE_H

#include <evtlog/evtlog.h>
#include <evtlog/event-format.h>

/* More events are counted together, as unknown; so are fields of one not taken. */
#define SENSOR_EVENTS_MAX	1024
#define SENSOR_FIELDS_MAX	64

/* Built-in events have ids too, behind those of registered ones. */
#define SENSOR_BUILTIN_ID(type)	(EVTLOG_EVENT_ID_MAX + 1 + (type))
#define SENSOR_ID_MAX		SENSOR_BUILTIN_ID(EVTLOG_TYPE_MAX)

/*
 * Bucket 0 has what is below 0, bucket 1 has 0, and bucket 2 + n what is greater than 2^(n - 1),
 * and at most 2^n.
 */
#define SENSOR_BUCKETS		67

/*
 * A number in an event's records; values are signed or not, as @is_signed says.
 *
 * @count:	records that had it
 * @count_before, @sum_before: at the last sensor_table_tick()
 * @side_count, @side_sum: of values that are at least 0, and of the amounts of those below
 * @mean:	of the interval before; @has_mean: there was one
 * @buckets:	SENSOR_BUCKETS of them; NULL: no histogram is kept
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
 * @records:	since the sensor's start
 * @before:	of them, at the last sensor_table_tick()
 * @rate:	a second, in the interval before
 * @is_subscribed: a client is told each record
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

/* A number that is taken of a payload: where it stands, and the event's field that gets it */
struct sensor_take {
	uint16_t offset;
	uint16_t end;
	uint8_t bytes;
	char kind;
	uint16_t field;
};

/*
 * What records of an id are.
 *
 * @text, @bytes: as the kernel told it
 * @event:	its number
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
 * @field_globs, @histogram_globs: EVENT.FIELD with * and ?, divided by commas; NULL: all; none
 * @by_id:	1 + the number in @formats; 0: not known
 * @unknown:	records whose event is not known, or one too many
 * @damaged:	buffers that could not be read to their end
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

/** sensor_glob() - whether one of @globs, divided by commas, is @name's */
bool sensor_glob(const char *globs, const char *name);

/** sensor_table_new() - NULL when out of memory */
struct sensor_table *sensor_table_new(const char *field_globs, const char *histogram_globs);
void sensor_table_free(struct sensor_table *table);

/**
 * sensor_table_learn() - what records of an id are
 *
 * Another format than the id had before takes its place.  Returns 0; -EBADMSG; -ENOMEM; -ENOSPC:
 * there are too many events.
 */
int sensor_table_learn(struct sensor_table *table, uint32_t id, const void *text, size_t bytes);

/** sensor_table_add() - one record */
void sensor_table_add(struct sensor_table *table, const struct sensor_format *format,
		      const void *payload, size_t bytes);

/** sensor_table_format() - of an id; NULL: not known */
static inline const struct sensor_format *sensor_table_format(const struct sensor_table *table,
							       uint32_t id)
{
	return table->by_id[id] ? &table->formats[table->by_id[id] - 1] : NULL;
}

/** sensor_table_tick() - an interval of so many seconds is over: rates and means are of it */
void sensor_table_tick(struct sensor_table *table, double seconds);

#endif /* EVTLOG_SENSOR_TABLE_H */
