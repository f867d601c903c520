// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A directory of files that is there whole or not at all.
 *
 * It is filled as a hidden directory beside its place, and renamed at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "directory.h"

/* Descriptors that a walk may hold open, one for each level. */
#define WALK_DEPTH	16

int directory_check(const char *option, const char *path, const char *what)
{
	struct stat about;

	if (!*path)
		return misuse("export", "--%s: name a directory", option);
	if (!lstat(path, &about)) {
		pr_err("%s: exists: name a new directory for the %s, or remove it", path, what);
		return EXIT_FAILED;
	}
	if (errno == ENOENT)
		return EXIT_OK;
	pr_err("%s: %s", path, strerror(errno));
	return EXIT_FAILED;
}

static char *temporary_path(const char *path)
{
	size_t length = strlen(path);
	const char *slash;
	char *name;

	while (length > 1 && path[length - 1] == '/')
		length--;
	slash = memrchr(path, '/', length);
	if (asprintf(&name, "%.*s.%.*s.XXXXXX", slash ? (int)(slash + 1 - path) : 0, path,
		     (int)(path + length - (slash ? slash + 1 : path)),
		     slash ? slash + 1 : path) < 0)
		return NULL;
	return name;
}

int directory_begin(struct directory *directory, const char *path)
{
	directory->path = path;
	directory->temporary = temporary_path(path);
	if (directory->temporary && mkdtemp(directory->temporary))
		return EXIT_OK;
	pr_err("%s: can't be made: %s", path, strerror(errno));
	free(directory->temporary);
	directory->temporary = NULL;
	return EXIT_FAILED;
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

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *at)
{
	remove(path);
	return 0;
}

int directory_finish(struct directory *directory)
{
	int error = nftw(directory->temporary, sync_one, WALK_DEPTH, FTW_DEPTH | FTW_PHYS);

	if (error)
		return error < -1 ? error : -errno;
	if (renameat2(AT_FDCWD, directory->temporary, AT_FDCWD, directory->path, RENAME_NOREPLACE))
		return -errno;
	free(directory->temporary);
	directory->temporary = NULL;
	return 0;
}

void directory_discard(struct directory *directory)
{
	if (directory->temporary)
		nftw(directory->temporary, remove_one, WALK_DEPTH, FTW_DEPTH | FTW_PHYS);
	free(directory->temporary);
	directory->temporary = NULL;
}
