/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes JSON to a stream, so that every command's --json looks the same.
 *
 * It does not hold a tree: what is said is written at once.  Keys are trusted
 * constants or names, both escaped.
 */
#ifndef EVTLOG_COMMON_JSON_H
#define EVTLOG_COMMON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_DEPTH_MAX	16
/* The most bytes that are put at once */
#define JSON_STEP	64

/*
 * @keeps:	@bytes are written when they are full, and at the end; else after each value
 * @is_keyed:	the next value's key is written already
 * @bytes:	buffer of @size bytes, of which @used are not written yet
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

/* @one_line: no newline within a value; else indented for people. */
void json_start(struct json *json, FILE *out, bool one_line);

/*
 * The same in one line, and faster: output is kept in @bytes, so that nothing else may write to @out until the end.
 * @size:	at least 2 * JSON_STEP
 */
void json_start_kept(struct json *json, FILE *out, char *bytes, size_t size);

/* A key with the comma before it, made once for many values */
struct json_key {
	size_t length;
	char text[JSON_STEP + 2];
};

/* Of a constant, plain text of at most 50 bytes */
#define JSON_KEY(name)		{ sizeof(", \"" name "\": ") - 1, ", \"" name "\": " }
/* The same with a value, which is JSON */
#define JSON_PAIR(name, value)	{ sizeof(", \"" name "\": " value) - 1, ", \"" name "\": " value }

/* @name and @suffix: as for JSON_KEY() */
void json_key_make(struct json_key *key, const char *name, const char *suffix);
/* The same with @value as a string */
void json_pair_make(struct json_key *key, const char *name, const char *value);

/* Before a value in an object of one line, whose own key is NULL */
void json_keyed(struct json *json, const struct json_key *key);
/* A key with its value */
void json_pair(struct json *json, const struct json_key *pair);

/* @key is NULL inside an array, at the top, and after json_keyed(). */
void json_object(struct json *json, const char *key);
void json_array(struct json *json, const char *key);
/* Ends the innermost object or array; at the top, ends the line as well. */
void json_end(struct json *json);

/*
 * @bytes: anything; what is not UTF-8 becomes U+FFFD, one for each byte, and
 * control characters are escaped.  NULL is written as null.
 */
void json_string(struct json *json, const char *key, const char *text);
void json_bytes(struct json *json, const char *key, const void *bytes,
		size_t length);
/* A value that is JSON already. */
void json_raw(struct json *json, const char *key, const char *text, size_t length);
void json_u64(struct json *json, const char *key, uint64_t value);
void json_s64(struct json *json, const char *key, int64_t value);
/* The same, but numbers beyond 2^53, which readers round to a double, are text. */
void json_exact_u64(struct json *json, const char *key, uint64_t value);
void json_exact_s64(struct json *json, const char *key, int64_t value);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
/* @value / 10^@digits, exactly. */
void json_fixed(struct json *json, const char *key, int64_t value,
		unsigned int digits);
/* @digits after the point; not-a-number is written as null. */
void json_double(struct json *json, const char *key, double value,
		 unsigned int digits);

/* ---- json-check.c: whether bytes are JSON; it gives no values ---- */

/* RFC 8259, an object, not too deep. */
bool json_check_object(const char *bytes, size_t length);

#endif /* EVTLOG_COMMON_JSON_H */
