/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interface between run.c and its parts: arming, publishing a start or a stop, and how each CPU
 * joins and leaves a run.
 */
#ifndef EVTLOG_PUBLISH_H
#define EVTLOG_PUBLISH_H

#include <linux/types.h>

/*
 * The tree that runs record: the bits of its tasks, and the pid of its first root.  0: runs record
 * all tasks.  Changed by a feature, only between runs.
 */
extern u32 evtlog_run_trees;
extern u32 evtlog_run_tree_pid;

/* Jiffies in which a CPU can leave by itself before it is interrupted */
#define EVTLOG_JOIN_PATIENCE	4

/* arm.c; the run's lock is held */
int evtlog_arm_cpuslocked(void);
void evtlog_disarm_cpuslocked(void);
void evtlog_arm_free_unused(void);
void evtlog_arm_cpu(unsigned int cpu);

/* join.c */
void evtlog_join_wait_for_leaving(void);

/* publish.c */
bool evtlog_publish_hold(void);
void evtlog_publish_allow(void);
bool evtlog_publish_is_under_way(void);
bool evtlog_publish_final_is_due(void);

#endif /* EVTLOG_PUBLISH_H */
