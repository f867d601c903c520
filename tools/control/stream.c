// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes full buffers from cpuN of /proc/evtlog, or of a named buffer, and returns them.
 *
 * Buffers are mapped, not copied.  What is taken and not returned stays in the kernel if the reader
 * is killed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "control.h"
#include "lib/base/array.h"
#include "stream.h"

static int read_number(const struct streams *streams, const char *name, size_t *number)
{
	char path[sizeof(streams->folder) + 16];
	FILE *file;
	int error = 0;

	snprintf(path, sizeof(path), "%s/%s", streams->folder, name);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	if (fscanf(file, "%zu", number) != 1)
		error = -EINVAL;
	fclose(file);
	return error;
}

/* Number and size of buffers cannot change while a stream is open. */
static int set_geometry(struct streams *streams)
{
	size_t buffers = 0, buffer_kb = 0;
	int error = read_number(streams, "buffers", &buffers);

	if (!error)
		error = read_number(streams, "buffer_kb", &buffer_kb);
	for (size_t i = 0; i < streams->count; i++)
		streams->at[i].map_bytes = buffers * buffer_kb * 1024;
	return error;
}

static int open_one(struct streams *streams, DIR *listing, const char *name, unsigned int cpu)
{
	struct stream stream = { .cpu = cpu };

	if (array_reserve(&streams->at, &streams->capacity, streams->count, sizeof(stream)))
		return -ENOMEM;
	snprintf(stream.name, sizeof(stream.name), "%.15s", name);
	stream.fd = openat(dirfd(listing), stream.name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (stream.fd < 0)
		return -errno;
	streams->at[streams->count++] = stream;
	streams->left++;
	return 0;
}

static int open_all(struct streams *streams, DIR *listing)
{
	struct dirent *entry;
	int error = 0;

	while (!error && (entry = readdir(listing))) {
		bool is_all = streams->is_named && !strcmp(entry->d_name, "all");
		unsigned int cpu = 0;
		int end = 0;

		streams->is_global |= is_all;
		if (is_all || (sscanf(entry->d_name, "cpu%u%n", &cpu, &end) == 1 &&
			       !entry->d_name[end]))
			error = open_one(streams, listing, entry->d_name, cpu);
	}
	return error;
}

int streams_open(struct streams *streams, const char *name)
{
	DIR *listing;
	int error;

	*streams = (struct streams){ .is_named = name };
	snprintf(streams->folder, sizeof(streams->folder), CONTROL_DIRECTORY "%s%s",
		 name ? "/named/" : "", name ? name : "");
	listing = opendir(streams->folder);
	if (!listing)
		return -errno;
	error = open_all(streams, listing);
	closedir(listing);
	if (error)
		return error;
	return streams->count ? set_geometry(streams) : -ENODEV;
}

static void end(struct streams *streams, struct stream *stream)
{
	close(stream->fd);
	stream->fd = -1;
	stream->is_held = false;
	streams->left--;
}

void streams_close(struct streams *streams)
{
	for (size_t i = 0; i < streams->count; i++) {
		struct stream *stream = &streams->at[i];

		if (stream->map)
			munmap((void *)(uintptr_t)stream->map, stream->map_bytes);
		if (stream->fd >= 0)
			end(streams, stream);
	}
	free(streams->at);
	streams->at = NULL;
	streams->count = streams->capacity = 0;
}

static int map_one(struct stream *stream)
{
	void *map = mmap(NULL, stream->map_bytes, PROT_READ, MAP_SHARED, stream->fd, 0);

	if (map == MAP_FAILED)
		return -errno;
	stream->map = map;
	return 0;
}

void streams_map(struct streams *streams)
{
	/* If this fails, it is repeated for the first buffer. */
	for (size_t i = 0; i < streams->count; i++)
		if (!streams->at[i].map && streams->at[i].fd >= 0)
			map_one(&streams->at[i]);
}

int streams_watch(const struct streams *streams, int epoll, uint64_t data)
{
	for (size_t i = 0; i < streams->count; i++) {
		struct epoll_event event = { .events = EPOLLIN, .data.u64 = data | i };

		if (epoll_ctl(epoll, EPOLL_CTL_ADD, streams->at[i].fd, &event) < 0)
			return -errno;
	}
	return 0;
}

/* ENOTTY: procfs has removed the file. */
static bool is_deleted(const struct streams *streams)
{
	return streams->is_named && (errno == EIO || errno == ENOTTY);
}

/* Returns 1 if a buffer is held, 0 if there is none, or -errno. */
static int take(struct streams *streams, struct stream *stream)
{
	if (stream->fd < 0)
		return 0;
	if (stream->is_held)
		return 1;
	if (ioctl(stream->fd, EVTLOG_IOC_GET, &stream->held) < 0) {
		if (errno == EAGAIN || errno == EINTR)
			return 0;
		streams->was_deleted |= is_deleted(streams);
		if (errno != ENODATA && !is_deleted(streams))
			return -errno;
		/* For runs: the CPU was never online, and has no buffers yet. */
		if (streams->is_named)
			end(streams, stream);
		return 0;
	}
	stream->is_held = true;
	return 1;
}

/* Returns NULL if the kernel's data is not a buffer of this CPU. */
static const struct evtlog_buffer_header *held_buffer(const struct stream *stream)
{
	const struct evtlog_get *held = &stream->held;
	const struct evtlog_buffer_header *buffer;

	if (held->offset > stream->map_bytes ||
	    held->used_bytes > stream->map_bytes - held->offset ||
	    held->used_bytes < sizeof(*buffer))
		return NULL;
	buffer = (const void *)(stream->map + held->offset);
	if (buffer->magic != EVTLOG_BUFFER_MAGIC || buffer->cpu != stream->cpu ||
	    buffer->used_bytes != held->used_bytes || buffer->header_bytes < sizeof(*buffer))
		return NULL;
	return buffer;
}

int stream_get(struct streams *streams, struct stream *stream,
	       const struct evtlog_buffer_header **bufferp)
{
	int result = take(streams, stream);

	if (result > 0 && !stream->map)
		result = map_one(stream) ?: 1;
	if (result <= 0)
		return result;
	*bufferp = held_buffer(stream);
	return *bufferp ? 1 : -EBADMSG;
}

int stream_put(struct streams *streams, struct stream *stream)
{
	stream->is_held = false;
	if (!ioctl(stream->fd, EVTLOG_IOC_PUT))
		return 0;
	if (!is_deleted(streams))
		return -errno;
	streams->was_deleted = true;
	end(streams, stream);
	return 0;
}

int stream_mark(const struct stream *stream, uint32_t ms)
{
	struct evtlog_watermark mark = { .ms = ms };

	return ioctl(stream->fd, EVTLOG_IOC_WATERMARK, &mark) < 0 ? -errno : 0;
}
