// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Gets full buffers from /proc/evtlog/cpuN, and returns them after they are written.
 *
 * Buffers are mapped, not copied.  If a buffer cannot be written, it is kept and no other buffer
 * is taken.  Then the kernel drops records and counts them; logd itself never drops any.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <evtlog/abi.h>

#include "drain.h"
#include "lib/base/array.h"
#include "log.h"
#include "proc.h"
#include "runs.h"

/*
 * The buffers of one CPU.
 * @map:	all buffers, read-only; NULL until the CPU has some
 * @held:	the buffer that is taken, if @is_held
 * @is_blocked:	another reader has this CPU, which has been printed
 */
struct source {
	unsigned int cpu;
	int fd;
	const char *map;
	size_t map_bytes;
	struct evtlog_get held;
	bool is_held;
	bool is_blocked;
};

struct drain {
	struct source *sources;
	unsigned int count;
	size_t capacity;
};

static int read_number(const char *path, size_t *number)
{
	FILE *file = fopen(path, "re");
	int error = 0;

	if (!file)
		return -errno;
	if (fscanf(file, "%zu", number) != 1)
		error = -EINVAL;
	fclose(file);
	return error;
}

/* Number and size of buffers cannot change while a cpuN is open: read them once. */
static int geometry_bytes(size_t *bytes)
{
	size_t buffers, buffer_kb;
	int error;

	error = read_number(KERNEL_DIRECTORY "/buffers", &buffers);
	if (!error)
		error = read_number(KERNEL_DIRECTORY "/buffer_kb", &buffer_kb);
	if (!error)
		*bytes = buffers * buffer_kb * 1024;
	return error;
}

static int open_source(struct drain *drain, unsigned int cpu)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), KERNEL_DIRECTORY "/cpu%u", cpu);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0) {
		int error = -errno;

		kernel_say_open_failed(path, error);
		return error;
	}
	if (array_reserve(&drain->sources, &drain->capacity, drain->count,
			  sizeof(*drain->sources))) {
		close(fd);
		return -ENOMEM;
	}
	drain->sources[drain->count++] = (struct source){ .cpu = cpu, .fd = fd };
	return 0;
}

static int open_sources(struct drain *drain, DIR *listing)
{
	struct dirent *entry;

	while ((entry = readdir(listing))) {
		unsigned int cpu;
		int end = 0, error;

		if (sscanf(entry->d_name, "cpu%u%n", &cpu, &end) != 1 || entry->d_name[end])
			continue;
		error = open_source(drain, cpu);
		if (error)
			return error;
	}
	return drain->count ? 0 : -ENODEV;
}

static int map_sources(struct drain *drain)
{
	size_t bytes;
	int error = geometry_bytes(&bytes);

	for (unsigned int i = 0; !error && i < drain->count; i++)
		drain->sources[i].map_bytes = bytes;
	return error;
}

int drain_open(struct drain **result)
{
	struct drain *drain = calloc(1, sizeof(*drain));
	DIR *listing;
	int error;

	if (!drain)
		return -ENOMEM;
	listing = opendir(KERNEL_DIRECTORY);
	if (!listing) {
		error = -errno;
		kernel_say_open_failed(KERNEL_DIRECTORY, error);
		goto free_drain;
	}
	error = open_sources(drain, listing);
	closedir(listing);
	if (!error)
		error = map_sources(drain);
	if (error)
		goto free_drain;
	*result = drain;
	return 0;

free_drain:
	drain_close(drain);
	return error;
}

void drain_close(struct drain *drain)
{
	if (!drain)
		return;
	for (unsigned int i = 0; i < drain->count; i++) {
		struct source *source = &drain->sources[i];

		if (source->map)
			munmap((void *)(uintptr_t)source->map, source->map_bytes);
		close(source->fd);
	}
	free(drain->sources);
	free(drain);
}

unsigned int drain_cpus(const struct drain *drain)
{
	return drain->count;
}

