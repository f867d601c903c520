// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Has the kernel mark a tree of tasks, record its events alone, and sample it.
 *
 * What there was before is noted first, for undo.c.
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

static int mark_first(struct tree_pids *found)
{
	char text[16];
	int error = -ESRCH;

	/* The first that is still there */
	while (error == -ESRCH && found->count) {
		snprintf(text, sizeof(text), "+%d", found->pids[0]);
		error = control_write(TREES, text);
		if (error == -ESRCH)
			found->pids[0] = found->pids[--found->count];
	}
	return error;
}

static int note_sampler(struct undo *undo)
{
	char *before;
	int error = control_read(SAMPLER, &before);

	if (error)
		return say_failed(SAMPLER, error, NULL);
	before[strcspn(before, "\n")] = '\0';
	error = undo_add_tree(undo, SAMPLER, before, "off");
	free(before);
	return error;
}

static int start_sampler(const char *interval, pid_t root)
{
	char text[64], tree[16] = "all";
	int error;

	if (root)
		snprintf(tree, sizeof(tree), "%d", root);
	snprintf(text, sizeof(text), "interval=%s tree=%s", interval, tree);
	error = control_write(SAMPLER, text);
	return error ? say_failed(SAMPLER, error, error == -ESRCH ? tree : interval) : 0;
}

static int note_tree(struct undo *undo, pid_t root)
{
	char text[16];

	snprintf(text, sizeof(text), "-%d", root);
	return undo_add(undo, TREES, text);
}

static int note_run_tree(struct undo *undo, bool has_tree)
{
	char *before;
	int error = control_read(RUN_TREE, &before);

	if (error == -ENOENT && !has_tree)
		return 0;
	if (error)
		return say_failed(RUN_TREE, error, NULL);
	before[strcspn(before, "\n")] = '\0';
	error = undo_add_tree(undo, RUN_TREE, before, "all");
	free(before);
	return error;
}

/* @root: 0: of all tasks */
static int begin_tree(const struct selection_options *options, pid_t root)
{
	char text[16] = "all";
	int error;

	if (!options->has_events)
		return 0;
	if (root)
		snprintf(text, sizeof(text), "%d", root);
	error = control_write(RUN_TREE, text);
	/* This kernel knows no trees: all of its runs are of all tasks. */
	if (error == -ENOENT && !root)
		return 0;
	return error ? say_failed(RUN_TREE, error, options->tree) : 0;
}

/*
 * The mark comes first, for what is noted has to name its process; it is no harm if it stays for
 * the moment in which we might be killed.
 */
static int begin(struct undo *undo, const struct selection_options *options,
		 struct tree_pids *found)
{
	bool has_tree = options->tree && strcmp(options->tree, "all");
	int error = 0;

	if (options->interval)
		error = note_sampler(undo);
	if (!error && options->tree && options->has_events)
		error = note_run_tree(undo, has_tree);
	if (!error && has_tree) {
		error = mark_first(found);
		if (error)
			return say_failed(TREES, error, options->tree);
		error = note_tree(undo, found->pids[0]);
		if (!error)
			error = mark_rest(found, options->tree);
		if (error)
			return say_failed(TREES, error, options->tree);
	}
	if (!error)
		error = undo_guard(undo);
	if (!error && options->tree)
		error = begin_tree(options, has_tree ? found->pids[0] : 0);
	if (!error && options->interval)
		error = start_sampler(options->interval, has_tree ? found->pids[0] : 0);
	return error;
}

int selection_begin(struct undo *undo, const struct selection_options *options, pid_t self)
{
	struct tree_pids found = { 0 };
	int error = 0;

	*undo = (struct undo) { 0 };
	if (!options->tree && options->has_events)
		control_say_tree();
	if (!options->interval)
		control_say_sampler();
	control_say_marks();
	if (!options->tree && !options->interval)
		return 0;
	if (options->tree && strcmp(options->tree, "all"))
		error = tree_pids_find(&found, options->tree, self);
	if (!error) {
		error = begin(undo, options, &found);
		if (error)
			undo_now(undo);
	}
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
