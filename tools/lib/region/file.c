// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Files of regions: they are whole or not there, and none of another process is replaced.
 *
 * Threads may write at the same time; there is no lock that a child could find taken.  Nothing takes
 * memory of malloc(): _exit() may be called in a handler, and saves them.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/region/file.h"
#include "lib/region/process.h"
#include "lib/region/thread.h"
#include "lib/region/wait.h"

#define NAMES_MAX	1000

/* The name that the process @mark has taken. */
struct own {
	uint32_t mark;
	char name[PATH_MAX];
};

static struct own *own;

/* A new file beside @path, for no one else to write to; its name in @part. */
static int write_part(const char *path, const struct region_process *process, char part[PATH_MAX])
{
	int fd, error;

	if (!region_process_threads() || !region_process_is_here())
		return -ENOENT;
	region_charge();
	if (snprintf(part, PATH_MAX, "%s.XXXXXX.part", path) >= PATH_MAX)
		return -ENAMETOOLONG;
	fd = mkostemps(part, strlen(".part"), O_CLOEXEC);
	if (fd < 0) {
		error = -errno;
	} else {
		error = region_write(fd, process);
		if (close(fd) && !error)
			error = -errno;
		if (error)
			unlink(part);
	}
	return error;
}

static int put_in_place(const char *part, const char *path)
{
	int error = rename(part, path) ? -errno : 0;

	if (error)
		unlink(part);
	return error;
}

int region_file_write(const char *path, const struct region_process *process)
{
	char part[PATH_MAX];
	int error = write_part(path, process, part);

	return error ? error : put_in_place(part, path);
}

/* With a file of that name, empty, to be replaced. */
static int take_name(const char *path, char name[PATH_MAX])
{
	int fd = -EEXIST;

	for (int i = 0; i < NAMES_MAX && fd == -EEXIST; i++) {
		if (snprintf(name, PATH_MAX, i ? "%s.%d" : "%s", path, i) >= PATH_MAX)
			return -ENAMETOOLONG;
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0) {
			close(fd);
			return 0;
		}
		fd = -errno;
	}
	return fd;
}

/* NULL and @error; another thread may take one at the same time. */
static const char *own_name(const char *path, int *error)
{
	struct own *old = __atomic_load_n(&own, __ATOMIC_ACQUIRE), *new;

	if (old && old->mark == region_process.mark)
		return old->name;
	new = region_memory(sizeof(*new));
	*error = new ? take_name(path, new->name) : -ENOMEM;
	if (*error) {
		if (new)
			munmap(new, sizeof(*new));
		return NULL;
	}
	new->mark = region_process.mark;
	if (__atomic_compare_exchange_n(&own, &old, new, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return new->name;
	unlink(new->name);
	munmap(new, sizeof(*new));
	return old->name;
}

/* Which reading of the regions the file has, and whether a thread is about to change that. */
static uint32_t readings, in_place;
static bool is_placing;

/* What was read before what is there by now does not take its place. */
static int put_in_order(const char *part, const char *name, uint32_t reading)
{
	int error = 0;

	/* A child of a thread that was here finds it set. */
	for (unsigned int try = 0; try < REGION_TRIES &&
	     __atomic_exchange_n(&is_placing, true, __ATOMIC_ACQUIRE); try++)
		region_wait(try);
	if ((int32_t)(reading - in_place) > 0) {
		error = put_in_place(part, name);
		if (!error)
			in_place = reading;
	} else {
		unlink(part);
	}
	__atomic_store_n(&is_placing, false, __ATOMIC_RELEASE);
	return error;
}

int region_file_save(const char *path, const struct region_process *process)
{
	uint32_t reading = __atomic_add_fetch(&readings, 1, __ATOMIC_RELAXED);
	const char *name;
	char part[PATH_MAX];
	int error = write_part(path, process, part);

	if (error)
		return error;
	name = own_name(path, &error);
	if (name)
		return put_in_order(part, name, reading);
	unlink(part);
	return error;
}
