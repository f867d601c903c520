/* SPDX-License-Identifier: GPL-2.0-only */
/* The boosted tasks, and the policies that they get back */
#ifndef EVTLOG_BOOST_TABLE_H
#define EVTLOG_BOOST_TABLE_H

#include <linux/hashtable.h>
#include <linux/types.h>

#define EVTLOG_BOOST_TASKS	1024

struct task_struct;

/* Policy of a task as sched_setscheduler() sets it; not nice, which a real-time task keeps */
struct evtlog_policy {
	int policy;
	int rt_priority;
	bool reset_on_fork;
	u64 timer_slack_ns;
};

/**
 * struct evtlog_boosted - a task that is boosted, or will be or was just now
 * @task:	the task; a reference is held
 * @command:	last command that includes the task
 * @request:	its number, for the records
 * @counted:	last command that counted the task among those it holds
 * @before:	policy that the task gets back; valid while @boosted
 * @by:		thread that changes the task's policy for the boost at this moment; or NULL
 * @changes:	number of changes by other tasks since it was boosted
 * @busy:	a thread changes the task; only this thread uses @renew and @todo, without the lock
 * @begins:	the change by @by gives the task the boost's priority
 * @boosted:	the task has the boost's priority, unless @changed
 * @changed:	another task, which had the right to, gave it another policy
 * @renew:	another command took the task over: check if it still has the boost's priority
 * @todo:	in the list of the thread that made it busy
 */
struct evtlog_boosted {
	struct hlist_node bucket;
	struct list_head list;
	struct list_head todo;
	struct task_struct *task;
	u64 command;
	u64 counted;
	u32 request;
	struct evtlog_policy before;
	struct task_struct *by;
	unsigned int changes;
	bool busy;
	bool begins;
	bool boosted;
	bool changed;
	bool renew;
};

/* @count: present entries; @adds: entries ever added.  Both are read without the lock. */
struct evtlog_boost_table {
	DECLARE_HASHTABLE(buckets, 8);
	struct list_head used;
	struct list_head unused;
	unsigned int count;
	u64 adds;
	struct evtlog_boosted *entries;
};

int evtlog_boost_table_init(struct evtlog_boost_table *table, unsigned int size);
void evtlog_boost_table_free(struct evtlog_boost_table *table);
struct evtlog_boosted *evtlog_boost_table_find(struct evtlog_boost_table *table,
					       const struct task_struct *task);
struct evtlog_boosted *evtlog_boost_table_add(struct evtlog_boost_table *table,
					      struct task_struct *task);
void evtlog_boost_table_remove(struct evtlog_boost_table *table,
			       struct evtlog_boosted *entry);

#endif /* EVTLOG_BOOST_TABLE_H */
