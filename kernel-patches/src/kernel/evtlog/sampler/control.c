// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/sampler: what is sampled and how often; and the thread, in a run.
 *
 * "interval=4ms tree=1234" or "tree=all" switches it on or changes it, also in a run; "off".  What
 * is not named stays as it was.  There is a thread only while a run is recorded; without, the
 * events alone are registered and the tree is marked.
 */
#include <linux/evtlog.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/time64.h>

#include "feature.h"
#include "lineage/lineage.h"
#include "proc.h"
#include "run.h"
#include "sampler/sampler.h"

/* Guards all below and the thread's start and stop. */
static DEFINE_MUTEX(sampler_lock);
static struct sampler_settings now;
/* Of the tree: what is held; -1: none */
static int tree = -1;
/* Zeros: none is registered */
static struct sampler_events events;
/* Of the thread */
static u64 thread_run;

static void unregister_all(void)
{
	evtlog_event_unregister(events.pass);
	evtlog_event_unregister(events.cpu);
	evtlog_event_unregister(events.task);
	evtlog_event_unregister(events.policy);
	events = (struct sampler_events){ };
}

static int register_all(void)
{
	if (events.pass > 0)
		return 0;
	events.pass = evtlog_event_register("sampler_pass",
		"pass:0:8:u begin:8:8:k tasks:16:4:u cpus:20:4:u missed:24:4:u lost:28:4:u "
		"unsure:32:4:u");
	events.cpu = evtlog_event_register("sampler_cpu", "cpu:0:4:u nr_running:4:4:u");
	events.task = evtlog_event_register("sampler_task", "pid:0:4:p cpu:4:2:u prio:6:1:u state:7:1:c");
	events.policy = evtlog_event_register("sampler_policy",
		"pid:0:4:p policy:4:1:u nice:5:1:d rt_priority:6:1:u");
	if (events.pass > 0 && events.cpu > 0 && events.task > 0 && events.policy > 0)
		return 0;
	unregister_all();
	return -EBUSY;
}

static int begin_thread(void)
{
	u32 mask = tree < 0 ? EVTLOG_TREES_ALL : BIT(tree);

	thread_run = READ_ONCE(evtlog_run.run);
	return sampler_thread_start(&now, mask, &events);
}

/* As the settings and the run want it */
static int apply(void)
{
	if (sampler_thread_is_there())
		sampler_thread_stop();
	if (!now.is_on || !READ_ONCE(evtlog_run.recording))
		return 0;
	return begin_thread();
}

static void let_go(int number)
{
	if (number >= 0)
		evtlog_lineage_release(number);
}

/* The new tree is marked before the old one's mark is taken away. */
static int change(const struct sampler_settings *wanted)
{
	int new_tree = -1, old_tree = tree, error;

	if (wanted->is_on && wanted->pid != SAMPLER_PID_ALL) {
		new_tree = wanted->pid == now.pid && now.is_on ? tree :
								 evtlog_lineage_hold(wanted->pid);
		if (new_tree < 0)
			return new_tree;
	}
	error = wanted->is_on ? register_all() : 0;
	if (error) {
		if (new_tree != old_tree)
			let_go(new_tree);
		return error;
	}
	now = *wanted;
	tree = new_tree;
	error = apply();
	if (new_tree != old_tree)
		let_go(old_tree);
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

static void show_settings(struct seq_file *m)
{
	if (now.interval_ns)
		seq_printf(m, "interval=%lluns", now.interval_ns);
	else
		seq_puts(m, "interval=tick");
	if (now.pid == SAMPLER_PID_ALL)
		seq_puts(m, " tree=all");
	else
		seq_printf(m, " tree=%d", now.pid);
}

/* The first line can be written back. */
static int sampler_show(struct seq_file *m, void *unused)
{
	mutex_lock(&sampler_lock);
	if (now.is_on)
		show_settings(m);
	else
		seq_puts(m, "off");
	seq_printf(m, "\nstate %s\ntick_ns %ld\npasses %llu\nmissed %llu\nlost %llu\ntasks %u\n",
		   sampler_thread_is_there() ? "sampling" : now.is_on ? "waiting" : "off",
		   TICK_NSEC, READ_ONCE(sampler_counts.passes), READ_ONCE(sampler_counts.missed),
		   READ_ONCE(sampler_counts.lost), READ_ONCE(sampler_counts.tasks));
	mutex_unlock(&sampler_lock);
	return 0;
}

/* Without the lock: a thread that is being stopped may need a while. */
static void show_status(struct seq_file *m)
{
	if (!READ_ONCE(now.is_on))
		return;
	seq_puts(m, "sampler ");
	show_settings(m);
	seq_printf(m, " passes %llu missed %llu lost %llu tasks %u\n",
		   READ_ONCE(sampler_counts.passes), READ_ONCE(sampler_counts.missed),
		   READ_ONCE(sampler_counts.lost), READ_ONCE(sampler_counts.tasks));
}

static void follow_run(void)
{
	mutex_lock(&sampler_lock);
	if (sampler_thread_is_there() != (now.is_on && READ_ONCE(evtlog_run.recording)) ||
	    (sampler_thread_is_there() && thread_run != READ_ONCE(evtlog_run.run)))
		apply();
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
