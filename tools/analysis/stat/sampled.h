/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sampled events of a log: what their records' totals stand for.
 *
 * Called by count.c for each record; print.c and json.c show it.
 */
#ifndef EVTLOG_ANALYSIS_STAT_SAMPLED_H
#define EVTLOG_ANALYSIS_STAT_SAMPLED_H

#include <stdbool.h>
#include <stdint.h>

#include "common/json.h"

struct evtlog_event;
struct evtlog_file;
struct sampled;

/* NULL: out of memory. */
struct sampled *sampled_new(const struct evtlog_file *file, unsigned int cpus);
void sampled_free(struct sampled *s);

/* Takes a record of a registered event, of the CPU @slot; of one not sampled nothing.  0 or -ENOMEM. */
int sampled_add(struct sampled *s, unsigned int slot, const struct evtlog_event *event);

/* What was summed up ends there. */
void sampled_set_end(struct sampled *s, uint64_t end_ns);

/* @s may be NULL. */
void sampled_show(const struct sampled *s);
/* Of one event an object "sample", if it is sampled. */
void sampled_json(const struct sampled *s, uint32_t id, struct json *json);

#endif /* EVTLOG_ANALYSIS_STAT_SAMPLED_H */
