/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a boost does to one task, and which tasks a group has.
 */
#ifndef EVTLOG_BOOST_TASK_H
#define EVTLOG_BOOST_TASK_H

#include <linux/types.h>

#include "boost.h"
#include "boost_table.h"

bool evtlog_boost_task_may(const struct task_struct *task);
bool evtlog_boost_policy_may(const struct evtlog_policy *policy);
bool evtlog_boost_task_is_ours(struct task_struct *task,
			       const struct evtlog_policy *before);
void evtlog_boost_task_policy(const struct task_struct *task,
			      struct evtlog_policy *now);
bool evtlog_boost_throttles(u64 duration_ns);
int evtlog_boost_task_begin(struct task_struct *task, u32 request);
void evtlog_boost_task_renew(struct task_struct *task, u32 request);
bool evtlog_boost_task_end(struct task_struct *task, u32 request,
			   const struct evtlog_policy *before);
void evtlog_boost_task_inherit(struct task_struct *child,
			       const struct evtlog_policy *before);

/* boost_group.c */
typedef bool (*evtlog_boost_visit_t)(struct task_struct *task, void *data);

int evtlog_boost_group_check(const struct evtlog_boost_request *request);
int evtlog_boost_group_visit(const struct evtlog_boost_request *request,
			     evtlog_boost_visit_t visit, void *data);

#endif /* EVTLOG_BOOST_TASK_H */
