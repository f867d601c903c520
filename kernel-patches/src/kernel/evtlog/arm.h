/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arming and disarming, for callers that hold the run's lock.
 */
#ifndef EVTLOG_ARM_H
#define EVTLOG_ARM_H

int evtlog_arm_cpuslocked(void);
void evtlog_disarm_cpuslocked(void);
void evtlog_arm_free_unused(void);
void evtlog_arm_cpu(unsigned int cpu);

#endif /* EVTLOG_ARM_H */
