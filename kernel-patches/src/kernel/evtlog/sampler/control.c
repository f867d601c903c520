// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/sampler: which tasks are sampled and how often; and the thread, during a run.
 *
 * "interval=4ms tree=1234" or "tree=all" turns it on or changes it, also during a run; or "off".
 * While it is on, other settings keep their values; a refused line changes nothing.  The thread
 * exists only during a run; otherwise, the events are registered and the tree is marked.
 */
#include <linux/errno.h>
#include <linux/evtlog.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>
#include <linux/time64.h>

#include "feature.h"
#include "lineage/lineage.h"
#include "proc.h"
#include "run.h"
#include "sampler/sampler.h"

/* Guards all variables below, and the start and stop of the thread. */
static DEFINE_MUTEX(sampler_lock);
/* Also guards @now, for status: it may take a while to stop a thread. */
static DEFINE_SPINLOCK(now_lock);
static struct sampler_settings now;
/* Number of the tree that is held; -1: none */
static int tree = -1;
/* Zeros: not registered */
static struct sampler_events events;
/* Run of the thread */
static u64 thread_run;

static void unregister_all(void)
{
	evtlog_event_unregister(events.pass);
	evtlog_event_unregister(events.cpu);
	evtlog_event_unregister(events.task);
	evtlog_event_unregister(events.policy);
	events = (struct sampler_events){ };
}

static int register_one(int *id, const char *name, const char *fields)
{
	*id = evtlog_event_register(name, fields);
	return min(*id, 0);
}

static int register_all(void)
{
	int error;

	if (events.pass > 0)
		return 0;
	error = register_one(&events.pass, "sampler_pass",
			     "pass:0:8:u begin:8:8:k tasks:16:4:u cpus:20:4:u missed:24:4:u "
			     "lost:28:4:u unsure:32:4:u");
	if (!error)
		error = register_one(&events.cpu, "sampler_cpu", "cpu:0:4:u nr_running:4:4:u");
	if (!error)
		error = register_one(&events.task, "sampler_task",
				     "pid:0:4:p cpu:4:2:u prio:6:1:u state:7:1:c");
	if (!error)
		error = register_one(&events.policy, "sampler_policy",
				     "pid:0:4:p policy:4:1:u nice:5:1:d rt_priority:6:1:u");
	if (error)
		unregister_all();
	return error;
}

static int begin_thread(void)
{
	u32 mask = tree < 0 ? EVTLOG_TREES_ALL : BIT(tree);

	thread_run = READ_ONCE(evtlog_run.run);
	return sampler_thread_start(&now, mask, &events);
}

/* Starts or stops the thread according to the settings and the run. */
static int apply(void)
{
	if (sampler_thread_is_there())
		sampler_thread_stop();
	if (!now.is_on || !READ_ONCE(evtlog_run.recording))
		return 0;
	return begin_thread();
}

static void say_stopped(void)
{
	pr_err("evtlog: sampler: not enough memory; nothing is sampled until its settings are written again\n");
}

static void let_go(int number)
{
	if (number >= 0)
		evtlog_lineage_release(number);
}

/*
 * Holds the wanted tree once; -1: none.  A pid may belong to another process meanwhile: it means
 * the process that has it now or, if there is none, the tree that the previous process has left.
 */
static int hold_tree(const struct sampler_settings *wanted, int *wanted_tree)
{
	bool is_same = now.is_on && wanted->pid == now.pid;
	int number;

	*wanted_tree = is_same ? tree : -1;
	if (!wanted->is_on || wanted->pid == SAMPLER_PID_ALL || (is_same && !wanted->names_tree))
		return 0;
	number = evtlog_lineage_hold(wanted->pid);
	if (number < 0)
		return number == -ESRCH && is_same ? 0 : number;
	if (number == tree)
		evtlog_lineage_release(number);
	*wanted_tree = number;
	return 0;
}

static int set(const struct sampler_settings *wanted, int wanted_tree)
{
	spin_lock(&now_lock);
	now = *wanted;
	spin_unlock(&now_lock);
	tree = wanted_tree;
	return apply();
}

