// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Marks a tree of tasks in the kernel, limits the run to its events, and samples it.
 *
 * The session stores the earlier settings.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <evtlog/abi.h>

#include "common/error.h"
#include "control/control.h"
#include "selection.h"

#define SAMPLER		"sampler"
#define TREES		"trees"
#define RUN_TREE	"run_tree"
/* Numbers of trees without a process are larger than any pid. */
#define FIRST_NUMBER	(1 << EVTLOG_PID_BITS)

bool selection_interval_is_valid(const char *text)
{
	static const char *const units[] = { "Hz", "ns", "us", "ms", "s" };
	char *unit;

	if (!strcmp(text, "tick"))
		return true;
	if (*text < '1' || *text > '9')
		return false;
	errno = 0;
	strtoull(text, &unit, 10);
	if (errno)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(unit, units[i]))
			return true;
	return false;
}

static int say_failed(const char *file, int error, const char *what)
{
	if (error == -ENOENT)
		pr_err(CONTROL_DIRECTORY "/%s: this kernel cannot mark or sample trees of tasks; build it with CONFIG_EVTLOG_SAMPLER",
		       file);
	else if (error == -ESRCH)
		pr_err("--tree %s: no such process; in a pid namespace trees cannot be chosen, because its pids differ",
		       what);
	else if (error == -ENODEV)
		pr_err("--tree %s: the cgroup was removed", what);
	else if (error == -ENOSPC)
		pr_err(CONTROL_DIRECTORY "/%s: 31 trees are marked already; remove one: echo -NUMBER > " CONTROL_DIRECTORY "/trees",
		       file);
	else if (error == -EEXIST)
		pr_err("--tree: types of events have filters, which evtlog filter shows; delete them first: evtlog filter del '*'");
	else if (error == -EBUSY && !strcmp(file, "run_tree"))
		pr_err("--tree: a run is recorded, or built-in events go to a named buffer, which evtlog buffer list shows: end the run or delete the buffer first");
	else if (error == -ERANGE)
		pr_err("--sample %s: the interval must be between 100us and 10s", what);
	else
		control_say_failed(file, error);
	return error;
}

static int mark_cgroup(pid_t tree, const char *directory)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), error;
	char text[64];

	if (fd < 0)
		return -errno;
	snprintf(text, sizeof(text), "=%d cgroup:%d", tree, fd);
	error = control_write(TREES, text);
	close(fd);
	return error;
}

/* Some of the cgroups may have been removed since they were found. */
static int mark_cgroups(const struct tree_roots *roots, pid_t tree)
{
	size_t gone = 0;

	for (size_t i = 0; i < roots->count; i++) {
		int error = mark_cgroup(tree, roots->cgroups[i]);

		if (error && error != -ENOENT && error != -ENODEV)
			return error;
		gone += error != 0;
	}
	return gone && gone == roots->count ? -ENODEV : 0;
}

/* Returns the pid of @root, the number of a new tree without a process, or -errno. */
static pid_t make_tree(struct control_session *session, pid_t root)
{
	pid_t tree = root ? root : FIRST_NUMBER + getpid();
	char text[16], undo[16];
	int error;

	do {
		snprintf(text, sizeof(text), "+%d", tree);
		snprintf(undo, sizeof(undo), "-%d", tree);
		error = control_session_order(session, TREES, text, undo, NULL);
	} while (error == -EEXIST && ++tree);
	return error ? error : tree;
}

/* @otherwise: what to restore if the process of the earlier tree has ended */
static int set_from(struct control_session *session, const char *file, const char *text,
		    const char *otherwise)
{
	char *before;
	int error = control_read(file, &before);

	if (error)
		return error;
	before[strcspn(before, "\n")] = '\0';
	error = control_session_order(session, file, text, before, otherwise);
	free(before);
	return error;
}

static int start_sampler(struct control_session *session, const char *interval, pid_t root)
{
	char text[64], tree[16] = "all";
	int error;

	if (root)
		snprintf(tree, sizeof(tree), "%d", root);
	snprintf(text, sizeof(text), "interval=%s tree=%s", interval, tree);
	error = set_from(session, SAMPLER, text, "off");
	return error ? say_failed(SAMPLER, error, error == -ESRCH ? tree : interval) : 0;
}

/* @root: 0 for all tasks */
static int begin_tree(struct control_session *session, const struct selection_options *options,
		      pid_t root)
{
	char text[16] = "all";
	int error;

	if (!options->has_events)
		return 0;
	if (root)
		snprintf(text, sizeof(text), "%d", root);
	error = set_from(session, RUN_TREE, text, "all");
	/* Kernels without trees always record all tasks. */
	if (error == -ENOENT && !root)
		return 0;
	return error ? say_failed(RUN_TREE, error, options->tree) : 0;
}

static int begin(struct control_session *session, const struct selection_options *options,
		 const struct tree_roots *roots)
{
	pid_t tree = 0;
	int error = 0;

	if (options->tree && strcmp(options->tree, "all")) {
		tree = make_tree(session, roots->pid);
		error = tree < 0 ? tree : mark_cgroups(roots, tree);
		if (error)
			return say_failed(TREES, error, options->tree);
	}
	if (options->tree)
		error = begin_tree(session, options, tree);
	if (!error && options->interval)
		error = start_sampler(session, options->interval, tree);
	return error;
}

int selection_begin(struct control_session *session, const struct selection_options *options,
		    pid_t self)
{
	struct tree_roots roots = { 0 };
	int error = 0;

	if (!options->tree && options->has_events)
		control_say_tree();
	if (!options->interval)
		control_say_sampler();
	control_say_marks();
	if (!options->tree && !options->interval)
		return 0;
	if (options->tree && strcmp(options->tree, "all"))
		error = tree_roots_find(&roots, options->tree, self);
	if (!error)
		error = begin(session, options, &roots);
	tree_roots_free(&roots);
	return error;
}

int selection_check(const struct selection_options *options)
{
	bool has_failed;
	char *text;

	if (!options->interval || control_read(SAMPLER, &text))
		return 0;
	has_failed = strstr(text, "\nstate failed\n");
	free(text);
	if (!has_failed)
		return 0;
	pr_err(CONTROL_DIRECTORY "/%s: the kernel has no memory for the sampler and does not sample: free memory, or record without --sample",
	       SAMPLER);
	return -ENOMEM;
}
