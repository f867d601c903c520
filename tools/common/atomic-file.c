// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes files that have no name, or a temporary one, until they are complete.
 *
 * Stage: between the commands that write merged files, pictures and pages, and the disk.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <evtlog/file.h>

#include "atomic-file.h"
#include "command.h"
#include "error.h"

static bool is_stdout(const char *path)
{
	return !strcmp(path, "-");
}

int output_check_inputs(const char *command, const char *option, const char *path, char **logs,
			size_t count)
{
	struct stat there, log;

	if (!*path)
		return misuse(command, "%s: the file's name is empty", option);
	if (stat(path, &there))
		return EXIT_OK;
	for (size_t i = 0; i < count; i++)
		if (!stat(logs[i], &log) && log.st_dev == there.st_dev &&
		    log.st_ino == there.st_ino)
			return misuse(command, "%s: %s: is also an input file; name another file", option, path);
	return EXIT_OK;
}

static bool is_of_system(const char *path)
{
	return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6);
}

/* A link such as /dev/stdout: a new file would replace it. */
static bool is_link_of_system(const char *path)
{
	struct stat link;

	return is_of_system(path) && !lstat(path, &link) && S_ISLNK(link.st_mode);
}

/* A log cannot be made again.  As the output it is a mistake: the output's name was forgotten. */
static bool is_log(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	uint64_t magic = 0;

	if (fd < 0)
		return false;
	if (read(fd, &magic, sizeof(magic)) != sizeof(magic))
		magic = 0;
	close(fd);
	return magic == EVTLOG_FILE_MAGIC;
}

int output_check_place(const char *path)
{
	size_t length = strlen(path);
	struct stat there;
	const char *slash;
	char *directory;
	int error = 0;

	/* Files that are written in place need no new name. */
	if (is_stdout(path) || is_of_system(path) || (!stat(path, &there) && !S_ISREG(there.st_mode)))
		return EXIT_OK;
	while (length > 1 && path[length - 1] == '/')
		length--;
	slash = memrchr(path, '/', length);
	directory = slash ? strndup(path, slash - path + 1) : strdup(".");
	if (!directory)
		error = -ENOMEM;
	else if (faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS))
		error = -errno;
	free(directory);
	if (!error)
		return EXIT_OK;
	pr_err("%s: %s; name a file that can be written", path, strerror(-error));
	return EXIT_FAILED;
}

int output_check(const char *command, const char *option, const char *path, char **logs,
		 size_t count)
{
	struct stat there;

	if (is_stdout(path)) {
		if (!isatty(STDOUT_FILENO))
			return EXIT_OK;
		return misuse(command, "%s -: standard output is a terminal: give a file's name, or a pipe",
			      option);
	}
	if (stat(path, &there)) {
		int status = output_check_inputs(command, option, path, logs, count);

		return status == EXIT_OK ? output_check_place(path) : status;
	}
	if (!S_ISREG(there.st_mode))
		return misuse(command, "%s: %s: is not a regular file", option, path);
	if (is_link_of_system(path))
		return misuse(command, "%s: %s: is a symbolic link of the system; for standard output, give -",
			      option, path);
	if (output_check_inputs(command, option, path, logs, count) != EXIT_OK)
		return EXIT_MISUSE;
	if (is_log(path))
		return misuse(command, "%s: %s: is a log and would be overwritten: name another file, or delete the log first",
			      option, path);
	return output_check_place(path);
}

/*
 * Devices, named pipes and links to them are written in place.  Those of another user are
 * refused, because they may be a trap, such as a link to a disk.  Those in /dev and /proc are
 * trusted.
 *
 * Return: 1 if written in place, 0 if not, -EPERM if refused.
 */
static int is_to_stay(const char *path, struct stat *link)
{
	struct stat there;

	if (lstat(path, link) || stat(path, &there))
		return 0;
	if (S_ISREG(there.st_mode))
		return is_link_of_system(path);
	return is_of_system(path) || link->st_uid == geteuid() ? 1 : -EPERM;
}

/* @link: from lstat(); the open fails with -EPERM if another file is at @path now */
static int open_in_place(const char *path, const struct stat *link)
{
	bool follows = S_ISLNK(link->st_mode);
	int fd = open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW));
	struct stat now;

	if (fd < 0)
		return -errno;
	if (!follows && (fstat(fd, &now) || now.st_dev != link->st_dev || now.st_ino != link->st_ino)) {
		close(fd);
		return -EPERM;
	}
	return fd;
}

static int open_unnamed(const char *path, mode_t mode)
{
	const char *slash = strrchr(path, '/');
	char *directory;
	int fd;

	/* The file gets its name through /proc/self/fd. */
	if (access("/proc/self/fd", X_OK))
		return -1;
	directory = slash ? strndup(path, slash - path + 1) : strdup(".");
	if (!directory)
		return -1;
	fd = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
	free(directory);
	return fd;
}