/* Marks the new tree before it removes the old tree's mark. */
static int change(const struct sampler_settings *wanted)
{
	const struct sampler_settings before = now;
	int old_tree = tree, new_tree, error;

	error = hold_tree(wanted, &new_tree);
	if (error)
		return error;
	error = wanted->is_on ? register_all() : 0;
	if (!error) {
		error = set(wanted, new_tree);
		if (error && set(&before, old_tree))
			say_stopped();
	}
	if (new_tree != old_tree)
		let_go(error ? new_tree : old_tree);
	if (!now.is_on)
		unregister_all();
	return error;
}

static int sampler_write(char *text)
{
	struct sampler_settings wanted;
	int error;

	mutex_lock(&sampler_lock);
	wanted = now;
	error = sampler_parse(text, &wanted);
	if (!error)
		error = change(&wanted);
	mutex_unlock(&sampler_lock);
	return error;
}

/* In the largest unit in which it is a whole number */
static void show_interval(struct seq_file *m, u64 ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	unsigned int i = 0;

	if (!ns) {
		seq_puts(m, "interval=tick");
		return;
	}
	while (i < ARRAY_SIZE(units) - 1 && !(ns % 1000)) {
		ns /= 1000;
		i++;
	}
	seq_printf(m, "interval=%llu%s", ns, units[i]);
}

static void show_settings(struct seq_file *m, const struct sampler_settings *settings)
{
	show_interval(m, settings->interval_ns);
	if (settings->pid == SAMPLER_PID_ALL)
		seq_puts(m, " tree=all");
	else
		seq_printf(m, " tree=%d", settings->pid);
}

static const char *state_name(void)
{
	if (sampler_thread_is_there())
		return "sampling";
	if (!now.is_on)
		return "off";
	return READ_ONCE(evtlog_run.recording) ? "failed" : "waiting";
}

/* The first line has all settings, and can be written back; other lines are a name and a value. */
static int sampler_show(struct seq_file *m, void *unused)
{
	mutex_lock(&sampler_lock);
	if (now.is_on)
		show_settings(m, &now);
	else
		seq_puts(m, "off");
	seq_printf(m, "\nstate %s\ntick_ns %ld\npasses %llu\nmissed %llu\nlost %llu\ntasks %u\n",
		   state_name(), TICK_NSEC, READ_ONCE(sampler_counts.passes),
		   READ_ONCE(sampler_counts.missed), READ_ONCE(sampler_counts.lost),
		   READ_ONCE(sampler_counts.tasks));
	mutex_unlock(&sampler_lock);
	return 0;
}

static void show_status(struct seq_file *m)
{
	struct sampler_settings settings;

	spin_lock(&now_lock);
	settings = now;
	spin_unlock(&now_lock);
	if (!settings.is_on)
		return;
	seq_puts(m, "sampler ");
	show_settings(m, &settings);
	seq_printf(m, " passes %llu missed %llu lost %llu tasks %u\n",
		   READ_ONCE(sampler_counts.passes), READ_ONCE(sampler_counts.missed),
		   READ_ONCE(sampler_counts.lost), READ_ONCE(sampler_counts.tasks));
}

static void follow_run(void)
{
	mutex_lock(&sampler_lock);
	if (sampler_thread_is_there() != (now.is_on && READ_ONCE(evtlog_run.recording)) ||
	    (sampler_thread_is_there() && thread_run != READ_ONCE(evtlog_run.run))) {
		if (apply())
			say_stopped();
	}
	mutex_unlock(&sampler_lock);
}

static const struct evtlog_proc_file files[] = {
	{ "sampler", 0600, sampler_show, sampler_write },
	{ }
};

static struct evtlog_feature sampler __ro_after_init = {
	.name = "sampler",
	.files = files,
	.show_status = show_status,
	.run_started = follow_run,
	.run_stopped = follow_run,
};
evtlog_feature(sampler);
