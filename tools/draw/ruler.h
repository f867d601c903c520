/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a ruler has its ticks, and what stands beside them.
 */
#ifndef EVTLOG_DRAW_RULER_H
#define EVTLOG_DRAW_RULER_H

#include <stdint.h>

#define RULER_LABEL_BYTES	48

/*
 * @step_ns: between ticks: 1, 2 or 5 times a power of ten
 * @minor_ns: between the short ones
 * @unit_ns, @unit: of the labels
 * @anchor_ns: labels count from there: 0, or close below the first tick when the whole
 *	number would be too long to read
 */
struct ruler {
	uint64_t step_ns;
	uint64_t minor_ns;
	uint64_t unit_ns;
	uint64_t anchor_ns;
	const char *unit;
};

/* For at most @ticks ticks from @from_ns to @to_ns. */
void ruler_make(struct ruler *ruler, uint64_t from_ns, uint64_t to_ns,
		unsigned int ticks);

/* "1.25 s"; "+250 ns" if there is an anchor. */
void ruler_label(const struct ruler *ruler, uint64_t time_ns,
		 char label[RULER_LABEL_BYTES]);

/* A time or span as it reads best: "1.25 s", "12 us", all its digits. */
void ruler_time(uint64_t ns, char text[RULER_LABEL_BYTES]);

#endif /* EVTLOG_DRAW_RULER_H */
