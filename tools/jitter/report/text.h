/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the texts of `evtlog jitter report` share.
 *
 * Stage: within account-show.c and account-single.c.
 */
#ifndef EVTLOG_JITTER_REPORT_TEXT_H
#define EVTLOG_JITTER_REPORT_TEXT_H

#include "summary.h"

/* @text as a terminal may have it, in @line: names in logs may be anything. */
const char *account_plain(struct line *line, const char *text);

double account_us(const struct account *account, double ticks);

/* The largest interruptions with what they are made of. */
void account_show_largest(const struct account *account);

/* What recurs: so many patterns at most. */
void account_show_patterns(const struct account *account, uint32_t wanted);

/* Tasks that follow each other: likewise. */
void account_show_chains(const struct account *account, uint32_t wanted);

#endif /* EVTLOG_JITTER_REPORT_TEXT_H */
