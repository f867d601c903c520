/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the start and the stop of a run publish, and when a start may.
 */
#ifndef EVTLOG_PUBLISH_H
#define EVTLOG_PUBLISH_H

#include <linux/types.h>

/*
 * The tree that runs are of: the bits of its tasks, and the pid of its first root.  0: runs are
 * of all tasks.  Changed between runs alone, by a feature.
 */
extern u32 evtlog_run_trees;
extern u32 evtlog_run_tree_pid;

bool evtlog_publish_hold(void);
void evtlog_publish_allow(void);
bool evtlog_publish_is_under_way(void);
bool evtlog_publish_final_is_due(void);

#endif /* EVTLOG_PUBLISH_H */
