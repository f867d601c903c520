// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * JSON on a stream: commas, indents and escapes in one place.
 *
 * It does not hold a tree.
 */
#include <math.h>
#include <string.h>

#include "json.h"
#include "utf8.h"

/* Above it a double skips integers. */
#define JSON_EXACT_MAX	(INT64_C(1) << 53)

static void write_escaped(FILE *out, const unsigned char *s, size_t length)
{
	putc_unlocked('"', out);
	for (size_t i = 0; i < length;) {
		size_t n = utf8_length(s + i, length - i);

		if (!n) {
			fputs("\\ufffd", out);
			i++;
		} else if (s[i] == '"' || s[i] == '\\') {
			putc_unlocked('\\', out);
			putc_unlocked(s[i++], out);
		} else if (s[i] == '\n') {
			fputs("\\n", out);
			i++;
		} else if (s[i] == '\t') {
			fputs("\\t", out);
			i++;
		} else if (s[i] < 0x20 || s[i] == 0x7f) {
			fprintf(out, "\\u%04x", s[i++]);
		} else {
			for (; n; n--)
				putc_unlocked(s[i++], out);
		}
	}
	putc_unlocked('"', out);
}

static void new_line(struct json *json)
{
	if (json->one_line)
		return;
	putc_unlocked('\n', json->out);
	for (unsigned int i = 0; i < json->depth; i++)
		fputs("  ", json->out);
}

static void begin_value(struct json *json, const char *key)
{
	if (json->depth) {
		if (json->filled[json->depth])
			fputs(json->one_line ? ", " : ",", json->out);
		json->filled[json->depth] = true;
		new_line(json);
	}
	if (key) {
		write_escaped(json->out, (const unsigned char *)key,
			      strlen(key));
		fputs(": ", json->out);
	}
}

static void open_level(struct json *json, const char *key, const char *brackets)
{
	begin_value(json, key);
	putc_unlocked(brackets[0], json->out);
	if (json->depth < JSON_DEPTH_MAX)
		json->depth++;
	json->filled[json->depth] = false;
	json->closer[json->depth] = brackets[1];
}

void json_start(struct json *json, FILE *out, bool one_line)
{
	memset(json, 0, sizeof(*json));
	json->out = out;
	json->one_line = one_line;
}

void json_object(struct json *json, const char *key)
{
	open_level(json, key, "{}");
}

void json_array(struct json *json, const char *key)
{
	open_level(json, key, "[]");
}

void json_end(struct json *json)
{
	char closer = json->closer[json->depth];
	bool filled = json->filled[json->depth];

	json->depth--;
	if (filled)
		new_line(json);
	putc_unlocked(closer, json->out);
	if (!json->depth)
		putc_unlocked('\n', json->out);
}

void json_bytes(struct json *json, const char *key, const void *bytes,
		size_t length)
{
	begin_value(json, key);
	write_escaped(json->out, bytes, length);
}

void json_string(struct json *json, const char *key, const char *text)
{
	if (text)
		json_bytes(json, key, text, strlen(text));
	else
		json_null(json, key);
}

void json_raw(struct json *json, const char *key, const char *text, size_t length)
{
	begin_value(json, key);
	fwrite(text, 1, length, json->out);
}

void json_u64(struct json *json, const char *key, uint64_t value)
{
	begin_value(json, key);
	fprintf(json->out, "%llu", (unsigned long long)value);
}

void json_s64(struct json *json, const char *key, int64_t value)
{
	begin_value(json, key);
	fprintf(json->out, "%lld", (long long)value);
}

void json_exact_u64(struct json *json, const char *key, uint64_t value)
{
	const char *quote = value > (uint64_t)JSON_EXACT_MAX ? "\"" : "";

	begin_value(json, key);
	fprintf(json->out, "%s%llu%s", quote, (unsigned long long)value, quote);
}

void json_exact_s64(struct json *json, const char *key, int64_t value)
{
	bool exact = value >= -JSON_EXACT_MAX && value <= JSON_EXACT_MAX;
	const char *quote = exact ? "" : "\"";

	begin_value(json, key);
	fprintf(json->out, "%s%lld%s", quote, (long long)value, quote);
}

void json_bool(struct json *json, const char *key, bool value)
{
	begin_value(json, key);
	fputs(value ? "true" : "false", json->out);
}

void json_null(struct json *json, const char *key)
{
	begin_value(json, key);
	fputs("null", json->out);
}

void json_fixed(struct json *json, const char *key, int64_t value,
		unsigned int digits)
{
	uint64_t unit = 1, size = value < 0 ? -(uint64_t)value : (uint64_t)value;

	for (unsigned int i = 0; i < digits; i++)
		unit *= 10;
	begin_value(json, key);
	fprintf(json->out, "%s%llu.%0*llu", value < 0 ? "-" : "",
		(unsigned long long)(size / unit), (int)digits,
		(unsigned long long)(size % unit));
}

void json_double(struct json *json, const char *key, double value,
		 unsigned int digits)
{
	if (!isfinite(value)) {
		json_null(json, key);
		return;
	}
	begin_value(json, key);
	fprintf(json->out, "%.*f", (int)digits, value);
}
