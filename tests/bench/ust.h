/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LTTng-UST's functions for native.c. They are weak: without ust.c their addresses are NULL.
 */
#ifndef BENCH_UST_H
#define BENCH_UST_H

#include <stdbool.h>

/* True if a session records the event.  Otherwise a call costs only a branch; do not measure it. */
bool ust_recording(void) __attribute__((__weak__));

/* Writes n events. */
void ust_write(unsigned int n) __attribute__((__weak__));

#endif /* BENCH_UST_H */
