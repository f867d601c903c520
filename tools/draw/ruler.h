/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Positions of a ruler's ticks, and their labels.
 */
#ifndef EVTLOG_DRAW_RULER_H
#define EVTLOG_DRAW_RULER_H

#include <stdint.h>

#define RULER_LABEL_BYTES	48

/*
 * @step_ns: distance of ticks: 1, 2 or 5 times a power of ten
 * @minor_ns: distance of short ticks
 * @unit_ns, @unit: unit of the labels
 * @anchor_ns: origin of the labels: 0, or a time shortly before the first tick if the whole
 *	number would be too long to read
 */
struct ruler {
	uint64_t step_ns;
	uint64_t minor_ns;
	uint64_t unit_ns;
	uint64_t anchor_ns;
	const char *unit;
};

/* Prepares a ruler with at most @ticks ticks from @from_ns to @to_ns. */
void ruler_make(struct ruler *ruler, uint64_t from_ns, uint64_t to_ns,
		unsigned int ticks);

/* "1.25 s"; "+250 ns" if there is an anchor. */
void ruler_label(const struct ruler *ruler, uint64_t time_ns,
		 char label[RULER_LABEL_BYTES]);

/* A time or a duration with all its digits, in the unit that fits: "1.25 s", "12 us". */
void ruler_time(uint64_t ns, char text[RULER_LABEL_BYTES]);

#endif /* EVTLOG_DRAW_RULER_H */
