/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether there are enough values to tell a percentile.
 *
 * One rule for all commands.
 */
#ifndef EVTLOG_COMMON_SAMPLE_SIZE_H
#define EVTLOG_COMMON_SAMPLE_SIZE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * On average at least one value lies beyond it: 2 for the median, 10 for 90, 100 for 99,
 * 1000 for 99.9. The maximum (100) is always known.
 */
static inline bool sample_size_is_enough(uint64_t count, double percent)
{
	return count && (percent >= 100 || count * (100 - percent) >= 100 - 1e-6);
}

#endif /* EVTLOG_COMMON_SAMPLE_SIZE_H */
