/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What commands say of the counters of a host's CPUs.
 *
 * Stage: between <evtlog/cpu-clocks.h> and the user.
 */
#ifndef EVTLOG_ANALYSIS_CHECK_CPU_CLOCKS_PRINT_H
#define EVTLOG_ANALYSIS_CHECK_CPU_CLOCKS_PRINT_H

#include <evtlog/cpu-clocks.h>

#include "common/json.h"

/* Of a log, by those that only warn; of many logs each has its part. */
#define CPU_CLOCKS_EVENTS	(UINT64_C(1) << 20)

/* Lines of `evtlog check`. */
void cpu_clocks_show(const struct evtlog_cpu_clocks *clocks);

/* The object cpu_clocks; its keys are in evtlog-check(1). */
void cpu_clocks_json(const struct evtlog_cpu_clocks *clocks, struct json *json);

/*
 * Reads the first @events of @file.  Returns NULL, or a warning without newline, which
 * free() takes: its CPUs' counters disagree.
 */
char *cpu_clocks_warning(struct evtlog_file *file, uint64_t events);

/* Says the same on stderr, of @path. */
void cpu_clocks_warn(struct evtlog_file *file, const char *path, uint64_t events);

#endif /* EVTLOG_ANALYSIS_CHECK_CPU_CLOCKS_PRINT_H */
