/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record of a task that is there already.
 */
#ifndef EVTLOG_HOOKS_TASK_H
#define EVTLOG_HOOKS_TASK_H

struct task_struct;

void evtlog_task_tell(struct task_struct *p);

#endif /* EVTLOG_HOOKS_TASK_H */
