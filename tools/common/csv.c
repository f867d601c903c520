// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Comma-separated values on a stream.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "csv.h"

static void begin_field(struct csv *csv)
{
	if (csv->filled)
		putc_unlocked(',', csv->out);
	csv->filled = true;
}

void csv_head(struct csv *csv, FILE *out, const char *names)
{
	csv->out = out;
	csv->filled = false;
	fprintf(out, "%s\n", names);
}

/*
 * What begins so is a formula to spreadsheets, which may run programs; and anybody may name
 * a task.
 */
static bool begins_formula(const unsigned char *text, size_t length)
{
	return length && *text && strchr("=+-@", *text);
}

static void put_byte(struct csv *csv, unsigned char byte, bool escaped)
{
	static const char digits[] = "0123456789abcdef";

	if (!escaped) {
		if (byte == '"')
			putc_unlocked('"', csv->out);
		putc_unlocked(byte, csv->out);
		return;
	}
	fputs("\\x", csv->out);
	putc_unlocked(digits[byte >> 4], csv->out);
	putc_unlocked(digits[byte & 15], csv->out);
}

void csv_bytes(struct csv *csv, const void *bytes, size_t length)
{
	const unsigned char *at = bytes;
	bool quoted = length && (memchr(at, ',', length) || memchr(at, '"', length));

	begin_field(csv);
	if (quoted)
		putc_unlocked('"', csv->out);
	for (size_t i = 0; i < length; i++)
		put_byte(csv, at[i], at[i] < ' ' || at[i] >= 0x7f || at[i] == '\\' ||
			 (!i && begins_formula(at, length)));
	if (quoted)
		putc_unlocked('"', csv->out);
}

void csv_text(struct csv *csv, const char *text)
{
	csv_bytes(csv, text, strlen(text));
}

void csv_u64(struct csv *csv, uint64_t value)
{
	begin_field(csv);
	fprintf(csv->out, "%" PRIu64, value);
}

void csv_s64(struct csv *csv, int64_t value)
{
	begin_field(csv);
	fprintf(csv->out, "%" PRId64, value);
}

void csv_bool(struct csv *csv, bool value)
{
	csv_u64(csv, value);
}

void csv_double(struct csv *csv, double value, unsigned int digits)
{
	begin_field(csv);
	if (isfinite(value))
		fprintf(csv->out, "%.*f", (int)digits, value);
}

void csv_number(struct csv *csv, const char *text)
{
	begin_field(csv);
	fputs(text, csv->out);
}

void csv_empty(struct csv *csv)
{
	begin_field(csv);
}

void csv_end(struct csv *csv)
{
	putc_unlocked('\n', csv->out);
	csv->filled = false;
}
