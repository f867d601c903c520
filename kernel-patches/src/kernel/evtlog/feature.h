/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Features: parts of evtlog in their own folders, which the core uses only through this structure.
 *
 * A feature's file defines one structure, __ro_after_init, and passes it to evtlog_feature().  The
 * only change in the core is one line of the Makefile: the folder.
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
 * @name:	name in messages
 * @files:	its files in /proc/evtlog; the last entry has no name.  NULL: none
 * @is_public:	some of its files are for all users; so they may search /proc/evtlog
 * @make_folder: creates the feature's own folder in @dir, /proc/evtlog, while the kernel boots.
 *		Returns 0 or -ENOMEM.  NULL: none
 * @show_status: adds lines "NAME VALUE" to /proc/evtlog/status, after the lines of features
 *		registered earlier.  Task context; the run's lock is held, so it must not start,
 *		stop or arm.  NULL: none
 * @events:	a bit for each record type that @events_on handles
 * @events_on:	called before hooks of @types, all in @events, are switched on.  Task context, may
 *		sleep; the CPU hotplug lock and the run's lock are held.  NULL: nothing to prepare
 * @run_started: called some time after a run has begun: records written now are in the run, unless
 *		it was stopped meanwhile.  Task context, may sleep; no lock is held.  It may be
 *		called for the next run before this call has returned.  NULL: none
 * @run_stopped: called after a run has ended and all CPUs have left it: nothing is recorded any
 *		more, unless the next run has begun.  Context as @run_started.  NULL: none
 * @sleeps:	@soon true: the machine is about to sleep, which the tick counter does not survive,
 *		and the run has ended.  False: it is awake again.  Task context, may sleep; no lock
 *		is held.  NULL: none
 * @next:	set by evtlog_feature_register()
 *
 * A start and a stop are one store each, possibly in the softirq of a control message, and call no
 * feature.  A feature that must be exact checks the ring of its CPU, which follows the store.
 * @run_started and @run_stopped are called soon after, by the thread that wrote to
 * /proc/evtlog/enable or by the thread for control messages.
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

/* evtlog_features_call(FUNCTION, ARGUMENT) - call a function of each feature that has it */
#define evtlog_features_call(function, ...)				\
do {									\
	const struct evtlog_feature *feature_;				\
									\
	for_each_evtlog_feature(feature_) {				\
		if (feature_->function)					\
			feature_->function(__VA_ARGS__);		\
	}								\
} while (0)

int evtlog_feature_register(struct evtlog_feature *feature);
void evtlog_features_close(void);
void evtlog_features_events_on(u64 types);

/**
 * evtlog_feature() - register a feature while the kernel boots
 * @feature:	the structure
 *
 * Features are registered in the order of the folders in the Makefile.
 */
#define evtlog_feature(feature)						\
static int __init feature##_register(void)				\
{									\
	return evtlog_feature_register(&feature);			\
}									\
device_initcall(feature##_register)

#endif /* EVTLOG_FEATURE_H */