static int open_named(struct atomic_file *file, mode_t mode)
{
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	if (asprintf(&file->temporary, "%s.XXXXXX", file->path) < 0) {
		file->temporary = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(file->temporary, O_CLOEXEC);
	if (fd < 0) {
		fd = -errno;
		free(file->temporary);
		file->temporary = NULL;
	} else if (fchmod(fd, mode & ~mask)) {
		int error = -errno;

		close(fd);
		fd = error;
	}
	return fd;
}

/*
 * A new file gets the mode of the file that it replaces, regardless of the umask.  It does not
 * if another user owns the old file, who may have put it there to read the output.
 */
static int keep_mode(int fd, const char *path)
{
	struct stat there;

	/* The mode of a link's target is not used either. */
	if (lstat(path, &there) || !S_ISREG(there.st_mode) || there.st_uid != geteuid())
		return 0;
	return fchmod(fd, there.st_mode & 0777) ? -errno : 0;
}

int atomic_file_new(struct atomic_file *file, const char *path, mode_t mode)
{
	struct stat link;
	int fd, error, stays;

	memset(file, 0, sizeof(*file));
	file->path = path;
	if (is_stdout(path)) {
		file->out = stdout;
		return 0;
	}
	stays = is_to_stay(path, &link);
	if (stays < 0)
		return stays;
	file->is_in_place = stays;
	fd = stays ? open_in_place(path, &link) : open_unnamed(path, mode);
	if (fd < 0 && !stays)
		fd = open_named(file, mode);
	error = fd < 0 ? fd : file->is_in_place ? 0 : keep_mode(fd, path);
	if (!error) {
		file->out = fdopen(fd, "w");
		if (file->out)
			return 0;
		error = -ENOMEM;
	}
	if (fd >= 0)
		close(fd);
	atomic_file_discard(file);
	return error;
}

/* linkat() cannot replace a file, so the file first gets an unused name. */
static int give_name(struct atomic_file *file)
{
	char *from, *to;
	int error = 0;

	if (asprintf(&from, "/proc/self/fd/%d", fileno(file->out)) < 0)
		return -ENOMEM;
	do {
		uint64_t number;

		if (getrandom(&number, sizeof(number), 0) != sizeof(number)) {
			error = -errno;
			break;
		}
		if (asprintf(&to, "%s.%016" PRIx64, file->path, number) < 0) {
			error = -ENOMEM;
			break;
		}
		error = linkat(AT_FDCWD, from, AT_FDCWD, to, AT_SYMLINK_FOLLOW) ? -errno : 0;
		if (!error)
			file->temporary = to;
		else
			free(to);
	} while (error == -EEXIST);
	free(from);
	return error;
}

static int finish_file(struct atomic_file *file, bool syncs)
{
	bool standard = file->out == stdout, is_new = !standard && !file->is_in_place;
	int error = 0;

	errno = 0;
	if (fflush(file->out) || ferror(file->out) ||
	    (is_new && syncs && fsync(fileno(file->out))))
		error = errno ? -errno : -EIO;
	if (is_new && !error && !file->temporary)
		error = give_name(file);
	if (!standard && fclose(file->out) && !error)
		error = errno ? -errno : -EIO;
	file->out = NULL;
	if (is_new && !error && rename(file->temporary, file->path))
		error = -errno;
	if (file->temporary && error)
		unlink(file->temporary);
	free(file->temporary);
	file->temporary = NULL;
	return error;
}

int atomic_file_finish(struct atomic_file *file)
{
	return finish_file(file, true);
}

int atomic_file_replace(struct atomic_file *file)
{
	return finish_file(file, false);
}

void atomic_file_discard(struct atomic_file *file)
{
	if (file->out && file->out != stdout)
		fclose(file->out);
	file->out = NULL;
	if (file->temporary)
		unlink(file->temporary);
	free(file->temporary);
	file->temporary = NULL;
}

static int say_failed(const struct atomic_file *file, int error)
{
	pr_err("%s: %s", is_stdout(file->path) ? "standard output" : file->path,
	       strerror(-error));
	return EXIT_FAILED;
}

int atomic_file_open(struct atomic_file *file, const char *path)
{
	int error = atomic_file_new(file, path, 0600);

	return error ? say_failed(file, error) : EXIT_OK;
}

int atomic_file_close(struct atomic_file *file, int error)
{
	if (error)
		atomic_file_discard(file);
	else
		error = atomic_file_finish(file);
	return error ? say_failed(file, error) : EXIT_OK;
}
