/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes comma-separated values as in RFC 4180, in UTF-8: text with a comma, a quote or a line
 * break is enclosed in quotes, and quotes in it are doubled.  Other text is not changed.  Empty
 * text is "", and an absent value is an empty field.  Lines end with a line feed, as in the
 * output of databases.
 */
#ifndef EVTLOG_COMMON_CSV_H
#define EVTLOG_COMMON_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct csv {
	FILE *out;
	bool filled;
	bool is_terminal;
};

void csv_start(struct csv *csv, FILE *out);

/* Starts with a header line; @names are separated by commas. */
void csv_head(struct csv *csv, FILE *out, const char *names);

/* Bytes that are not UTF-8 become U+FFFD; on a terminal, control characters become visible. */
void csv_text(struct csv *csv, const char *text);
/* Writes bytes of any length unchanged, except to a terminal. */
void csv_bytes(struct csv *csv, const void *bytes, size_t length);
void csv_u64(struct csv *csv, uint64_t value);
void csv_s64(struct csv *csv, int64_t value);
void csv_bool(struct csv *csv, bool value);
/* @digits after the point; the field is empty if @value is not finite. */
void csv_double(struct csv *csv, double value, unsigned int digits);
/* A number that is already text. */
void csv_number(struct csv *csv, const char *text);
void csv_empty(struct csv *csv);
void csv_end(struct csv *csv);

#endif /* EVTLOG_COMMON_CSV_H */
