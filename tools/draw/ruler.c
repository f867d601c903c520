// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Computes the ticks and labels of a picture's ruler.  Does not draw.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ruler.h"

static const struct {
	uint64_t ns;
	unsigned int digits;
	const char *name;
} units[] = {
	{ 1000000000, 9, "s" }, { 1000000, 6, "ms" }, { 1000, 3, "µs" }, { 1, 0, "ns" },
};

#define UNITS	(sizeof(units) / sizeof(units[0]))

/* Times of more steps than this are labelled relative to an anchor. */
#define DIGITS_MAX	UINT64_C(1000000)

static const char *unit_of(uint64_t ns, uint64_t *unit_ns)
{
	for (size_t i = 0; i < UNITS; i++)
		if (ns >= units[i].ns || i == UNITS - 1) {
			*unit_ns = units[i].ns;
			return units[i].name;
		}
	return "";
}

void ruler_make(struct ruler *ruler, uint64_t from_ns, uint64_t to_ns,
		unsigned int ticks)
{
	uint64_t span_ns = to_ns > from_ns ? to_ns - from_ns : 1, power = 1;

	memset(ruler, 0, sizeof(*ruler));
	for (;; power *= 10) {
		static const unsigned int multiples[] = { 1, 2, 5 };
		unsigned int i;

		for (i = 0; i < 3 && span_ns / (power * multiples[i]) >= ticks; i++)
			;
		if (i < 3) {
			ruler->step_ns = power * multiples[i];
			ruler->minor_ns = multiples[i] == 2 ? power / 2 : ruler->step_ns / 5;
			break;
		}
	}
	if (!ruler->minor_ns)
		ruler->minor_ns = 1;
	/* The unit in which a step has at most one decimal ... */
	ruler->unit = unit_of(ruler->step_ns * 10, &ruler->unit_ns);
	/* ... but the unit of the span if there is an anchor, and else seconds for long steps. */
	if (to_ns / ruler->step_ns > DIGITS_MAX) {
		ruler->anchor_ns = from_ns - from_ns % (ruler->step_ns * 1000);
		ruler->unit = unit_of(span_ns, &ruler->unit_ns);
	} else if (to_ns >= units[0].ns && ruler->step_ns >= 100000) {
		ruler->unit = units[0].name;
		ruler->unit_ns = units[0].ns;
	}
}

/* Formats @ns in a unit, with as many decimals as @ns and @step_ns need. */
static void number(uint64_t ns, uint64_t step_ns, uint64_t unit_ns, const char *unit,
		   char label[RULER_LABEL_BYTES])
{
	unsigned int digits = 0, dropped = 0;
	uint64_t power = 10;
	char part[24] = "";

	for (size_t i = 0; i < UNITS; i++)
		if (units[i].ns == unit_ns)
			digits = units[i].digits;
	for (; dropped < digits && !(ns % power) && !(step_ns % power); dropped++)
		power *= 10;
	if (dropped < digits) {
		snprintf(part, sizeof(part), ".%0*" PRIu64, digits, ns % unit_ns);
		part[1 + digits - dropped] = '\0';
	}
	snprintf(label, RULER_LABEL_BYTES, "%" PRIu64 "%s %s", ns / unit_ns, part, unit);
}

void ruler_label(const struct ruler *ruler, uint64_t time_ns,
		 char label[RULER_LABEL_BYTES])
{
	char text[RULER_LABEL_BYTES];

	number(time_ns - ruler->anchor_ns, ruler->step_ns, ruler->unit_ns, ruler->unit, text);
	snprintf(label, RULER_LABEL_BYTES, "%s%.40s", ruler->anchor_ns ? "+" : "", text);
}

void ruler_time(uint64_t ns, char text[RULER_LABEL_BYTES])
{
	uint64_t unit_ns;
	const char *unit = unit_of(ns, &unit_ns);

	number(ns, 0, unit_ns, unit, text);
}
