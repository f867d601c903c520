/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LTTng-UST as native.c calls it. Weak: native.c is linked without it, too, and the
 * addresses are then NULL.
 */
#ifndef BENCH_UST_H
#define BENCH_UST_H

#include <stdbool.h>

/* Whether a session records the event; else it costs a branch, which is no figure. */
bool ust_recording(void) __attribute__((__weak__));

/* Writes n events. */
void ust_write(unsigned int n) __attribute__((__weak__));

#endif /* BENCH_UST_H */
