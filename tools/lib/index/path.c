// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Paths of index files, and writing of an index file completely or not at all.
 *
 * It does not depend on the contents of an index.
 *
 * A file is written without a name if the file system supports it, otherwise under a temporary
 * name.  It gets its final name after it is on the disk.  The writer holds a lock on it, so a file
 * left by a killed writer is recognized and removed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path.h"

/* Temporary name: the file's name, a dot and this number of hexadecimal digits. */
#define SUFFIX_DIGITS	12

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The path up to its last slash, or "."; the caller frees it. */
static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : slash - path);
}

const char *index_path_distrust(int fd, const struct stat *log)
{
	struct stat stat;

	if (fstat(fd, &stat))
		return strerror(errno);
	if (stat.st_uid != geteuid() && stat.st_uid && stat.st_uid != log->st_uid)
		return "it belongs to another user than the log, and is not used";
	if (stat.st_mode & (S_IWGRP | S_IWOTH))
		return "other users may write to it, and it is not used";
	return NULL;
}

char *index_path_beside(const char *log)
{
	char *path;

	return asprintf(&path, "%s.evx", log) < 0 ? NULL : path;
}

/* Logs with the same name in different directories need different indexes. */
char *index_path_in(const char *directory, const char *log)
{
	char *real = realpath(log, NULL), *path;
	const char *name = real ? real : log;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	int length;

	for (const char *c = name; *c; c++)
		hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
	length = asprintf(&path, "%s/%.150s-%016llx.evx", directory, base_of(log),
			  (unsigned long long)hash);
	free(real);
	return length < 0 ? NULL : path;
}

char *index_path_cache(const char *log)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *directory, *path;
	int length;

	/* The XDG specification requires that relative paths are ignored. */
	if (cache && *cache == '/')
		length = asprintf(&directory, "%s/evtlog", cache);
	else if (home && *home == '/')
		length = asprintf(&directory, "%s/.cache/evtlog", home);
	else
		return NULL;
	if (length < 0)
		return NULL;
	path = index_path_in(directory, log);
	free(directory);
	return path;
}

int index_path_make_directory(const char *path)
{
	char *directory = directory_of(path);
	int error = 0;

	if (!directory)
		return -ENOMEM;
	for (char *slash = directory + 1; !error; slash++) {
		bool last = !*slash;

		if (!last && *slash != '/')
			continue;
		*slash = '\0';
		if (mkdir(directory, 0700) && errno != EEXIST)
			error = -errno;
		if (last)
			break;
		*slash = '/';
	}
	free(directory);
	return error;
}

/* Returns true if @name is the temporary name of a file for @base. */
static bool is_unfinished(const char *name, const char *base)
{
	size_t length = strlen(base);

	return !strncmp(name, base, length) && name[length] == '.' &&
	       strspn(name + length + 1, "0123456789abcdef") == SUFFIX_DIGITS &&
	       !name[length + 1 + SUFFIX_DIGITS];
}

/* Removes temporary files without a writer. */
static void clean(const char *directory, const char *base)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		int fd;

		if (!is_unfinished(entry->d_name, base))
			continue;
		fd = openat(dirfd(dir), entry->d_name,
			    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (!flock(fd, LOCK_EX | LOCK_NB))
			unlinkat(dirfd(dir), entry->d_name, 0);
		close(fd);
	}
	closedir(dir);
}

static char *unfinished_name(const char *path)
{
	uint64_t random = 0;
	char *name;

	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) != sizeof(random))
		random = (uint64_t)getpid() << 16 ^ (uintptr_t)&random;
	random &= (UINT64_C(1) << (4 * SUFFIX_DIGITS)) - 1;
	return asprintf(&name, "%s.%0*llx", path, SUFFIX_DIGITS,
			(unsigned long long)random) < 0 ? NULL : name;
}

static int create_named(struct index_draft *draft)
{
	struct stat stat;

	draft->name = unfinished_name(draft->path);
	if (!draft->name)
		return -ENOMEM;
	draft->fd = open(draft->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (draft->fd < 0)
		return -errno;
	/* Another process may have removed the file as abandoned before it was locked. */
	if (!flock(draft->fd, LOCK_EX | LOCK_NB) && !fstat(draft->fd, &stat) &&
	    !stat.st_nlink)
		return -EAGAIN;
	return 0;
}

int index_draft_new(struct index_draft *draft, const char *path)
{
	char *directory = directory_of(path);
	int error = 0;

	*draft = (struct index_draft) { .fd = -1, .path = path };
	if (!directory)
		return -ENOMEM;
	clean(directory, base_of(path));
	draft->fd = open(directory, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	if (draft->fd < 0)
		error = create_named(draft);
	else
		flock(draft->fd, LOCK_EX | LOCK_NB);
	free(directory);
	if (error)
		index_draft_drop(draft);
	return error;
}

/* Gives a file without a name a temporary name. */
static int name_draft(struct index_draft *draft)
{
	char self[32];

	draft->name = unfinished_name(draft->path);
	if (!draft->name)
		return -ENOMEM;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", draft->fd);
	if (!linkat(AT_FDCWD, self, AT_FDCWD, draft->name, AT_SYMLINK_FOLLOW))
		return 0;
	free(draft->name);
	draft->name = NULL;
	return -errno;
}

int index_draft_publish(struct index_draft *draft, unsigned int mode)
{
	int error = 0;

	if (fchmod(draft->fd, mode) || fsync(draft->fd))
		return -errno;
	if (!draft->name)
		error = name_draft(draft);
	if (!error && rename(draft->name, draft->path))
		error = -errno;
	if (error)
		return error;
	free(draft->name);
	draft->name = NULL;
	return 0;
}

void index_draft_drop(struct index_draft *draft)
{
	if (draft->name)
		unlink(draft->name);
	free(draft->name);
	draft->name = NULL;
	if (draft->fd >= 0)
		close(draft->fd);
	draft->fd = -1;
}
