/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `evtlog info` tells of a log.
 *
 * Stage: cmd-info.c reads the log; print.c prints it, json.c does as JSON.
 */
#ifndef EVTLOG_ANALYSIS_INFO_INFO_H
#define EVTLOG_ANALYSIS_INFO_INFO_H

#include <stdbool.h>

#include <evtlog/evtlog.h>

#include "analysis/stat/cpu-time.h"

/* ---- Passes of the kernel's sampler, complete or not ---- */

/*
 * @passes:	of which the last record is there
 * @missed:	that were due and did not take place, as these tell
 */
struct pass_counts {
	uint64_t passes;
	uint64_t missed;
};

void pass_counts_take(struct pass_counts *counts, const struct evtlog_file *file,
		      const struct evtlog_event *event);

struct info {
	struct evtlog_file *file;
	const char *path;
	struct evtlog_summary summary;
	uint64_t counts[EVTLOG_TYPE_MAX + 1];
	uint64_t events;
	uint64_t bytes_done;
	struct pass_counts passes;
	struct usage usage;
	uint32_t logger_pid;
	bool has_begin;
	uint64_t begin_ns;	/* the same instant as @begin_ticks: the first known */
	uint64_t begin_ticks;
};

/*
 * How long before the run's begin it was ordered, where the file tells.  Nobody
 * orders a run a day ahead: more is damage.
 */
bool info_ordered_before_ns(const struct info *info, uint64_t *ns);

/* Whether there is a buffer that tells the time. */
bool info_has_time(const struct info *info);

/* Whether the logger's time is known, and which part of all CPUs' it is. */
bool info_knows_logger_time(const struct info *info);
double info_logger_share(const struct info *info);

/*
 * How the sampler was set at the run's start.
 * @interval_ns: 0: each tick
 * @tree_pid:	0: all tasks
 */
struct info_sampler {
	uint64_t interval_ns;
	uint32_t tree_pid;
};

/* false: nothing was sampled, or the header does not tell. */
bool info_sampler(const struct evtlog_file *file, struct info_sampler *sampler);

/*
 * How the tree was chosen: "job:42"; NULL: the header tells no more than a pid.
 * @processes:	that were marked for it; 0: not known
 */
const char *info_tree_choice(const struct evtlog_file *file, uint32_t *processes);

void info_boot_id(const struct evtlog_file *file, char text[37]);

/* CLOCK_REALTIME at @ns as ISO 8601; "" if it is before 1970. */
void info_real(const struct evtlog_file *file, uint64_t ns, char *text, size_t capacity);

void info_show(const struct info *info);
void info_json(const struct info *info);

#endif /* EVTLOG_ANALYSIS_INFO_INFO_H */
