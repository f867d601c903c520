/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Features: parts of evtlog in a folder of their own, which the core knows by this structure
 * alone.
 *
 * A feature's file defines one, __ro_after_init, and names it to evtlog_feature().  Nothing
 * in the core has to be changed for it but one line of the Makefile: its folder.
 */
#ifndef EVTLOG_FEATURE_H
#define EVTLOG_FEATURE_H

#include <linux/init.h>
#include <linux/types.h>

struct evtlog_proc_file;
struct proc_dir_entry;
struct seq_file;

/**
 * struct evtlog_feature - what a part of evtlog adds to the core
 * @name:	for messages about it
 * @files:	its files in /proc/evtlog; the last has no name.  NULL: none
 * @is_public: some of its files are for all users, who may go through /proc/evtlog to them
 * @make_folder: makes a folder of its own in /proc/evtlog, which is given, while the kernel boots.
 *		Return: 0 or -ENOMEM.  NULL: none
 * @show_status: adds lines to /proc/evtlog/status, each "NAME VALUE", behind those of features
 *		that were registered before.  Task context; the run's lock is held, so that it
 *		must neither start nor stop nor arm.  NULL: none
 * @events:	a bit for each record type that @events_on is for
 * @events_on:	the hooks of @types, all among @events, are off and about to be switched on.
 *		Task context, may sleep; the CPU hotplug lock and the run's lock are held.
 *		NULL: nothing is to be prepared
 * @run_started: a run has begun, some time ago: what is written now is recorded, unless the
 *		run was stopped meanwhile.  Task context, may sleep; no lock is held, and the
 *		same may be called for the next run before it has returned.  NULL: none
 * @run_stopped: a run has ended and all CPUs have left it: nothing is recorded any more,
 *		unless the next run has begun.  Context as @run_started.  NULL: none
 * @sleeps:	@soon: the machine is about to sleep, which the tick counter does not survive, and the
 *		run has ended; else it is awake again.  Task context, may sleep; no lock is held.
 *		NULL: none
 * @next:	set by evtlog_feature_register()
 *
 * Start and stop themselves, one store each, call nobody: they may come in the softirq of a
 * control message.  What is to be exact to the instant looks at the ring of its CPU, which
 * follows the store; @run_started and @run_stopped are called soon after, by the thread that
 * wrote to /proc/evtlog/enable or by that of control messages.
 */
struct evtlog_feature {
	const char *name;
	const struct evtlog_proc_file *files;
	bool is_public;
	int (*make_folder)(struct proc_dir_entry *dir);
	void (*show_status)(struct seq_file *m);
	u64 events;
	void (*events_on)(u64 types);
	void (*run_started)(void);
	void (*run_stopped)(void);
	void (*sleeps)(bool soon);
	struct evtlog_feature *next;
};

extern struct evtlog_feature *evtlog_features;

#define for_each_evtlog_feature(feature) \
	for (feature = evtlog_features; feature; feature = feature->next)

int evtlog_feature_register(struct evtlog_feature *feature);
void evtlog_features_close(void);
void evtlog_features_show_status(struct seq_file *m);
void evtlog_features_events_on(u64 types);
void evtlog_features_run_started(void);
void evtlog_features_run_stopped(void);
void evtlog_features_sleep(bool soon);

/**
 * evtlog_feature() - register a feature while the kernel boots
 * @feature:	the structure
 *
 * In the order of the folders in the Makefile.
 */
#define evtlog_feature(feature)						\
static int __init feature##_register(void)				\
{									\
	return evtlog_feature_register(&feature);			\
}									\
device_initcall(feature##_register)

#endif /* EVTLOG_FEATURE_H */
