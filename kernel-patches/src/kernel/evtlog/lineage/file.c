// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/trees: "+PID" marks the tree of a process, "+NUMBER", from PID_MAX_LIMIT on, is a tree of nobody;
 * "=PID PID cgroup:FD..." gives a tree further processes and cgroups; "-PID" takes the mark away.  Reading
 * tells the bit of each, which filters ask for: `trees&0x4`.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/threads.h>

#include "feature.h"
#include "lineage/lineage.h"
#include "proc.h"

/* Guards what is held for the file: how often, by number. */
static DEFINE_MUTEX(held_lock);
static unsigned int held[EVTLOG_TREES_MAX];

static int parse_pid(const char *word, pid_t *nr)
{
	if (kstrtoint(word, 10, nr) || *nr <= 0)
		return -EINVAL;
	return 0;
}

/* A pid, or the number of a file descriptor */
static int parse_root(const char *word, int *number, bool *is_cgroup)
{
	*is_cgroup = strstarts(word, "cgroup:");
	if (!*is_cgroup)
		return parse_pid(word, number);
	return kstrtoint(word + strlen("cgroup:"), 10, number) ? -EINVAL : 0;
}

static int check_roots(const char *text)
{
	char *copy, *rest, *word;
	int error = 0, number;
	bool is_cgroup;

	copy = rest = kstrdup(text, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	while (!error && (word = strsep(&rest, " ,")))
		error = parse_root(word, &number, &is_cgroup);
	kfree(copy);
	return error;
}

static int hold(const char *text)
{
	int error, number;
	pid_t nr;

	error = parse_pid(text, &nr);
	if (error)
		return error;
	number = nr < PID_MAX_LIMIT ? evtlog_lineage_hold(nr) : evtlog_lineage_make(nr);
	if (number < 0)
		return number;
	held[number]++;
	return 0;
}

/* A process may have ended meanwhile, and is then no root. */
static int extend(char *text)
{
	int error = check_roots(text), number, root;
	bool is_cgroup;
	char *word;

	if (error)
		return error;
	if (parse_pid(strsep(&text, " ,"), &root))
		return -EINVAL;
	number = evtlog_lineage_number(root);
	if (number < 0 || !held[number])
		return -ENOENT;
	while (!error && (word = strsep(&text, " ,"))) {
		parse_root(word, &root, &is_cgroup);
		if (is_cgroup)
			error = evtlog_lineage_follow(number, root);
		else
			evtlog_lineage_extend(number, root);
	}
	return error;
}

static int release(const char *text)
{
	int error, number;
	pid_t nr;

	error = parse_pid(text, &nr);
	if (error)
		return error;
	number = evtlog_lineage_number(nr);
	if (number < 0 || !held[number])
		return -ENOENT;
	held[number]--;
	evtlog_lineage_release(number);
	return 0;
}

static int trees_write(char *text)
{
	int error = -EINVAL;

	mutex_lock(&held_lock);
	if (*text == '+')
		error = hold(text + 1);
	else if (*text == '=')
		error = extend(text + 1);
	else if (*text == '-')
		error = release(text + 1);
	mutex_unlock(&held_lock);
	return error;
}

static int trees_show(struct seq_file *m, void *unused)
{
	evtlog_lineage_show(m);
	return 0;
}

static const struct evtlog_proc_file files[] = {
	{ "trees", 0600, trees_show, trees_write },
	{ }
};

static struct evtlog_feature lineage __ro_after_init = {
	.name = "lineage",
	.files = files,
};
evtlog_feature(lineage);
