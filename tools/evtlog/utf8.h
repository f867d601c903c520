/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells valid UTF-8 from other bytes: names in logs may be anything.
 *
 * Stage: between what a log holds and whatever shows it.
 */
#ifndef EVTLOG_UTF8_H
#define EVTLOG_UTF8_H

#include <stddef.h>

/* What stands for a byte that is not UTF-8: U+FFFD. */
#define UTF8_REPLACEMENT	"\xef\xbf\xbd"

/*
 * Length of the valid UTF-8 sequence at @s (RFC 3629: no surrogates, nothing
 * overlong, nothing above U+10FFFF); 0 if there is none.
 */
size_t utf8_length(const unsigned char *s, size_t left);

#endif /* EVTLOG_UTF8_H */
