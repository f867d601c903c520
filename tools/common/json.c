// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes JSON: commas, indents and escapes.
 *
 * No tree is kept.  printf() and putc() would take most of the time of a dump, so they are not
 * used.
 */
#include <math.h>
#include <string.h>

#include "json.h"
#include "number.h"
#include "utf8.h"

/* Above this value, a double cannot represent all integers. */
#define JSON_EXACT_MAX	(INT64_C(1) << 53)

/* ---- Bytes ---- */

static void flush(struct json *json)
{
	if (json->used)
		fwrite_unlocked(json->bytes, 1, json->used, json->out);
	json->used = 0;
}

/* Returns room for @length bytes, at most JSON_STEP. */
static inline char *room(struct json *json, size_t length)
{
	if (__builtin_expect(json->used + length > json->size, 0))
		flush(json);
	return json->bytes + json->used;
}

static inline void put_char(struct json *json, char c)
{
	*room(json, 1) = c;
	json->used++;
}

/* At most JSON_STEP bytes. */
static inline __attribute__((always_inline)) void put_step(struct json *json, const char *bytes,
							    size_t length)
{
	memcpy(room(json, length), bytes, length);
	json->used += length;
}

static void put_bytes(struct json *json, const char *bytes, size_t length)
{
	for (; length > JSON_STEP; length -= JSON_STEP, bytes += JSON_STEP)
		put_step(json, bytes, JSON_STEP);
	put_step(json, bytes, length);
}

/* For a constant. */
#define put_text(json, text)	put_step(json, text, sizeof(text) - 1)

/* ---- Text ---- */

#define EACH(byte)	((byte) * UINT64_C(0x0101010101010101))

/* Sets the highest bit of each byte that is 0, and perhaps of bytes above it. */
static inline uint64_t zero_bytes(uint64_t word)
{
	return (word - EACH(1)) & ~word & EACH(0x80);
}

/* Returns true if no byte needs an escape: ASCII, but no control character, quote or backslash. */
static inline bool is_plain_word(uint64_t word)
{
	return !((word & EACH(0x80)) | ((word - EACH(' ')) & ~word & EACH(0x80)) |
		 zero_bytes(word ^ EACH('"')) | zero_bytes(word ^ EACH('\\')) |
		 zero_bytes(word ^ EACH(0x7f)));
}

/* The same for one byte. */
static const bool plain[256] = { [' ' ... '!'] = true, ['#' ... '['] = true, [']' ... '~'] = true };

/* Writes the first character, which is not plain.  Returns its length in bytes. */
static size_t put_other(struct json *json, const unsigned char *s, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	size_t n = utf8_length(s, length);

	if (!n) {
		put_text(json, "\\ufffd");
		return 1;
	}
	if (n > 1) {
		put_bytes(json, (const char *)s, n);
		return n;
	}
	switch (*s) {
	case '"':
	case '\\':
		put_char(json, '\\');
		put_char(json, *s);
		break;
	case '\n':
		put_text(json, "\\n");
		break;
	case '\t':
		put_text(json, "\\t");
		break;
	default:
		put_text(json, "\\u00");
		put_char(json, digits[*s >> 4]);
		put_char(json, digits[*s & 15]);
	}
	return 1;
}

/* Writes the plain bytes at the start, at most JSON_STEP.  Returns their number. */
static size_t put_plain(struct json *json, const unsigned char *s, size_t length)
{
	size_t most = length < JSON_STEP ? length : JSON_STEP, done = 0;
	char *at = room(json, JSON_STEP);
	uint64_t word;

	for (; done + sizeof(word) <= most; done += sizeof(word)) {
		memcpy(&word, s + done, sizeof(word));
		if (!is_plain_word(word))
			break;
		memcpy(at + done, &word, sizeof(word));
	}
	for (; done < most && plain[s[done]]; done++)
		at[done] = s[done];
	json->used += done;
	return done;
}

