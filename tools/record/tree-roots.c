// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds a cgroup, or all cgroups of a Slurm job: one for each slurmd and each cgroup hierarchy.
 *
 * It does not mark them: see selection.c.
 */
#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/error.h"
#include "common/number.h"
#include "lib/base/array.h"
#include "selection.h"

#define MOUNTS	"/proc/self/mounts"

int tree_is_choice(const char *text)
{
	uint32_t pid;

	if (!strcmp(text, "all") || !strcmp(text, "self"))
		return 1;
	if (!strncmp(text, "cgroup:", 7) || !strncmp(text, "job:", 4))
		return *(strchr(text, ':') + 1) != '\0';
	return !number_parse_u32(&pid, text, 1, INT_MAX);
}

/* Processes of cgroups. */
struct members {
	pid_t *pids;
	size_t count, capacity;
};

static int add_pid(struct members *members, pid_t pid)
{
	int error = array_reserve_more(&members->pids, &members->capacity, members->count, 1,
				       sizeof(*members->pids));

	if (!error)
		members->pids[members->count++] = pid;
	return error;
}

/* Adds the processes of one cgroup, given by its directory. */
static int add_members(struct members *members, const char *directory)
{
	char name[PATH_MAX];
	int pid, error = 0;
	FILE *file;

	if (snprintf(name, sizeof(name), "%s/cgroup.procs", directory) >= PATH_MAX)
		return 0;
	file = fopen(name, "re");
	/* The cgroup may have been removed. */
	if (!file)
		return 0;
	while (!error && fscanf(file, "%d", &pid) == 1) {
		/* 0: a process in a pid namespace that is not visible from here. */
		if (pid > 0)
			error = add_pid(members, pid);
	}
	fclose(file);
	return error;
}

