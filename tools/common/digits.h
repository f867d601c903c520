/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decimal digits of a number, two at a time.
 *
 * Called by what writes text and JSON: printf() would be most of the time that a dump takes.
 */
#ifndef EVTLOG_COMMON_DIGITS_H
#define EVTLOG_COMMON_DIGITS_H

#include <stdint.h>
#include <string.h>

/* The most that a number has */
#define DIGITS_MAX	20

/* Writes them up to @end; returns where they begin. */
static inline char *digits_before(char *end, uint64_t value)
{
	static const char pairs[] =
		"00010203040506070809101112131415161718192021222324"
		"25262728293031323334353637383940414243444546474849"
		"50515253545556575859606162636465666768697071727374"
		"75767778798081828384858687888990919293949596979899";

	while (value >= 100) {
		end -= 2;
		memcpy(end, pairs + value % 100 * 2, 2);
		value /= 100;
	}
	if (value < 10) {
		*--end = '0' + value;
		return end;
	}
	end -= 2;
	memcpy(end, pairs + value * 2, 2);
	return end;
}

#endif /* EVTLOG_COMMON_DIGITS_H */
