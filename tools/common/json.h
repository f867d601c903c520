/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes JSON to a stream, in the same form for all commands.
 *
 * Each value is written at once, no tree is kept.  Keys are trusted constants or names; both are
 * escaped.
 */
#ifndef EVTLOG_COMMON_JSON_H
#define EVTLOG_COMMON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_DEPTH_MAX	16
/* The most bytes that are put at once. */
#define JSON_STEP	64

/*
 * @keeps:	True: write @bytes when the buffer is full and at the end; False: after each
 *		value
 * @is_keyed:	True: the key of the next value is already written
 * @bytes:	buffer of @size bytes, @used bytes are not written yet
 */
struct json {
	FILE *out;
	bool one_line;
	bool keeps;
	bool is_keyed;
	char *bytes;
	size_t used;
	size_t size;
	char own[4 * JSON_STEP];
	unsigned int depth;
	bool filled[JSON_DEPTH_MAX + 1];
	char closer[JSON_DEPTH_MAX + 1];
};

/* @one_line: True: no newline within a value; False: indent for people */
void json_start(struct json *json, FILE *out, bool one_line);

/*
 * Like json_start() for one line, but faster: output is kept in @bytes, of at least 2 * JSON_STEP.
 * Nothing else may write to @out until the end.
 */
void json_start_kept(struct json *json, FILE *out, char *bytes, size_t size);

/* A key with the comma in front, made once for many values. */
struct json_key {
	size_t length;
	char text[JSON_STEP + 2];
};

/* For a constant of plain text, at most 50 bytes. */
#define JSON_KEY(name)		{ sizeof(", \"" name "\": ") - 1, ", \"" name "\": " }
/* The same with a value, which is JSON. */
#define JSON_PAIR(name, value)	{ sizeof(", \"" name "\": " value) - 1, ", \"" name "\": " value }

/* @name and @suffix: as for JSON_KEY() */
void json_key_make(struct json_key *key, const char *name, const char *suffix);
/* The same with @value as a string. */
void json_pair_make(struct json_key *key, const char *name, const char *value);

/* Writes a key in an object of one line.  The key of the value after it is NULL. */
void json_keyed(struct json *json, const struct json_key *key);
/* Writes a key with its value. */
void json_pair(struct json *json, const struct json_key *pair);

/* @key is NULL in an array, at the top, and after json_keyed(). */
void json_object(struct json *json, const char *key);
void json_array(struct json *json, const char *key);
/* Ends the innermost object or array; at the top, also ends the line. */
void json_end(struct json *json);

/*
 * The bytes may be anything: each byte that is not UTF-8 becomes U+FFFD, and control characters
 * are escaped.  If @text is NULL, null is written.
 */
void json_string(struct json *json, const char *key, const char *text);
void json_bytes(struct json *json, const char *key, const void *bytes,
		size_t length);
/* A value that is already JSON. */
void json_raw(struct json *json, const char *key, const char *text, size_t length);
void json_u64(struct json *json, const char *key, uint64_t value);
void json_s64(struct json *json, const char *key, int64_t value);
/* Like the two above, but numbers beyond 2^53 are strings, as many readers use doubles. */
void json_exact_u64(struct json *json, const char *key, uint64_t value);
void json_exact_s64(struct json *json, const char *key, int64_t value);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
/* @value / 10^@digits, exactly. */
void json_fixed(struct json *json, const char *key, int64_t value,
		unsigned int digits);
/* @digits after the point; null if @value is not finite. */
void json_double(struct json *json, const char *key, double value,
		 unsigned int digits);

/* ---- json-check.c: checks whether bytes are JSON; it does not return values ---- */

/* Returns true if the bytes are an object as in RFC 8259, not nested too deeply. */
bool json_check_object(const char *bytes, size_t length);

#endif /* EVTLOG_COMMON_JSON_H */
