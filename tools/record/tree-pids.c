// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the processes of a cgroup and all below it; a job is a cgroup named job_ID, as Slurm does.
 *
 * Marks nothing: see selection.c.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/error.h"
#include "common/number.h"
#include "lib/base/array.h"
#include "tree-pids.h"

#define MOUNTS	"/proc/self/mounts"

/* nftw() gives its callback no context. */
static struct tree_pids *collected;
static const char *wanted_name;
static char found_path[PATH_MAX];
static int failed;

int tree_is_choice(const char *text)
{
	uint32_t pid;

	if (!strcmp(text, "all") || !strcmp(text, "self"))
		return 1;
	if (!strncmp(text, "cgroup:", 7) || !strncmp(text, "job:", 4))
		return *(strchr(text, ':') + 1) != '\0';
	return !number_parse_u32(&pid, text, 1, INT_MAX);
}

static int add(struct tree_pids *found, pid_t pid)
{
	int error = array_reserve_more(&found->pids, &found->capacity, found->count, 1,
				       sizeof(*found->pids));

	if (!error)
		found->pids[found->count++] = pid;
	return error;
}

static int collect(const char *path, const struct stat *stat, int type, struct FTW *at)
{
	char name[PATH_MAX];
	FILE *file;
	int pid;

	if (type != FTW_D || snprintf(name, sizeof(name), "%s/cgroup.procs", path) >= PATH_MAX)
		return 0;
	file = fopen(name, "re");
	/* It may have gone meanwhile. */
	if (!file)
		return 0;
	while (!failed && fscanf(file, "%d", &pid) == 1) {
		/* 0: of a pid namespace that we do not see */
		if (pid > 0)
			failed = add(collected, pid);
	}
	fclose(file);
	return failed;
}

static int collect_below(struct tree_pids *found, const char *path)
{
	if (access(path, F_OK) < 0)
		return -errno;
	collected = found;
	failed = 0;
	if (nftw(path, collect, 16, FTW_PHYS | FTW_MOUNT) < 0)
		return -errno;
	return failed;
}

static int match_name(const char *path, const struct stat *stat, int type, struct FTW *at)
{
	if (type != FTW_D || strcmp(path + at->base, wanted_name))
		return 0;
	snprintf(found_path, sizeof(found_path), "%s", path);
	return 1;
}

/* A path of the mount's, or one from the root */
static const char *below_mount(const char *path, const char *mount)
{
	size_t length = strlen(mount);

	return !strncmp(path, mount, length) && (path[length] == '/' || !path[length]) ?
	       path + length : path;
}

static int find_cgroup(struct tree_pids *found, const char *mount, const char *choice)
{
	char path[PATH_MAX], name[NAME_MAX + 1];

	if (!strncmp(choice, "cgroup:", 7)) {
		snprintf(path, sizeof(path), "%s/%s", mount,
			 below_mount(choice + 7, mount));
		return collect_below(found, path);
	}
	snprintf(name, sizeof(name), "job_%s", choice + 4);
	wanted_name = name;
	if (nftw(mount, match_name, 16, FTW_PHYS | FTW_MOUNT) != 1)
		return -ENOENT;
	return collect_below(found, found_path);
}

/* The first hierarchy that has it: the unified one, or of any controller. */
static int find_in_mounts(struct tree_pids *found, const char *choice)
{
	FILE *mounts = setmntent(MOUNTS, "re");
	struct mntent *mount;
	int error = -ENOENT;

	if (!mounts)
		return -errno;
	while (error == -ENOENT && (mount = getmntent(mounts))) {
		if (!strncmp(mount->mnt_type, "cgroup", 6))
			error = find_cgroup(found, mount->mnt_dir, choice);
	}
	endmntent(mounts);
	return error;
}

int tree_pids_find(struct tree_pids *found, const char *choice, pid_t self)
{
	uint32_t pid;
	int error;

	*found = (struct tree_pids) { 0 };
	if (!strcmp(choice, "self")) {
		error = self ? add(found, self) : -EINVAL;
		if (error == -EINVAL)
			pr_err("--tree self: there is no command whose tasks it could be; give one, or a PID");
	} else if (!number_parse_u32(&pid, choice, 1, INT_MAX)) {
		error = add(found, pid);
	} else {
		error = find_in_mounts(found, choice);
		if (!error && !found->count)
			error = -ESRCH;
		if (error == -ENOENT)
			pr_err("--tree %s: no such cgroup in " MOUNTS, choice);
		else if (error == -ESRCH)
			pr_err("--tree %s: no process is in it", choice);
		else if (error)
			pr_err("--tree %s: %s", choice, strerror(-error));
	}
	if (error)
		tree_pids_free(found);
	return error;
}

void tree_pids_free(struct tree_pids *found)
{
	free(found->pids);
	*found = (struct tree_pids) { 0 };
}
