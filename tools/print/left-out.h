/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the records that an output leaves out, by type, and reports them.
 *
 * Each output has its own counts.  An output with all records prints nothing.
 */
#ifndef EVTLOG_PRINT_LEFT_OUT_H
#define EVTLOG_PRINT_LEFT_OUT_H

#include <stdio.h>

#include <evtlog/evtlog.h>

struct json;

/* @records: by enum evtlog_type; index 0 is for types that are unknown to this program */
struct left_out {
	uint64_t records[EVTLOG_TYPE_MAX + 1];
};

static inline void left_out_count(struct left_out *left_out, const struct evtlog_event *event)
{
	left_out->records[event->known]++;
}

/* Writes a line for each type with left-out records: "3 records of type icmp_rx are left out". */
void left_out_put(const struct left_out *left_out, FILE *out);

/* Prints these lines to standard error, with @path in front of each. */
void left_out_say(const struct left_out *left_out, const char *path);

/* Adds the key left_out: an object with the number for each of these types. */
void left_out_json(const struct left_out *left_out, struct json *json);

#endif /* EVTLOG_PRINT_LEFT_OUT_H */
