/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data that `evtlog info` shows of a log.
 *
 * Stage: cmd-info.c reads the log; print.c prints text, json.c prints JSON.
 */
#ifndef EVTLOG_ANALYSIS_INFO_INFO_H
#define EVTLOG_ANALYSIS_INFO_INFO_H

#include <stdbool.h>

#include <evtlog/evtlog.h>

#include "analysis/stat/cpu-time.h"

/* ---- Passes of the kernel's sampler, complete or not ---- */

/*
 * @passes:	number of passes with their last record in the log
 * @missed:	number of passes that were due and did not take place, from these records
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
	uint64_t begin_ns;	/* first known time; @begin_ticks is the same instant */
	uint64_t begin_ticks;
};

/*
 * Time from the request for the run to its begin. Returns false if unknown. More than a day is
 * damage.
 */
bool info_ordered_before_ns(const struct info *info, uint64_t *ns);

/* Returns true if the log has a buffer with a time. */
bool info_has_time(const struct info *info);

/* Returns true if the logger's time is known; its share of the time of all CPUs. */
bool info_knows_logger_time(const struct info *info);
double info_logger_share(const struct info *info);

/*
 * Settings of the sampler at the run's start.
 * @interval_ns: 0: each tick
 * @tree_pid:	0: all tasks
 */
struct info_sampler {
	uint64_t interval_ns;
	uint32_t tree_pid;
};

/* Returns false if nothing was sampled, or the header has no settings. */
bool info_sampler(const struct evtlog_file *file, struct info_sampler *sampler);

/*
 * How the tree was chosen, such as "job:42"; NULL if the header has only a pid.
 * @processes: number of processes that were marked for it; 0 if unknown
 */
const char *info_tree_choice(const struct evtlog_file *file, uint32_t *processes);

void info_boot_id(const struct evtlog_file *file, char text[37]);

/* CLOCK_REALTIME at @ns in ISO 8601; "" if before 1970 */
void info_real(const struct evtlog_file *file, uint64_t ns, char *text, size_t capacity);

void info_show(const struct info *info);
void info_json(const struct info *info);

#endif /* EVTLOG_ANALYSIS_INFO_INFO_H */
