/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the start and the stop of a run publish, and when a start may.
 */
#ifndef EVTLOG_PUBLISH_H
#define EVTLOG_PUBLISH_H

#include <linux/types.h>

bool evtlog_publish_hold(void);
void evtlog_publish_allow(void);
bool evtlog_publish_is_under_way(void);
bool evtlog_publish_final_is_due(void);

#endif /* EVTLOG_PUBLISH_H */
