/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who is boosted, and what each is to get back.
 */
#ifndef EVTLOG_BOOST_TABLE_H
#define EVTLOG_BOOST_TABLE_H

#include <linux/hashtable.h>
#include <linux/types.h>

#define EVTLOG_BOOST_TASKS	1024

struct task_struct;

/* Of a task: what sched_setscheduler() changes, less nice, which a real-time task keeps. */
struct evtlog_policy {
	int policy;
	int rt_priority;
	bool reset_on_fork;
	u64 timer_slack_ns;
};

/**
 * struct evtlog_boosted - a task that is boosted, or about to be, or was until now
 * @task:	it; a reference is held
 * @command:	the last that wanted it
 * @request:	its number, for the records
 * @counted:	the last that counted it among those it holds
 * @before:	what the task gets back; valid while @boosted
 * @by:		who changes the task's policy for us at this moment
 * @changes:	how often others have changed it since it was boosted
 * @busy:	somebody changes the task: he alone uses @renew and @todo, without the lock
 * @begins:	what @by does is to give it our priority
 * @boosted:	the task has our priority, unless @changed
 * @changed:	it has another policy by now, from somebody who had the right to
 * @renew:	another command took it over: look whether it still has ours
 * @todo:	of him who made it busy
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

/* @count, @adds: entries now, and how many were ever made; read without the lock */
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
