/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many records of a log an output leaves out, by their type.
 *
 * Each output counts its own.  An output that has all records says nothing.
 */
#ifndef EVTLOG_PRINT_LEFT_OUT_H
#define EVTLOG_PRINT_LEFT_OUT_H

#include <stdio.h>

#include <evtlog/evtlog.h>

struct json;

/* @records: by enum evtlog_type; 0: of types that this program does not know */
struct left_out {
	uint64_t records[EVTLOG_TYPE_MAX + 1];
};

static inline void left_out_count(struct left_out *left_out, const struct evtlog_event *event)
{
	left_out->records[event->known]++;
}

/* A line for each type of which records are left out: "3 records of type icmp_rx are left out" */
void left_out_put(const struct left_out *left_out, FILE *out);

/* The same on standard error, with @path in front of each line */
void left_out_say(const struct left_out *left_out, const char *path);

/* The key left_out: an object with a number for each of these types */
void left_out_json(const struct left_out *left_out, struct json *json);

#endif /* EVTLOG_PRINT_LEFT_OUT_H */
