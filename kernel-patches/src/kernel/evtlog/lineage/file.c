// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/evtlog/trees: "+PID" marks the tree of a process.  "+NUMBER", at least PID_MAX_LIMIT,
 * creates a tree without a process.  "=PID PID... cgroup:FD" adds processes and a cgroup to a tree.
 * "-PID" removes the mark.  A read shows the bit of each tree, which filters test: `trees&0x4`.
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

/* Guards @held: how often the file holds each tree, by its number. */
static DEFINE_MUTEX(held_lock);
static unsigned int held[EVTLOG_TREES_MAX];

static int parse_pid(const char *word, pid_t *nr)
{
	if (kstrtoint(word, 10, nr) || *nr <= 0)
		return -EINVAL;
	return 0;
}

static int check_pids(const char *text)
{
	char *copy, *rest, *word;
	int error = 0;
	pid_t nr;

	copy = rest = kstrdup(text, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	while (!error && (word = strsep(&rest, " ,")))
		error = parse_pid(word, &nr);
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
	if (nr >= PID_MAX_LIMIT && evtlog_lineage_number(nr) >= 0)
		return -EEXIST;
	number = evtlog_lineage_hold(nr);
	if (number < 0)
		return number;
	held[number]++;
	return 0;
}

/* A process that has ended meanwhile is left out. */
static int extend(char *text)
{
	char *cgroup = strstr(text, " cgroup:"), *word;
	int error, number, fd;
	pid_t nr;

	if (cgroup) {
		*cgroup = '\0';
		if (kstrtoint(cgroup + strlen(" cgroup:"), 10, &fd))
			return -EINVAL;
	}
	error = check_pids(text);
	if (error)
		return error;
	parse_pid(strsep(&text, " ,"), &nr);
	number = evtlog_lineage_number(nr);
	if (number < 0 || !held[number])
		return -ENOENT;
	while ((word = strsep(&text, " ,"))) {
		parse_pid(word, &nr);
		evtlog_lineage_extend(number, nr);
	}
	return cgroup ? evtlog_cgroup_follow(fd, BIT(number)) : 0;
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
