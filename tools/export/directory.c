// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A directory of files that appears complete or not at all.
 *
 * The files are written to a hidden directory next to the final path, which is renamed at the end.
 * The writer holds a lock on it.  If the lock is free, the writer was killed: the next command
 * removes the directory.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/atomic-file.h"
#include "common/command.h"
#include "common/error.h"
#include "directory.h"

/* Parts of a hidden name: .NAME.evtlog-XXXXXX */
#define MARK		".evtlog-"
#define RANDOM		"XXXXXX"

/* Most descriptors that a directory walk holds open, one for each level */
#define WALK_DEPTH	16

int directory_check(const char *option, const char *path, const char *what)
{
	struct stat about;

	if (!*path)
		return misuse("export", "--%s: name a directory", option);
	if (!strcmp(path, "-"))
		return misuse("export", "--%s: a directory can't be written to standard output: name a directory (./- is a name)",
			      option);
	if (!lstat(path, &about)) {
		pr_err("%s: exists: name a new directory for the %s, or remove it", path, what);
		return EXIT_FAILED;
	}
	if (errno == ENOENT)
		return output_check_place(path);
	pr_err("%s: %s", path, strerror(errno));
	return EXIT_FAILED;
}

/* ---- Begin ---- */

/* The last part of @path, without trailing slashes */
static const char *last_part(const char *path, int *length)
{
	size_t end = strlen(path);
	const char *slash;

	while (end > 1 && path[end - 1] == '/')
		end--;
	slash = memrchr(path, '/', end);
	*length = path + end - (slash ? slash + 1 : path);
	return slash ? slash + 1 : path;
}

static char *temporary_path(const char *path)
{
	int length;
	const char *name = last_part(path, &length);
	char *temporary;

	if (asprintf(&temporary, "%.*s.%.*s" MARK RANDOM, (int)(name - path), path, length, name) < 0)
		return NULL;
	return temporary;
}

/*
 * Removes the content of the directory @fd and closes @fd.  Opens each entry through its parent's
 * descriptor and follows no link, so a concurrent rename cannot lead out of the directory.
 */
static void empty(int fd, unsigned int depth)
{
	DIR *list = depth ? fdopendir(fd) : NULL;
	const struct dirent *entry;

	if (!list) {
		close(fd);
		return;
	}
	while ((entry = readdir(list))) {
		int inner;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		inner = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK |
			       O_CLOEXEC);
		if (inner >= 0)
			empty(inner, depth - 1);
		if (unlinkat(fd, entry->d_name, 0) && (errno == EISDIR || errno == EPERM))
			unlinkat(fd, entry->d_name, AT_REMOVEDIR);
	}
	closedir(list);
}

/* @lock: descriptor of the directory @path; it stays open */
static void remove_all(int lock, const char *path)
{
	int fd = openat(lock, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		empty(fd, WALK_DEPTH);
	rmdir(path);
}

/* Returns true if @path still is the directory @lock: another command may have removed it. */
static bool is_at(int lock, const char *path)
{
	struct stat ours, there;

	return !fstat(lock, &ours) && !lstat(path, &there) && ours.st_ino == there.st_ino &&
	       ours.st_dev == there.st_dev;
}

/* Returns true if mkdtemp() made it for this user: directories of other users must stay. */
static bool is_ours(int lock)
{
	struct stat about;

	return !fstat(lock, &about) && about.st_uid == geteuid() && !(about.st_mode & 077);
}

/* Removes @path unless its writer has it locked.  If the file system has no locks, @path stays. */
static void remove_left(const char *path)
{
	int lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

	if (lock < 0)
		return;
	if (!is_ours(lock)) {
		close(lock);
		return;
	}
	if (!flock(lock, LOCK_EX | LOCK_NB)) {
		remove_all(lock, path);
		if (is_at(lock, path))
			pr_warn("%s: left by an export that was killed, and can't be removed: remove it", path);
		else
			pr_info("%s: left by an export that was killed: removed", path);
	} else if (errno != EWOULDBLOCK) {
		pr_warn("%s: perhaps left by an export that was killed: if no export runs, remove it", path);
	}
	close(lock);
}

/* Removes the directories of killed commands that were making the same directory. */
static void remove_all_left(const char *temporary)
{
	int length;
	const char *name = last_part(temporary, &length);
	size_t fixed = length - strlen(RANDOM);
	char *parent = strndup(temporary, name - temporary);
	DIR *list = parent ? opendir(*parent ? parent : ".") : NULL;
	const struct dirent *entry;

	while (list && (entry = readdir(list))) {
		char *path;

		if (strlen(entry->d_name) != (size_t)length || strncmp(entry->d_name, name, fixed) ||
		    asprintf(&path, "%s%s", parent, entry->d_name) < 0)
			continue;
		remove_left(path);
		free(path);
	}
	if (list)
		closedir(list);
	free(parent);
}

/* Returns 0 or -errno.  On a file system without locks, the directory is made without a lock. */
static int make_locked(struct directory *directory)
{
	for (;;) {
		directory->temporary = temporary_path(directory->path);
		if (!directory->temporary)
			return -ENOMEM;
		if (!mkdtemp(directory->temporary))
			return -errno;
		directory->lock = open(directory->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (directory->lock >= 0)
			flock(directory->lock, LOCK_EX);
		if (directory->lock >= 0 && is_at(directory->lock, directory->temporary))
			return 0;
		if (directory->lock < 0 && errno != ENOENT)
			return -errno;
		if (directory->lock >= 0)
			close(directory->lock);
		free(directory->temporary);
	}
}

int directory_begin(struct directory *directory, const char *path)
{
	char *left = temporary_path(path);
	int error;

	if (left)
		remove_all_left(left);
	free(left);
	*directory = (struct directory) { .path = path, .lock = -1 };
	error = make_locked(directory);
	if (!error)
		return EXIT_OK;
	pr_err("%s: can't be created: %s", path, strerror(-error));
	free(directory->temporary);
	directory->temporary = NULL;
	return EXIT_FAILED;
}

/* ---- End ---- */

/* Unlocks after the rename or removal: other commands remove unlocked temporary directories. */
static void end(struct directory *directory)
{
	if (directory->temporary && directory->lock >= 0)
		close(directory->lock);
	free(directory->temporary);
	directory->temporary = NULL;
}

static int sync_one(const char *path, const struct stat *about, int kind, struct FTW *at)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	int error;

	if (fd < 0)
		return -errno;
	error = fsync(fd) ? -errno : 0;
	close(fd);
	return error;
}

/*
 * Renames the directory to its final path.  Returns 0 or -errno.  On file systems without
 * RENAME_NOREPLACE, such as NFS and 9p, makes an empty directory first and renames onto this one:
 * nothing else can be replaced.
 */
static int give_name(const struct directory *directory)
{
	if (!renameat2(AT_FDCWD, directory->temporary, AT_FDCWD, directory->path, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	if (mkdir(directory->path, 0700))
		return -errno;
	if (rename(directory->temporary, directory->path)) {
		int error = -errno;

		rmdir(directory->path);
		return error;
	}
	return 0;
}

int directory_finish(struct directory *directory)
{
	int error = nftw(directory->temporary, sync_one, WALK_DEPTH, FTW_DEPTH | FTW_PHYS);

	if (error)
		return error < -1 ? error : -errno;
	error = give_name(directory);
	if (error)
		return error;
	end(directory);
	return 0;
}

void directory_discard(struct directory *directory)
{
	if (directory->temporary)
		remove_all(directory->lock, directory->temporary);
	end(directory);
}
