/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's own counters, as witnesses of a run.
 */
#ifndef EVTLOG_COUNTERS_H
#define EVTLOG_COUNTERS_H

#include <linux/types.h>

void evtlog_counters_write(bool at_end, bool with_global);

#endif /* EVTLOG_COUNTERS_H */
