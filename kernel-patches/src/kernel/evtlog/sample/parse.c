// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples: parses the text, and computes the numbers that follow from it.
 */
#include <linux/string.h>

#include "sample/sample.h"

/* Not ctype: ASCII only, and the same in the kernel and in user space. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static const char *skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

/* Reads a decimal number, or 0x.  Returns NULL if there is none, or it is more than @max. */
static const char *take_number(const char *at, u64 max, u64 *number)
{
	unsigned int base = 10, digit;

	if (!is_digit(*at))
		return NULL;
	if (at[0] == '0' && at[1] == 'x') {
		base = 16;
		at += 2;
		if (!is_word(*at))
			return NULL;
	}
	for (*number = 0; is_word(*at); at++) {
		digit = is_digit(*at) ? *at - '0' : (*at | 0x20) - 'a' + 10;
		if (digit >= base && base == 10)
			break;
		if (digit >= base || *number > (max - digit) / base)
			return NULL;
		*number = *number * base + digit;
	}
	return at;
}

/* 2^64 a / b, rounded down; a < b <= 2^63 */
static u64 fraction(u64 a, u64 b)
{
	u64 result = 0;
	unsigned int i;

	for (i = 0; i < 64; i++) {
		a <<= 1;
		result <<= 1;
		if (a >= b) {
			a -= b;
			result |= 1;
		}
	}
	return result;
}

/* The upper half of x times x */
static u64 square(u64 x)
{
	u64 high = x >> 32, low = (u32)x;
	u64 middle = high * low;

	/* (high 2^32 + low)^2: adds twice the middle without losing its carry. */
	return high * high + (middle >> 31) +
	       (((middle << 33 >> 1) + (low * low >> 1)) >> 63);
}

/* See draw.c.  Digits that are 1 with a probability below 2^-62 are left out. */
static void set_digits(struct evtlog_sample *s)
{
	u64 q = fraction(EVTLOG_SAMPLE_P_ONE - s->nano, EVTLOG_SAMPLE_P_ONE);
	unsigned int k;

	for (k = 0; q >> 2 && k < EVTLOG_SAMPLE_DIGITS_MAX; k++) {
		/* Quarters of q and of 1 + q; the latter at most 2^63 */
		s->digits[k] = fraction(q >> 2, (1ULL << 62) + (q >> 2));
		q = square(q);
	}
	s->nr_digits = k;
}

static const char *parse_probability(const char *at, struct evtlog_sample *s, const char **end)
{
	u32 nano = 0, unit = EVTLOG_SAMPLE_P_ONE;

	if ((*at != '0' && *at != '1') || is_digit(at[1]))
		return "p must be a number from 0.000000001 to 1";
	nano = (*at++ - '0') * unit;
	if (*at == '.') {
		if (!is_digit(*++at))
			return "p has no digit after its point";
		for (; is_digit(*at); at++) {
			unit /= 10;
			if (!unit)
				return "p has more than nine digits after its point";
			nano += (*at - '0') * unit;
		}
	}
	if (!nano || nano > EVTLOG_SAMPLE_P_ONE)
		return "p must be a number from 0.000000001 to 1";
	s->kind = EVTLOG_SAMPLE_PROBABILITY;
	s->nano = nano;
	s->weight = EVTLOG_SAMPLE_P_ONE / nano;
	s->more = fraction(EVTLOG_SAMPLE_P_ONE % nano, nano);
	set_digits(s);
	*end = at;
	return NULL;
}

static bool is_next(const char **at, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*at, word, length) || is_word((*at)[length]))
		return false;
	*at = skip_blanks(*at + length);
	return true;
}

static const char *parse_key(const char *at, struct evtlog_sample *s, const char **end)
{
	s->kind = EVTLOG_SAMPLE_KEY;
	s->limit = ~0ULL / s->every;
	s->seed = EVTLOG_SAMPLE_SEED;
	s->by = at;
	while (is_word(*at))
		at++;
	s->by_len = at - s->by;
	if (!s->by_len)
		return "expected the name of an argument after \"by\"";
	at = skip_blanks(at);
	if (is_next(&at, "seed")) {
		at = take_number(at, ~0ULL, &s->seed);
		if (!at)
			return "seed must be a number of at most 64 bits";
	}
	*end = at;
	return NULL;
}

static const char *parse_ratio(const char *at, struct evtlog_sample *s, const char **end)
{
	u64 every;

	at = take_number(at, EVTLOG_SAMPLE_EVERY_MAX, &every);
	if (!at || !every)
		return "N of 1/N must be a number from 1 to 1000000000";
	s->every = every;
	s->weight = every;
	*end = skip_blanks(at);
	if (*end != at && is_next(end, "by"))
		return parse_key(*end, s, end);
	s->kind = EVTLOG_SAMPLE_COUNT;
	return NULL;
}

static const char *parse_time(const char *at, struct evtlog_sample *s, const char **end)
{
	static const struct {
		char name[3];
		u64 ns;
	} units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
	};
	u64 number;
	unsigned int i;

	at = take_number(at, EVTLOG_SAMPLE_NS_MAX, &number);
	for (i = 0; at && i < sizeof(units) / sizeof(units[0]); i++) {
		const char *behind = at;

		if (!is_next(&behind, units[i].name))
			continue;
		if (!number || number > EVTLOG_SAMPLE_NS_MAX / units[i].ns)
			break;
		s->kind = EVTLOG_SAMPLE_TIME;
		s->interval_ns = number * units[i].ns;
		*end = behind;
		return NULL;
	}
	return "expected 1/N, p=0.N, or a time from 1ns to 3600s";
}

/**
 * evtlog_sample_parse() - parse a sample's text
 * @text:	the text after "sample"; must be valid as long as @s
 * @s:		filled in, except @ticks
 *
 * Return: NULL; or an error message, a sentence.
 */
const char *evtlog_sample_parse(const char *text, struct evtlog_sample *s)
{
	const char *at = skip_blanks(text), *fault;

	memset(s, 0, sizeof(*s));
	if (!strncmp(at, "p=", 2))
		fault = parse_probability(at + 2, s, &at);
	else if (!strncmp(at, "1/", 2))
		fault = parse_ratio(at + 2, s, &at);
	else
		fault = parse_time(at, s, &at);
	if (fault)
		return fault;
	return *skip_blanks(at) ? "unexpected text after the sample" : NULL;
}
