// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Creates the output directory, and puts the log and the samples into it.
 *
 * Only the owner can read the directory, as its files show what runs on this machine.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/atomic-file.h"
#include "common/error.h"
#include "lib/base/io.h"
#include "run.h"

#define COPY_BYTES	(1 << 16)

static int check_empty(const char *path)
{
	DIR *listing = opendir(path);
	struct dirent *entry;
	int error = 0;

	if (!listing) {
		error = -errno;
		pr_err("%s: %s", path, strerror(-error));
		return error;
	}
	while (!error && (entry = readdir(listing)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			error = -ENOTEMPTY;
	closedir(listing);
	if (error)
		pr_err("%s: is not empty: remove it, or choose another directory with -o", path);
	return error;
}

int output_dir_make(const char *wanted, uint64_t run, char *path, bool *made)
{
	char host[HOST_NAME_MAX + 1] = "", name[HOST_NAME_MAX + 64];
	int error;

	if (!wanted) {
		gethostname(host, sizeof(host) - 1);
		snprintf(name, sizeof(name), "jitter-%s-%" PRIu64, *host ? host : "localhost", run);
		wanted = name;
	}
	*made = !mkdir(wanted, 0700);
	if (!*made && errno != EEXIST) {
		error = -errno;
		pr_err("%s: %s", wanted, strerror(-error));
		return error;
	}
	if (!realpath(wanted, path)) {
		error = -errno;
		pr_err("%s: %s", wanted, strerror(-error));
		return error;
	}
	if (*made)
		return 0;
	error = check_empty(wanted);
	/* Check now rather than after the measurement. */
	if (!error && access(path, W_OK | X_OK)) {
		error = -errno;
		pr_err("%s: %s", wanted, strerror(-error));
	}
	return error;
}

static int copy(const char *from, const char *to)
{
	char *bytes = malloc(COPY_BYTES);
	struct atomic_file output = { 0 };
	ssize_t got = -1;
	int fd, error;

	if (!bytes)
		return -ENOMEM;
	fd = open(from, O_RDONLY | O_CLOEXEC);
	error = fd < 0 ? -errno : atomic_file_new(&output, to, 0600);
	while (!error && (got = io_read(fd, bytes, COPY_BYTES)) != 0) {
		if (got < 0)
			error = got;
		else if (fwrite(bytes, 1, got, output.out) != (size_t)got)
			error = -errno;
	}
	if (!error)
		error = atomic_file_finish(&output);
	else
		atomic_file_discard(&output);
	if (fd >= 0)
		close(fd);
	free(bytes);
	return error;
}

int output_dir_bring(const char *path, const char *directory, char *to)
{
	const char *name = strrchr(path, '/');
	struct stat here, there;
	int error = 0;

	name = name ? name + 1 : path;
	if (snprintf(to, PATH_MAX, "%s/%s", directory, name) >= PATH_MAX) {
		pr_err("%s/%s: %s", directory, name, strerror(ENAMETOOLONG));
		return -ENAMETOOLONG;
	}
	if (!stat(path, &there) && !stat(to, &here) && here.st_dev == there.st_dev &&
	    here.st_ino == there.st_ino)
		return 0;
	if (link(path, to))
		error = copy(path, to);
	if (error)
		pr_err("%s: %s; the log is in %s", to, strerror(-error), path);
	return error;
}

int samples_save(const char *path, const struct samples_file *file)
{
	struct atomic_file output;
	int error = atomic_file_new(&output, path, 0600);

	if (error)
		return error;
	error = samples_write(output.out, file);
	if (!error)
		return atomic_file_finish(&output);
	atomic_file_discard(&output);
	return error;
}
