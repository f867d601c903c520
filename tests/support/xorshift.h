/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers that a seed repeats on every machine, unlike rand(): xorshift64*
 */
#ifndef EVTLOG_TESTS_SUPPORT_XORSHIFT_H
#define EVTLOG_TESTS_SUPPORT_XORSHIFT_H

#include <stdint.h>

/* Returns the next 64 random bits; @state is never 0. */
static inline uint64_t xorshift(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

#endif /* EVTLOG_TESTS_SUPPORT_XORSHIFT_H */
