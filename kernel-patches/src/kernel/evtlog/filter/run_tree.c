// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/run_tree: "PID" restricts runs to the tree of a process, "all" ends the restriction.
 *
 * All types of events with a task then have the tree's filter (events.c).  Hooks record nothing
 * about tasks outside (outside.h): a switch to such a task is a switch to pid 0.  A reader
 * therefore finds which task of the tree ran on a CPU at any time, or that none did, without a list
 * of the tree's tasks.  Changed between runs only.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "feature.h"
#include "filter/hook.h"
#include "lineage/lineage.h"
#include "proc.h"

/* Guards the variables below. */
static DEFINE_MUTEX(run_tree_lock);
static pid_t pid;
/* Number in lineage/; held while @pid is set. */
static unsigned int number;

static int set_all(void)
{
	int error = filter_events_set_tree(0, 0);

	if (error || !pid)
		return error;
	evtlog_lineage_release(number);
	pid = 0;
	return 0;
}

static int set_tree(pid_t nr)
{
	int wanted = evtlog_lineage_hold(nr), error;

	if (wanted < 0)
		return wanted;
	error = filter_events_set_tree(BIT(wanted), nr);
	if (error) {
		evtlog_lineage_release(wanted);
		return error;
	}
	if (pid)
		evtlog_lineage_release(number);
	pid = nr;
	number = wanted;
	return 0;
}

static int run_tree_write(char *text)
{
	int error;
	pid_t nr;

	mutex_lock(&run_tree_lock);
	if (!strcmp(text, "all"))
		error = set_all();
	else if (kstrtoint(text, 10, &nr) || nr <= 0)
		error = -EINVAL;
	else
		error = set_tree(nr);
	mutex_unlock(&run_tree_lock);
	return error;
}

static int run_tree_show(struct seq_file *m, void *unused)
{
	mutex_lock(&run_tree_lock);
	if (pid)
		seq_printf(m, "%d\n", pid);
	else
		seq_puts(m, "all\n");
	mutex_unlock(&run_tree_lock);
	return 0;
}

static const struct evtlog_proc_file files[] = {
	{ "run_tree", 0600, run_tree_show, run_tree_write },
	{ }
};

static struct evtlog_feature run_tree __ro_after_init = {
	.name = "run_tree",
	.files = files,
};
evtlog_feature(run_tree);
