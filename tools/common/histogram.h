/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts values in buckets that grow with the value, for percentiles.
 *
 * Each octave has HISTOGRAM_STEPS buckets, so the relative error of a percentile is at most
 * 1/(2 * HISTOGRAM_STEPS): 1.6 %.  Minimum, maximum and mean are exact.
 */
#ifndef EVTLOG_COMMON_HISTOGRAM_H
#define EVTLOG_COMMON_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define HISTOGRAM_STEPS_LOG2	5
#define HISTOGRAM_STEPS		(1 << HISTOGRAM_STEPS_LOG2)
/* The last octave includes all larger values: 2^42 ns are over an hour. */
#define HISTOGRAM_OCTAVES	38

/* Octaves are allocated at their first use: most tasks need few. */
struct histogram {
	uint64_t count;
	uint64_t sum;
	uint64_t min;
	uint64_t max;
	uint32_t *octaves[HISTOGRAM_OCTAVES];
};

/* Returns 0 or -ENOMEM. */
int histogram_add(struct histogram *histogram, uint64_t value);

/* Adds @from to @to and empties @from.  Returns 0 or -ENOMEM. */
int histogram_merge(struct histogram *to, struct histogram *from);

/* Returns the value that @share (0 to 1) of all values do not exceed; 0 if empty. */
uint64_t histogram_percentile(const struct histogram *histogram, double share);

/* Makes the histogram empty. */
void histogram_clear(struct histogram *histogram);

/* ---- Minimum sample size of a percentile, the same for all commands ---- */

/*
 * Returns true if on average at least one value is beyond the percentile: 2 values for the
 * median, 10 for 90, 100 for 99, 1000 for 99.9.  For the maximum (100), one value is enough.
 */
static inline bool sample_size_is_enough(uint64_t count, double percent)
{
	return count && (percent >= 100 || count * (100 - percent) >= 100 - 1e-6);
}

#endif /* EVTLOG_COMMON_HISTOGRAM_H */
