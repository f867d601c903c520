/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers as users write them: digits and nothing else.
 *
 * It says nothing.
 */
#ifndef EVTLOG_COMMON_NUMBER_H
#define EVTLOG_COMMON_NUMBER_H

#include <stdint.h>

/* A whole string as a number from @least to @most: 0, or -EINVAL and *@number is kept. */
int number_parse(uint64_t *number, const char *text, uint64_t least, uint64_t most);
int number_parse_u32(uint32_t *number, const char *text, uint32_t least, uint32_t most);

/*
 * The digits at *@text, which is left behind them, as a number up to @most, of which a hundred
 * times is a number too: 0, or -EINVAL and *@number is kept.
 */
int number_read(uint64_t *number, const char **text, uint64_t most);

#endif /* EVTLOG_COMMON_NUMBER_H */
