/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints whether the tick counters of a host's CPUs agree.
 *
 * Stage: between <evtlog/cpu-clocks.h> and the user.
 */
#ifndef EVTLOG_ANALYSIS_CHECK_CPU_CLOCKS_PRINT_H
#define EVTLOG_ANALYSIS_CHECK_CPU_CLOCKS_PRINT_H

#include <evtlog/cpu-clocks.h>

#include "common/json.h"

/* Limit of events that a command reads of a log only for a warning; many logs share it */
#define CPU_CLOCKS_EVENTS	(UINT64_C(1) << 20)

/* Prints the lines of `evtlog check`. */
void cpu_clocks_show(const struct evtlog_cpu_clocks *clocks);

/* Prints the object cpu_clocks; evtlog-check(1) describes its keys. */
void cpu_clocks_json(const struct evtlog_cpu_clocks *clocks, struct json *json);

/*
 * Reads the first @events of @file. Returns NULL, or a warning without newline, to be freed, if the
 * counters of its CPUs disagree.
 */
char *cpu_clocks_warning(struct evtlog_file *file, uint64_t events);

/* Prints this warning on stderr, with @path. */
void cpu_clocks_warn(struct evtlog_file *file, const char *path, uint64_t events);

#endif /* EVTLOG_ANALYSIS_CHECK_CPU_CLOCKS_PRINT_H */
