/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads buffers of the kernel, of runs and of named buffers, without copying them.
 *
 * A folder has a stream per CPU, cpuN, or one of all CPUs, all.  Records are not decoded here.
 * Functions do not print.
 */
#ifndef EVTLOG_CONTROL_STREAM_H
#define EVTLOG_CONTROL_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/abi.h>

/*
 * @name:	of the file
 * @cpu:	0 in the stream of all CPUs
 * @fd:		-1 if the stream has ended
 * @map:	all buffers, read-only; NULL until the CPU has some
 * @held:	the buffer that is taken, if @is_held
 * @seen, @is_blocked: for the user of the stream
 */
struct stream {
	char name[16];
	unsigned int cpu;
	int fd;
	const char *map;
	size_t map_bytes;
	struct evtlog_get held;
	bool is_held, is_blocked;
	uint64_t seen;
};

/*
 * @folder:	/proc/evtlog, or the folder of a named buffer
 * @left:	number of streams that have not ended
 * @is_named:	True: a named buffer, whose streams end
 * @is_global:	True: one stream of all CPUs
 * @was_deleted: True: the named buffer was deleted before all of it was read
 */
struct streams {
	char folder[96];
	struct stream *at;
	size_t count, capacity;
	size_t left;
	bool is_named, is_global, was_deleted;
};

/**
 * streams_open() - open all streams of a folder, without taking buffers
 * @name:	of a named buffer; NULL: the buffers of runs
 *
 * Return: 0 or -errno.  Close them in both cases.
 */
int streams_open(struct streams *streams, const char *name);

/** streams_close() - a buffer that is held returns to the kernel's queue */
void streams_close(struct streams *streams);

/** streams_map() - map all existing buffers in advance, to save time at the first full one */
void streams_map(struct streams *streams);

/**
 * streams_watch() - add all streams to an epoll set
 * @data:	of the events, together with the stream's index
 *
 * A stream that ends leaves the set.  Return: 0 or -errno.
 */
int streams_watch(const struct streams *streams, int epoll, uint64_t data);

/**
 * stream_get() - take the oldest full buffer, or the one that is held, without waiting
 * @bufferp:	valid until stream_put()
 *
 * Return: 1; 0: there is none now, or the stream has ended; -EBADMSG: a buffer is held, but its
 * data is not a buffer of this CPU; -EBUSY: another process reads the stream; -errno.
 */
int stream_get(struct streams *streams, struct stream *stream,
	       const struct evtlog_buffer_header **bufferp);

/** stream_put() - return the held buffer to the kernel; returns 0 or -errno */
int stream_put(struct streams *streams, struct stream *stream);

/**
 * stream_mark() - make a CPU of a named buffer hand over what it has recorded up to now
 * @ms:		from now on, records are handed over at this age; 0: in full buffers only
 *
 * Return: 0; -EBUSY: another process reads the stream; -errno.
 */
int stream_mark(const struct stream *stream, uint32_t ms);

#endif /* EVTLOG_CONTROL_STREAM_H */