/* Copies at most JSON_STEP bytes.  Returns false if not all are plain: the copy is not valid. */
static bool copy_plain(char *to, const unsigned char *s, size_t length)
{
	uint32_t low, high;
	uint64_t word;

	if (length >= sizeof(word)) {
		for (size_t i = 0; i < length; i += sizeof(word)) {
			/* The last word overlaps the word before it. */
			if (i + sizeof(word) > length)
				i = length - sizeof(word);
			memcpy(&word, s + i, sizeof(word));
			if (!is_plain_word(word))
				return false;
			memcpy(to + i, &word, sizeof(word));
		}
		return true;
	}
	if (length >= sizeof(low)) {
		memcpy(&low, s, sizeof(low));
		memcpy(&high, s + length - sizeof(high), sizeof(high));
		memcpy(to, &low, sizeof(low));
		memcpy(to + length - sizeof(high), &high, sizeof(high));
		return is_plain_word(low | (uint64_t)high << 32);
	}
	for (size_t i = 0; i < length; i++) {
		to[i] = s[i];
		if (!plain[s[i]])
			return false;
	}
	return true;
}

static void put_escaped(struct json *json, const unsigned char *s, size_t length)
{
	char *at = room(json, JSON_STEP + 2);

	*at = '"';
	if (__builtin_expect(length <= JSON_STEP && copy_plain(at + 1, s, length), 1)) {
		at[length + 1] = '"';
		json->used += length + 2;
		return;
	}
	json->used++;
	while (length) {
		size_t n = put_plain(json, s, length);

		if (!n)
			n = put_other(json, s, length);
		s += n;
		length -= n;
	}
	put_char(json, '"');
}

/* Writes a key and its colon. */
static void put_key(struct json *json, const char *key)
{
	put_escaped(json, (const unsigned char *)key, strlen(key));
	put_text(json, ": ");
}

/* ---- Numbers ---- */

/* Writes zeros in front, up to @width, at most DIGITS_MAX. */
static void put_number(struct json *json, uint64_t value, unsigned int width)
{
	/* Twice DIGITS_MAX, because DIGITS_MAX bytes are copied from @at on. */
	char digits[2 * DIGITS_MAX], *end = digits + DIGITS_MAX, *at = digits_before(end, value);

	while ((size_t)(end - at) < width)
		*--at = '0';
	memcpy(room(json, DIGITS_MAX), at, DIGITS_MAX);
	json->used += end - at;
}

static void put_signed(struct json *json, int64_t value)
{
	if (value < 0)
		put_char(json, '-');
	put_number(json, value < 0 ? -(uint64_t)value : (uint64_t)value, 0);
}

/* ---- Keys ---- */

/* Appends @text.  Text that does not fit is cut: this is an error of the caller. */
static void key_add(struct json_key *key, const char *text)
{
	size_t length = strnlen(text, JSON_STEP - key->length);

	memcpy(key->text + key->length, text, length);
	key->length += length;
}

void json_key_make(struct json_key *key, const char *name, const char *suffix)
{
	*key = (struct json_key) { 0 };
	key_add(key, ", \"");
	key_add(key, name);
	key_add(key, suffix);
	key_add(key, "\": ");
}

void json_pair_make(struct json_key *key, const char *name, const char *value)
{
	json_key_make(key, name, "");
	key_add(key, "\"");
	key_add(key, value);
	key_add(key, "\"");
}

void json_pair(struct json *json, const struct json_key *pair)
{
	/* The first member has no comma. */
	size_t skipped = json->filled[json->depth] ? 0 : 2;

	memcpy(room(json, JSON_STEP), pair->text + skipped, JSON_STEP);
	json->used += pair->length - skipped;
	json->filled[json->depth] = true;
}

void json_keyed(struct json *json, const struct json_key *key)
{
	json_pair(json, key);
	json->is_keyed = true;
}

/* ---- Values ---- */

static void new_line(struct json *json)
{
	if (json->one_line)
		return;
	put_char(json, '\n');
	for (unsigned int i = 0; i < json->depth; i++)
		put_text(json, "  ");
}