static int map_source(struct source *source)
{
	void *map = mmap(NULL, source->map_bytes, PROT_READ, MAP_SHARED, source->fd, 0);

	if (map == MAP_FAILED)
		return -errno;
	source->map = map;
	return 0;
}

void drain_map(struct drain *drain)
{
	/* If this fails, it is repeated for the first buffer, and the error is printed. */
	for (unsigned int i = 0; i < drain->count; i++)
		if (!drain->sources[i].map)
			map_source(&drain->sources[i]);
}

/* Returns 1 if a buffer is held, 0 if there is none, or -errno. */
static int get(struct source *source)
{
	int error;

	if (!source->is_held) {
		if (ioctl(source->fd, EVTLOG_IOC_GET, &source->held) < 0) {
			/* A CPU that was never online has no buffers. */
			if (errno == EAGAIN || errno == ENODATA || errno == EINTR)
				return 0;
			return -errno;
		}
		source->is_held = true;
		source->is_blocked = false;
	}
	if (!source->map) {
		error = map_source(source);
		if (error)
			return error;
	}
	return 1;
}

/* Returns NULL if the kernel's data is not a buffer of this CPU. */
static const struct evtlog_buffer_header *held_buffer(const struct source *source)
{
	const struct evtlog_get *held = &source->held;
	const struct evtlog_buffer_header *buffer;

	if (held->offset > source->map_bytes ||
	    held->used_bytes > source->map_bytes - held->offset ||
	    held->used_bytes < sizeof(*buffer))
		return NULL;
	buffer = (const void *)(source->map + held->offset);
	if (buffer->magic != EVTLOG_BUFFER_MAGIC || buffer->cpu != source->cpu ||
	    buffer->used_bytes != held->used_bytes || buffer->header_bytes < sizeof(*buffer))
		return NULL;
	return buffer;
}

static int put(struct source *source)
{
	source->is_held = false;
	return ioctl(source->fd, EVTLOG_IOC_PUT) < 0 ? -errno : 0;
}

static void say_blocked(struct source *source, int error)
{
	if (source->is_blocked)
		return;
	source->is_blocked = true;
	if (error == -EBUSY)
		say_error("%s/cpu%u: another process reads it and takes its buffers: stop that process",
			  KERNEL_DIRECTORY, source->cpu);
	else
		say_error("%s/cpu%u: %s", KERNEL_DIRECTORY, source->cpu, strerror(-error));
}

/*
 * Moves at most one buffer.  Returns 1 if moved, 0 if there is none, -EAGAIN if it could not be
 * written, -EBUSY if it could not be taken or returned.
 */
static int move_one(struct source *source, struct runs *runs)
{
	const struct evtlog_buffer_header *buffer;
	int result = get(source);

	/* Buffers are more important than compression. */
	if (result == -ENOMEM && runs_spare_memory(runs))
		result = get(source);
	if (result < 0)
		goto blocked;
	if (!result)
		return 0;
	buffer = held_buffer(source);
	if (!buffer)
		runs_put_unreadable(runs, source->cpu, source->held.used_bytes);
	else if (runs_put(runs, buffer))
		return -EAGAIN;
	result = put(source);
	if (result)
		goto blocked;
	return 1;

blocked:
	say_blocked(source, result);
	return -EBUSY;
}

enum drain_result drain_run(struct drain *drain, struct runs *runs, unsigned int passes)
{
	for (unsigned int pass = 0; !passes || pass < passes; pass++) {
		bool blocked = false, moved = false;

		for (unsigned int i = 0; i < drain->count; i++) {
			int result = move_one(&drain->sources[i], runs);

			if (result == -EAGAIN)
				return DRAIN_STALLED;
			blocked = blocked || result == -EBUSY;
			moved = moved || result > 0;
		}
		if (!moved)
			return blocked ? DRAIN_BLOCKED : DRAIN_EMPTY;
	}
	return DRAIN_MORE;
}
