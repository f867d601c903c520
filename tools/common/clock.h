/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The monotonic clock, for time limits and for output from time to time.
 */
#ifndef EVTLOG_COMMON_CLOCK_H
#define EVTLOG_COMMON_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

#endif /* EVTLOG_COMMON_CLOCK_H */
