/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many questions at once: which answers hold together at a level.
 */
#ifndef EVTLOG_JITTER_STATISTICS_HOLM_H
#define EVTLOG_JITTER_STATISTICS_HOLM_H

#include <stddef.h>

/*
 * @p:		of one question by itself
 * @attainable:	the least that @p could have been, whatever the answer
 * @adjusted:	the level at which it holds together with all others
 */
struct holm {
	double p;
	double attainable;
	double adjusted;
};

/*
 * Fills in @adjusted: the chance that any of those at most 1 - @level is a false alarm is
 * at most that.  By Holm's steps, over those only which could hold at all (Tarone).
 * Returns over how many.
 */
size_t holm_adjust(struct holm *questions, size_t count, double level);

#endif /* EVTLOG_JITTER_STATISTICS_HOLM_H */
