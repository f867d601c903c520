// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/run_tree: "PID" lets runs be of the tree of a process alone, "all" of all tasks.
 *
 * Each type of events that a task has then has the tree's filter (events.c), and hooks tell nothing of
 * tasks outside (outside.h): a switch to one is a switch to pid 0.  So a reader knows for each
 * instant which task of the tree ran on a CPU, or that none did, without knowing who is of the tree.
 * Changed between runs alone.
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

/* Guards what is below. */
static DEFINE_MUTEX(run_tree_lock);
static pid_t pid;
/* Of lineage/, held while there is a @pid. */
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
