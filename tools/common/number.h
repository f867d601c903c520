/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses numbers without sign or exponent, and formats digits.
 *
 * It does not print.
 */
#ifndef EVTLOG_COMMON_NUMBER_H
#define EVTLOG_COMMON_NUMBER_H

#include <stdint.h>
#include <string.h>

/* Parses all of @text, from @least to @most.  Returns 0, or -EINVAL and keeps *@number. */
int number_parse(uint64_t *number, const char *text, uint64_t least, uint64_t most);
int number_parse_u32(uint32_t *number, const char *text, uint32_t least, uint32_t most);

/* The same with digits after a decimal point. */
int number_parse_decimal(double *number, const char *text, double least, double most);

/*
 * Parses the digits at *@text, up to @most, and moves *@text to the end of them.  @most * 100
 * must not overflow.  Returns 0, or -EINVAL and keeps *@number.
 */
int number_read(uint64_t *number, const char **text, uint64_t most);

/* ---- Digits, two at a time: printf() would take most of the time of a dump ---- */

/* Digits of the largest number. */
#define DIGITS_MAX	20

/* Writes the digits in front of @end.  Returns where they begin. */
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

#endif /* EVTLOG_COMMON_NUMBER_H */
