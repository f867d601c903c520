/* SPDX-License-Identifier: GPL-2.0-only */
/* Changes of one task by a boost, and the tasks of a group */
#ifndef EVTLOG_BOOST_TASK_H
#define EVTLOG_BOOST_TASK_H

#include "boost/boost.h"
#include "boost/table.h"

bool evtlog_boost_task_may(const struct task_struct *task);
bool evtlog_boost_task_is_limited(const struct task_struct *task);
bool evtlog_boost_policy_may(const struct evtlog_policy *policy);
void evtlog_boost_task_policy(const struct task_struct *task,
			      struct evtlog_policy *now);
bool evtlog_boost_throttles(u64 duration_ns);
int evtlog_boost_task_begin(struct task_struct *task, u32 request);
void evtlog_boost_task_renew(struct task_struct *task, u32 request);
bool evtlog_boost_task_end(struct task_struct *task, const struct evtlog_policy *before);
void evtlog_boost_task_restore_slack(struct task_struct *task,
				     const struct evtlog_policy *before);
void evtlog_boost_task_ended(struct task_struct *task, u32 request);
void evtlog_boost_task_inherit(struct task_struct *child, struct evtlog_policy *want);

/* boost/policy.c */
bool evtlog_boost_policy_needs_right(const struct evtlog_policy *now, int policy,
				     unsigned int rt_priority, bool reset_on_fork,
				     unsigned long most, bool may_renice);
void evtlog_boost_policy_learn(struct evtlog_boosted *entry, int policy,
			       unsigned int rt_priority, bool reset_on_fork, u64 slack_ns);

/* boost/group.c */
typedef bool (*evtlog_boost_visit_t)(struct task_struct *task, void *data);

int evtlog_boost_group_check(const struct evtlog_boost_request *request);
int evtlog_boost_group_visit(const struct evtlog_boost_request *request,
			     evtlog_boost_visit_t visit, void *data);

#endif /* EVTLOG_BOOST_TASK_H */
