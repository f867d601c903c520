// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Has the kernel mark a tree of tasks, record its events alone, and sample it.
 *
 * The session has what there was before.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "control/control.h"
#include "selection.h"
#include "tree-pids.h"

#define SAMPLER		"sampler"
#define TREES		"trees"
#define RUN_TREE	"run_tree"
/* Of one write, which is at most 4,096 bytes */
#define PIDS_A_WRITE	256

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
		pr_err("--tree %s: no such process; in a pid namespace trees cannot be chosen, as pids are others there",
		       what);
	else if (error == -ENOSPC)
		pr_err(CONTROL_DIRECTORY "/%s: 31 trees are marked already; take one away: echo -PID > " CONTROL_DIRECTORY "/trees",
		       file);
	else if (error == -EEXIST)
		pr_err("--tree: types of events have filters, which evtlog filter shows; delete them first: evtlog filter -d '*'");
	else if (error == -EBUSY && !strcmp(file, "run_tree"))
		pr_err("--tree: a run is recorded, or built-in events go to a named buffer, which evtlog buffer list shows: end the run or delete the buffer first");
	else if (error == -ERANGE)
		pr_err("--sample %s: the interval must be between 100us and 10s", what);
	else
		control_say_failed(file, error);
	return error;
}

static int write_more(const struct tree_pids *found, size_t from)
{
	char text[4096];
	int used = snprintf(text, sizeof(text), "=%d", found->pids[0]);

	for (size_t i = from; i < found->count && i < from + PIDS_A_WRITE; i++)
		used += snprintf(text + used, sizeof(text) - used, " %d", found->pids[i]);
	return control_write(TREES, text);
}

/*
 * Children that were forked while a cgroup was read are of a process that is marked now, or of one
 * that went: so it is read again until nobody new is in it.
 */
static int mark_rest(const struct tree_pids *found, const char *choice)
{
	struct tree_pids again;
	int error = 0;

	for (size_t i = 1; !error && i < found->count; i += PIDS_A_WRITE)
		error = write_more(found, i);
	if (error || found->count == 1 || tree_pids_find(&again, choice, 0))
		return error;
	again.pids[0] = found->pids[0];
	for (size_t i = 1; !error && i < again.count; i += PIDS_A_WRITE)
		error = write_more(&again, i);
	tree_pids_free(&again);
	return error;
}

static int mark_first(struct control_session *session, struct tree_pids *found)
{
	char text[16], undo[16];
	int error = -ESRCH;

	/* The first that is still there */
	while (error == -ESRCH && found->count) {
		snprintf(text, sizeof(text), "+%d", found->pids[0]);
		snprintf(undo, sizeof(undo), "-%d", found->pids[0]);
		error = control_session_order(session, TREES, text, undo, NULL);
		if (error == -ESRCH)
			found->pids[0] = found->pids[--found->count];
	}
	return error;
}

/* @otherwise: what it is if a tree was chosen before, whose process ends meanwhile */
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

/* @root: 0: of all tasks */
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
	/* This kernel knows no trees: all of its runs are of all tasks. */
	if (error == -ENOENT && !root)
		return 0;
	return error ? say_failed(RUN_TREE, error, options->tree) : 0;
}

static int begin(struct control_session *session, const struct selection_options *options,
		 struct tree_pids *found)
{
	bool has_tree = options->tree && strcmp(options->tree, "all");
	pid_t root = 0;
	int error = 0;

	if (has_tree) {
		error = mark_first(session, found);
		if (!error)
			error = mark_rest(found, options->tree);
		if (error)
			return say_failed(TREES, error, options->tree);
		root = found->pids[0];
	}
	if (options->tree)
		error = begin_tree(session, options, root);
	if (!error && options->interval)
		error = start_sampler(session, options->interval, root);
	return error;
}

int selection_begin(struct control_session *session, const struct selection_options *options,
		    pid_t self)
{
	struct tree_pids found = { 0 };
	int error = 0;

	if (!options->tree && options->has_events)
		control_say_tree();
	if (!options->interval)
		control_say_sampler();
	control_say_marks();
	if (!options->tree && !options->interval)
		return 0;
	if (options->tree && strcmp(options->tree, "all"))
		error = tree_pids_find(&found, options->tree, self);
	if (!error)
		error = begin(session, options, &found);
	tree_pids_free(&found);
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
	pr_err(CONTROL_DIRECTORY "/%s: the kernel has no memory for the sampler, and samples nothing: free memory, or record without --sample",
	       SAMPLER);
	return -ENOMEM;
}