/* Calls @visit for @path and each directory below it; not below those for which it returns 1. */
static int walk(const char *path, int (*visit)(const char *directory, const char *name, void *data),
		void *data)
{
	char *const paths[] = { (char *)path, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	int result = 0;
	FTSENT *entry;

	if (!tree)
		return -errno;
	while (result >= 0 && (errno = 0, entry = fts_read(tree))) {
		if (entry->fts_info != FTS_D)
			continue;
		result = visit(entry->fts_path, entry->fts_name, data);
		if (result > 0)
			fts_set(tree, entry, FTS_SKIP);
	}
	if (result >= 0)
		result = -errno;
	fts_close(tree);
	return result;
}

static int visit_member(const char *directory, const char *name, void *data)
{
	return add_members(data, directory);
}

static int collect_below(struct members *members, const char *path)
{
	return access(path, F_OK) < 0 ? -errno : walk(path, visit_member, members);
}

/* The cgroups found so far, and their processes. */
struct finding {
	struct tree_roots *roots;
	struct members members;
};

static int add_cgroup(struct finding *finding, const char *path)
{
	struct tree_roots *roots = finding->roots;
	int error = collect_below(&finding->members, path);
	char *copy;

	if (!error)
		error = array_reserve_more(&roots->cgroups, &roots->capacity, roots->count, 1,
					   sizeof(*roots->cgroups));
	if (error)
		return error;
	copy = strdup(path);
	if (!copy)
		return -ENOMEM;
	roots->cgroups[roots->count++] = copy;
	return 0;
}

/* ---- Jobs ---- */

/*
 * @id:		as given by the user: 4711, 4711_3 of an array, 4711+1 of a heterogeneous job, or
 *		the name of a directory
 * @is_there:	a directory of the job was found
 */
struct job {
	const char *id;
	struct finding *finding;
	bool is_there;
};

static bool is_value(const char *environment, size_t length, const char *name, const char *value,
		     size_t value_length)
{
	size_t name_length = strlen(name);
	const char *end = environment + length, *at, *next;

	for (at = environment; at < end; at = next + 1) {
		next = memchr(at, '\0', end - at);
		if (!next)
			next = end;
		if ((size_t)(next - at) == name_length + 1 + value_length &&
		    !memcmp(at, name, name_length) && at[name_length] == '=' &&
		    !memcmp(at + name_length + 1, value, value_length))
			return true;
	}
	return false;
}

/* Checks the variables of a job's tasks: sbatch(1), OUTPUT ENVIRONMENT VARIABLES. */
static bool is_of_job(const char *environment, size_t length, const char *id)
{
	static const char *const parts[][3] = {
		{ "_", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID" },
		{ "+", "SLURM_HET_JOB_ID", "SLURM_HET_JOB_OFFSET" },
	};
	size_t all = strlen(id);

	if (is_value(environment, length, "SLURM_JOB_ID", id, all))
		return true;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		size_t first = strcspn(id, parts[i][0]);

		if (is_value(environment, length, parts[i][1], id, first) &&
		    (first == all || is_value(environment, length, parts[i][2], id + first + 1,
					      all - first - 1)))
			return true;
	}
	return false;
}

static bool has_environment(pid_t pid, const char *id)
{
	char name[64], *text = NULL;
	size_t capacity = 0;
	ssize_t length;
	bool is_mine = false;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/environ", pid);
	file = fopen(name, "re");
	if (!file)
		return false;
	/* EOF as delimiter: no byte has this value, so all of the file is read. */
	length = getdelim(&text, &capacity, EOF, file);
	if (length > 0)
		is_mine = is_of_job(text, length, id);
	free(text);
	fclose(file);
	return is_mine;
}

/* job_ID, or since Slurm 26.05 the job's SLUID, such as s5K1KKYAYG5D00. */
static bool names_job(const char *name)
{
	return !strncmp(name, "job_", 4) ||
	       (*name == 's' && strlen(name) == 14 &&
		strspn(name + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 13);
}

static int visit_job(const char *directory, const char *name, void *data)
{
	struct job *job = data;
	struct members members = { 0 };
	bool is_mine;
	int error;

	if (!names_job(name))
		return 0;
	is_mine = !strcmp(name, job->id) || (!strncmp(name, "job_", 4) && !strcmp(name + 4, job->id));
	error = collect_below(&members, directory);
	for (size_t i = 0; i < members.count && !is_mine; i++)
		is_mine = has_environment(members.pids[i], job->id);
	free(members.pids);
	if (is_mine && !error)
		error = add_cgroup(job->finding, directory);
	job->is_there |= is_mine && !error;
	/* Skip directories below: if two have the same name, only the upper one counts. */
	return error && error != -ENOENT ? error : 1;
}

/* ---- All hierarchies ---- */

/* @path may include the mount point. */
static const char *below_mount(const char *path, const char *mount)
{
	size_t length = strlen(mount);

	return !strncmp(path, mount, length) && (path[length] == '/' || !path[length]) ?
	       path + length : path;
}

static int find_cgroup(struct finding *finding, const char *mount, const char *choice)
{
	struct job job = { .id = choice + 4, .finding = finding };
	char path[PATH_MAX];
	int error;

	if (!strncmp(choice, "cgroup:", 7)) {
		snprintf(path, sizeof(path), "%s/%s", mount,
			 below_mount(choice + 7, mount));
		return add_cgroup(finding, path);
	}
	error = walk(mount, visit_job, &job);
	return error || job.is_there ? error : -ENOENT;
}

static int compare_pids(const void *a, const void *b)
{
	const pid_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Counts each process once: it is in every hierarchy. */
static size_t count_members(struct members *members)
{
	size_t count = 0;

	if (members->count)
		qsort(members->pids, members->count, sizeof(*members->pids), compare_pids);
	for (size_t i = 0; i < members->count; i++)
		count += !i || members->pids[i] != members->pids[i - 1];
	return count;
}

/* Searches all hierarchies, unified and of controllers: a job's directory may be empty in some. */
static int find_in_mounts(struct tree_roots *roots, const char *choice)
{
	struct finding finding = { .roots = roots };
	FILE *mounts = setmntent(MOUNTS, "re");
	bool is_there = false;
	struct mntent *mount;
	int error = 0;

	if (!mounts)
		return -errno;
	while (!error && (mount = getmntent(mounts))) {
		if (strncmp(mount->mnt_type, "cgroup", 6))
			continue;
		error = find_cgroup(&finding, mount->mnt_dir, choice);
		is_there |= !error;
		if (error == -ENOENT)
			error = 0;
	}
	endmntent(mounts);
	roots->processes = count_members(&finding.members);
	free(finding.members.pids);
	return error || is_there ? error : -ENOENT;
}

int tree_roots_find(struct tree_roots *roots, const char *choice, pid_t self)
{
	uint32_t pid;
	int error = 0;

	*roots = (struct tree_roots) { 0 };
	if (!strcmp(choice, "self")) {
		roots->pid = self;
		error = self ? 0 : -EINVAL;
		if (error)
			pr_err("--tree self: no command is given; give one, or a PID");
	} else if (!number_parse_u32(&pid, choice, 1, INT_MAX)) {
		roots->pid = pid;
	} else {
		error = find_in_mounts(roots, choice);
		if (error == -ENOENT)
			pr_err("--tree %s: no such cgroup in " MOUNTS, choice);
		else if (error)
			pr_err("--tree %s: %s", choice, strerror(-error));
	}
	if (error)
		tree_roots_free(roots);
	return error;
}

void tree_roots_free(struct tree_roots *roots)
{
	while (roots->count)
		free(roots->cgroups[--roots->count]);
	free(roots->cgroups);
	*roots = (struct tree_roots) { 0 };
}
