/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between run.c and its parts: arming, the stores that publish a start and a stop, and how each CPU
 * joins a run and leaves it.
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

/* Ticks in which a CPU may leave by itself before it is interrupted. */
#define EVTLOG_JOIN_PATIENCE	4

/* arm.c; the caller holds the run's lock */
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
