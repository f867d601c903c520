// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Comma-separated values on a stream.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "csv.h"
#include "linebuf.h"

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
static bool begins_formula(const char *text)
{
	return *text && strchr("=+-@", *text);
}

void csv_text(struct csv *csv, const char *text)
{
	char first[sizeof("\\xNN")];
	struct line line;
	bool quoted;

	begin_field(csv);
	line.length = 0;
	if (begins_formula(text)) {
		snprintf(first, sizeof(first), "\\x%02x", *text++);
		for (const char *at = first; *at; at++)
			line_char(&line, *at);
	}
	line_escaped(&line, text, strlen(text));
	line_char(&line, '\0');
	quoted = line.text[strcspn(line.text, ",\"")];
	if (quoted)
		putc_unlocked('"', csv->out);
	for (const char *at = line.text; *at; at++) {
		if (*at == '"')
			putc_unlocked('"', csv->out);
		putc_unlocked(*at, csv->out);
	}
	if (quoted)
		putc_unlocked('"', csv->out);
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