static void begin_value(struct json *json, const char *key)
{
	if (json->is_keyed) {
		json->is_keyed = false;
		return;
	}
	if (json->depth) {
		if (json->filled[json->depth] && json->one_line)
			put_text(json, ", ");
		else if (json->filled[json->depth])
			put_char(json, ',');
		json->filled[json->depth] = true;
		new_line(json);
	}
	if (key)
		put_key(json, key);
}

/* Unless output is kept, write it: the caller may write to the stream before the next value. */
static inline void end_value(struct json *json)
{
	if (!json->keeps)
		flush(json);
}

static void open_level(struct json *json, const char *key, const char *brackets)
{
	begin_value(json, key);
	put_char(json, brackets[0]);
	if (json->depth < JSON_DEPTH_MAX)
		json->depth++;
	json->filled[json->depth] = false;
	json->closer[json->depth] = brackets[1];
	end_value(json);
}

void json_start(struct json *json, FILE *out, bool one_line)
{
	json->out = out;
	json->one_line = one_line;
	json->keeps = false;
	json->is_keyed = false;
	json->bytes = json->own;
	json->used = 0;
	json->size = sizeof(json->own);
	json->depth = 0;
}

void json_start_kept(struct json *json, FILE *out, char *bytes, size_t size)
{
	json_start(json, out, true);
	json->keeps = true;
	json->bytes = bytes;
	json->size = size;
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
	put_char(json, closer);
	if (!json->depth) {
		put_char(json, '\n');
		flush(json);
	}
	end_value(json);
}

void json_bytes(struct json *json, const char *key, const void *bytes,
		size_t length)
{
	begin_value(json, key);
	put_escaped(json, bytes, length);
	end_value(json);
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
	put_bytes(json, text, length);
	end_value(json);
}

void json_u64(struct json *json, const char *key, uint64_t value)
{
	begin_value(json, key);
	put_number(json, value, 0);
	end_value(json);
}

void json_s64(struct json *json, const char *key, int64_t value)
{
	begin_value(json, key);
	put_signed(json, value);
	end_value(json);
}

void json_exact_u64(struct json *json, const char *key, uint64_t value)
{
	bool exact = value <= (uint64_t)JSON_EXACT_MAX;

	begin_value(json, key);
	if (!exact)
		put_char(json, '"');
	put_number(json, value, 0);
	if (!exact)
		put_char(json, '"');
	end_value(json);
}

void json_exact_s64(struct json *json, const char *key, int64_t value)
{
	bool exact = value >= -JSON_EXACT_MAX && value <= JSON_EXACT_MAX;

	begin_value(json, key);
	if (!exact)
		put_char(json, '"');
	put_signed(json, value);
	if (!exact)
		put_char(json, '"');
	end_value(json);
}

void json_bool(struct json *json, const char *key, bool value)
{
	begin_value(json, key);
	if (value)
		put_text(json, "true");
	else
		put_text(json, "false");
	end_value(json);
}

void json_null(struct json *json, const char *key)
{
	begin_value(json, key);
	put_text(json, "null");
	end_value(json);
}

void json_fixed(struct json *json, const char *key, int64_t value,
		unsigned int digits)
{
	uint64_t unit = 1, size = value < 0 ? -(uint64_t)value : (uint64_t)value;

	for (unsigned int i = 0; i < digits; i++)
		unit *= 10;
	begin_value(json, key);
	if (value < 0)
		put_char(json, '-');
	put_number(json, size / unit, 0);
	put_char(json, '.');
	put_number(json, size % unit, digits);
	end_value(json);
}

void json_double(struct json *json, const char *key, double value,
		 unsigned int digits)
{
	char text[512];

	if (!isfinite(value)) {
		json_null(json, key);
		return;
	}
	begin_value(json, key);
	snprintf(text, sizeof(text), "%.*f", (int)digits, value);
	put_bytes(json, text, strlen(text));
	end_value(json);
}
