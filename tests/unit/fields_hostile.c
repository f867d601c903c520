// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's check of modules' and probes' descriptions of fields agrees with a naive reader of
 * the same grammar. Descriptions are correct, wrong in one place, or random. Accepted descriptions
 * go into logs unchanged, so each reader relies on the check.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/table.h"
#include "expect.h"
#include "limits.h"
#include "random.h"

static struct limits limits = { .seconds = 3 };
static char text[8192];

static const struct {
	const char *text;
	int bytes;
} cases[] = {
	{ "", 0 }, { "a:0:8:u", 8 }, { "a:0:8:u b:8:2:d", 10 }, { "a:8:8:u b:0:8:x", 16 },
	{ "a:0:0:c", 0 }, { "a:4000:0:b", 4000 }, { "a:0:4000:b", 4000 }, { "a:3996:4:4", 4000 },
	{ "a:0:16:6 b:16:6:m", 22 }, { "a:0:8:6", -1 }, { "a:0:8:m", -1 }, { "a:0:0:6", -1 },
	{ "_9:007:1:p", 8 }, { "a:0:16:c b:4:0:c", 16 },
	{ "a", -1 }, { "a:", -1 }, { "a:0", -1 }, { "a:0:8", -1 }, { "a:0:8:", -1 }, { "a:0:8:z", -1 },
	{ "a:0:8:s", -1 }, { "a:0:3:u", -1 }, { "a:0:16:u", -1 }, { "a:0:0:u", -1 },
	{ "a:0:0:c b:0:8:u", -1 }, { "a:0:8:u ", -1 }, { " a:0:8:u", -1 }, { "a:0:8:u  b:8:8:u", -1 },
	{ "a:0:8:u\tb:8:8:u", -1 }, { "a:0:8:u\n", -1 }, { "a:0:8:uu", -1 }, { "9:0:8:u", -1 },
	{ ":0:8:u", -1 }, { "a-b:0:8:u", -1 }, { "a::8:u", -1 }, { "a:-1:8:u", -1 }, { "a:+1:8:u", -1 },
	{ "a:0x1:8:u", -1 }, { "a: 1:8:u", -1 }, { "a:4000:8:u", -1 }, { "a:3993:8:u", -1 },
	{ "a:1:4000:b", -1 }, { "a:4001:0:b", -1 }, { "a:4294967296:8:u", -1 },
	{ "a:4294967295:2:u", -1 }, { "a:18446744073709551616:8:u", -1 }, { "\xe4:0:8:u", -1 },
	{ "abcdefghijklmnopqrstuvwxyz_1234:0:8:u", 8 }, { "abcdefghijklmnopqrstuvwxyz_12345:0:8:u", -1 },
};

void fail(const char *format, ...)
{
	va_list arguments;

	printf("FAIL: ");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\ntext: '%s'\nSEED=%llu\n", text, (unsigned long long)limits.seed);
	exit(1);
}

/* 1 to 31 letters, digits and "_", and no digit first */
static bool is_name(const char *from, size_t length)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

	return length >= 1 && length <= 31 && strspn(from, letters) >= length && !isdigit(*from);
}

/* Only digits, from 0 to 4000; else -1 */
static long number(const char *from)
{
	size_t digits = strspn(from, "0123456789");

	if (!digits || from[digits])
		return -1;
	from += strspn(from, "0");
	return strlen(from) > 4 || atol(from) > 4000 ? -1 : atol(from);
}

/* One field between blanks; returns its end in the payload, or -1. */
static long read_field(char *field, bool is_last)
{
	char *part[4] = { field }, kind;
	long offset, bytes;

	for (int i = 1; i < 4; i++) {
		part[i] = strchr(part[i - 1], ':');
		if (!part[i])
			return -1;
		*part[i]++ = '\0';
	}
	offset = number(part[1]);
	bytes = number(part[2]);
	kind = part[3][0];
	if (!is_name(part[0], strlen(part[0])) || offset < 0 || bytes < 0 || strlen(part[3]) != 1)
		return -1;
	if (kind == 'c' || kind == 'b')
		return (bytes || is_last) && offset + bytes <= 4000 ? offset + bytes : -1;
	if (kind == '6' || kind == 'm')
		return bytes == (kind == '6' ? 16 : 6) && offset + bytes <= 4000 ? offset + bytes : -1;
	if (!strchr("udxp4nkt", kind) || (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8))
		return -1;
	return offset + bytes <= 4000 ? offset + bytes : -1;
}

