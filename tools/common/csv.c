// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes comma-separated values to a stream.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "csv.h"
#include "utf8.h"

static void begin_field(struct csv *csv)
{
	if (csv->filled)
		putc_unlocked(',', csv->out);
	csv->filled = true;
}

void csv_start(struct csv *csv, FILE *out)
{
	*csv = (struct csv) { .out = out, .is_terminal = isatty(fileno(out)) };
}

void csv_head(struct csv *csv, FILE *out, const char *names)
{
	csv_start(csv, out);
	fprintf(out, "%s\n", names);
}

static void put(struct csv *csv, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] == '"')
			putc_unlocked('"', csv->out);
		putc_unlocked(bytes[i], csv->out);
	}
}

/* Control characters become visible: a terminal could take them as commands. */
static void put_visible(struct csv *csv, const char *text, size_t length)
{
	char bytes[4];
	uint32_t code;

	for (size_t i = 0; i < length;) {
		i += utf8_visible(text + i, length - i, &code);
		put(csv, bytes, utf8_put(bytes, code) - bytes);
	}
}

/* Bytes that are not UTF-8 become U+FFFD. */
static void put_text(struct csv *csv, const char *text, size_t length)
{
	for (size_t i = 0, some; i < length; i += some) {
		some = utf8_length((const unsigned char *)text + i, length - i);
		put(csv, some ? text + i : "\xef\xbf\xbd", some ? some : 3);
		some += !some;
	}
}

static bool needs_quotes(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!text[i] || strchr(",\"\r\n", text[i]))
			return true;
	/* An empty text is quoted, unlike an absent value. */
	return !length;
}

static void put_field(struct csv *csv, const char *text, size_t length, bool is_text)
{
	bool quoted = needs_quotes(text, length);

	begin_field(csv);
	if (quoted)
		putc_unlocked('"', csv->out);
	if (csv->is_terminal)
		put_visible(csv, text, length);
	else if (is_text)
		put_text(csv, text, length);
	else
		put(csv, text, length);
	if (quoted)
		putc_unlocked('"', csv->out);
}

void csv_bytes(struct csv *csv, const void *bytes, size_t length)
{
	put_field(csv, bytes, length, false);
}

void csv_text(struct csv *csv, const char *text)
{
	put_field(csv, text, strlen(text), true);
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
