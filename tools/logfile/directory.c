// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens and creates the directory for files.
 *
 * It does not access the files in it.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "common/say.h"
#include "directory.h"
#include "runs.h"

static bool is_usable(const struct directory *directory)
{
	struct stat st;

	return directory->fd >= 0 && fstat(directory->fd, &st) == 0 && st.st_nlink > 0;
}

static int make_parents(const char *path)
{
	char parent[PATH_MAX];

	strcpy(parent, path);
	for (char *slash = strchr(parent + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(parent, 0755) < 0 && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return 0;
}

static int make(const char *path, const struct runs_settings *settings)
{
	/* Users who can read the files can also search the directory. */
	mode_t readers = settings->file_mode & 0044;
	mode_t mode = 0700 | readers | readers >> 2;
	int error = make_parents(path);

	if (error)
		return error;
	if (mkdir(path, mode) < 0)
		return errno == EEXIST ? 0 : -errno;
	if (settings->group != (gid_t)-1 && chown(path, -1, settings->group) < 0)
		return -errno;
	/* The configured mode applies, regardless of the umask. */
	if (chmod(path, mode) < 0)
		return -errno;
	say_info("%s: created", path);
	return 0;
}

int directory_use(struct directory *directory, const struct runs_settings *settings)
{
	int fd, error;

	if (is_usable(directory) && !strcmp(directory->path, settings->directory))
		return 0;
	fd = open(settings->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT && !settings->file) {
		error = make(settings->directory, settings);
		if (error)
			return error;
		fd = open(settings->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	if (fd < 0)
		return -errno;
	if (!settings->file && fchdir(fd) < 0) {
		error = -errno;
		close(fd);
		return error;
	}
	directory_close(directory);
	directory->fd = fd;
	strcpy(directory->path, settings->directory);
	return 0;
}

void directory_close(struct directory *directory)
{
	if (directory->fd >= 0)
		close(directory->fd);
	directory->fd = -1;
}

int directory_writable(const struct directory *directory)
{
	return faccessat(directory->fd, ".", W_OK | X_OK, AT_EACCESS) < 0 ? -errno : 0;
}

int directory_room(const struct directory *directory, unsigned int min_free_mb)
{
	struct statvfs fs;

	if (!min_free_mb || fstatvfs(directory->fd, &fs) < 0)
		return 0;
	if ((unsigned long long)fs.f_bavail * fs.f_frsize >> 20 < min_free_mb)
		return -ENOSPC;
	return 0;
}
