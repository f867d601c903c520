/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hosts that differ from most others: evtlog diff --outliers.
 *
 * Stage: between the totals of evtlog stat, of logs or of partial results, and the output.  A score
 * is the distance from the median of all hosts, in standard deviations that are estimated by the
 * median distance, so that odd hosts do not hide each other.
 */
#ifndef EVTLOG_ANALYSIS_DIFF_OUTLIERS_H
#define EVTLOG_ANALYSIS_DIFF_OUTLIERS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/stat/stat.h"

enum outlier_measure {
	OUTLIER_SWITCHES,	/* per second of CPU time */
	OUTLIER_MIGRATIONS,
	OUTLIER_TASKS,		/* share of the CPU time */
	OUTLIER_SOFTIRQS,
	OUTLIER_IRQS,
	OUTLIER_UNKNOWN,
	OUTLIER_MEASURES
};

/* @total: of all its logs; @value, @score: NAN if unknown */
struct outlier_host {
	char *name;
	struct stat_total total;
	double value[OUTLIER_MEASURES];
	double score[OUTLIER_MEASURES];
};

/* @median: of all hosts; NAN if unknown; @found: number of scores that are odd */
struct outliers {
	struct outlier_host *hosts;
	size_t count;
	size_t capacity;
	double median[OUTLIER_MEASURES];
	size_t found;
};

/* Fewer hosts have no typical value. */
#define OUTLIERS_HOSTS_MIN	5

/* Reads logs and partial results. Prints errors, and losses. Returns an exit status. */
int outliers_read(struct outliers *outliers, char **paths, size_t count);

/* Fills in values, medians and scores. Returns 0 or -ENOMEM. */
int outliers_judge(struct outliers *outliers);

/* True if the host's score is odd, and its value is far enough from the median. */
bool outliers_is_odd(const struct outliers *outliers, const struct outlier_host *host,
		     enum outlier_measure measure);

void outliers_show(const struct outliers *outliers);
void outliers_json(const struct outliers *outliers);
void outliers_free(struct outliers *outliers);

#endif /* EVTLOG_ANALYSIS_DIFF_OUTLIERS_H */
