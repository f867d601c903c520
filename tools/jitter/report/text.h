/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the texts of `evtlog jitter report` share.
 */
#ifndef EVTLOG_JITTER_REPORT_TEXT_H
#define EVTLOG_JITTER_REPORT_TEXT_H

#include "summary.h"

/* @text as a terminal may have it, in @line: names in logs may be anything. */
const char *summary_plain(struct line *line, const char *text);

double summary_us(const struct summary *summary, double ticks);

/* The largest interruptions with what they are made of. */
void summary_show_largest(const struct summary *summary);

/* What recurs: so many patterns at most. */
void summary_show_patterns(const struct summary *summary, uint32_t wanted);

/* Tasks that follow each other: likewise. */
void summary_show_chains(const struct summary *summary, uint32_t wanted);

#endif /* EVTLOG_JITTER_REPORT_TEXT_H */
