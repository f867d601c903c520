/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the measurement itself costs.
 */
#ifndef EVTLOG_PROFILE_COST_H
#define EVTLOG_PROFILE_COST_H

struct seq_file;

void evtlog_profile_cost_measure(void);
void evtlog_profile_cost_show(struct seq_file *m);

#endif /* EVTLOG_PROFILE_COST_H */