static long model(const char *from)
{
	char *copy = strdup(from), *field = copy;
	long most = 0, end;

	expect(copy);
	while (most >= 0 && *from) {
		char *blank = strchr(field, ' ');

		if (blank)
			*blank = '\0';
		end = read_field(field, !blank);
		most = end < 0 ? -1 : end > most ? end : most;
		if (!blank)
			break;
		field = blank + 1;
	}
	free(copy);
	return most;
}

/* In a copy of exact size, so that ASan detects reads after the end */
static int check(const char *from)
{
	char *copy = strdup(from);
	int bytes;

	expect(copy);
	bytes = evtlog_event_fields_check(copy);
	free(copy);
	return bytes < 0 ? -1 : bytes;
}

static bool is_valid(const char *from)
{
	char *copy = strdup(from);
	bool is;

	expect(copy);
	is = evtlog_event_name_is_valid(copy);
	free(copy);
	return is;
}

static void try_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		strcpy(text, cases[i].text);
		if (check(text) != cases[i].bytes || model(text) != cases[i].bytes)
			fail("%d, and by the model %ld, not %d", check(text), model(text), cases[i].bytes);
	}
}

static const char *const parts[] = {
	"a:0:8:u", "b:8:4:d", "text:12:16:c", "rest:28:0:b", " ", " ", "  ", ":", "::", "a", "_", "9", "0", "8",
	"4000", "4001", "3992", "00000", "4294967296", "18446744073709551615", "u", "d", "x", "p", "c",
	"b", "4", "n", "k", "t", "z", "-1", "+1", "0x8", "\n", "\t", "\x80", "%n", "abcdefghijklmnopqrstuvwxyz",
	":0:8:u", ":8:0:c", " n:0:1:n",
};

static void make_text(struct random *r)
{
	unsigned int nr = random_below(r, random_one_in(r, 20) ? 200 : 9);
	size_t length = 0;

	for (unsigned int i = 0; i < nr; i++) {
		const char *part = parts[random_below(r, sizeof(parts) / sizeof(parts[0]))];

		memcpy(text + length, part, strlen(part));
		length += strlen(part);
	}
	text[length] = '\0';
}

/* Makes correct fields; perhaps changes one character of one field. */
static void make_fields(struct random *r)
{
	static const char kinds[] = "udxp4nktcb6m";
	unsigned int nr = 1 + random_below(r, 20);
	size_t length = 0;

	for (unsigned int i = 0; i < nr; i++) {
		char kind = kinds[random_below(r, sizeof(kinds) - 1)];
		unsigned int bytes = kind == 'c' || kind == 'b' ? 1 + random_below(r, 300) :
							    1U << random_below(r, 4);

		length += (size_t)sprintf(text + length, "%sf%u:%u:%u:%c", i ? " " : "", i,
					  random_below(r, 3700), bytes, kind);
	}
	if (random_one_in(r, 2))
		text[random_below(r, (uint32_t)length)] = (char)(1 + random_below(r, 255));
}

int main(int argc, char **argv)
{
	uint64_t tried = 0, good = 0;
	struct random r;

	limits_parse(&limits, argc, argv);
	r.state = limits.seed;
	try_cases();
	for (; limits.seconds > 0 ? limits_elapsed() < limits.seconds : tried < limits.ops; tried++) {
		long expected;

		if (random_one_in(&r, 2))
			make_text(&r);
		else
			make_fields(&r);
		expected = model(text);
		if (check(text) != expected)
			fail("%d, not %ld", check(text), expected);
		good += expected >= 0;
		text[random_below(&r, 40)] = '\0';
		if (is_valid(text) != is_name(text, strlen(text)))
			fail("a name, or none");
	}
	if (good < tried / 10)
		fail("only %llu of %llu are right", (unsigned long long)good, (unsigned long long)tried);
	printf("texts %llu, descriptions among them %llu\n", (unsigned long long)tried,
	       (unsigned long long)good);
	return 0;
}
