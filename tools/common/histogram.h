/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts of values in buckets that grow with the value, for percentiles.
 *
 * Each octave has HISTOGRAM_STEPS buckets, so that a percentile is right within
 * 1/(2 * HISTOGRAM_STEPS) of itself: 1.6 %.  Minimum, maximum and mean are
 * exact.
 */
#ifndef EVTLOG_COMMON_HISTOGRAM_H
#define EVTLOG_COMMON_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define HISTOGRAM_STEPS_LOG2	5
#define HISTOGRAM_STEPS		(1 << HISTOGRAM_STEPS_LOG2)
/* The last octave takes all that is larger: 2^42 ns are over an hour. */
#define HISTOGRAM_OCTAVES	38

/* Octaves are allocated when first needed: most tasks need few. */
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

/* The value that @share (0 to 1) of all values do not exceed; 0 if none. */
uint64_t histogram_percentile(const struct histogram *histogram, double share);

/* Back to empty. */
void histogram_clear(struct histogram *histogram);

/* ---- Whether there are enough values for a percentile: one rule for all commands ---- */

/*
 * On average at least one value lies beyond it: 2 for the median, 10 for 90, 100 for 99,
 * 1000 for 99.9. The maximum (100) is always known.
 */
static inline bool sample_size_is_enough(uint64_t count, double percent)
{
	return count && (percent >= 100 || count * (100 - percent) >= 100 - 1e-6);
}

#endif /* EVTLOG_COMMON_HISTOGRAM_H */
