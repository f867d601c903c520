/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The events of several hosts in the order of one timeline.
 *
 * Stage: between related clocks (clocksync.h) and programs that show events of many hosts.  It does
 * not relate clocks and does not write files: `evtlog dump -o` does.
 */
#ifndef EVTLOG_HOST_MERGE_H
#define EVTLOG_HOST_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/event.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evtlog_file;
struct evtlog_clocksync;
struct evtlog_host_merge;

/**
 * struct evtlog_host_event - an event on the common timeline
 * @time_ns: time on the timeline; never decreases from one event to the next
 * @from_ns: GAP only: start of the gap on the timeline
 * @bound_ns: error of @time_ns, plus or minus; UINT64_MAX if unknown
 * @file: number of the event's file
 * @event: event as in the stream of its file, with times of its own host
 */
struct evtlog_host_event {
	int64_t time_ns;
	int64_t from_ns;
	uint64_t bound_ns;
	size_t file;
	const struct evtlog_event *event;
};

/* Default of @memory_bytes. */
#define EVTLOG_MERGE_MEMORY_BYTES	(96u << 20)

/**
 * struct evtlog_host_merge_options - options; all zero is valid
 * @memory_bytes: total memory for buffers; 0: EVTLOG_MERGE_MEMORY_BYTES.  If the buffers of all
 *	CPUs need more, only pieces of at least 4 KiB are in memory
 * @wanted: for each file, true to read it; NULL: read all
 */
struct evtlog_host_merge_options {
	size_t memory_bytes;
	const bool *wanted;
};

/**
 * evtlog_host_merge_new() - merge the events of several hosts in the order of the common timeline
 * @clocksync: the related clocks of @files; must outlive the merge
 * @files: the files that @clocksync was made from, in the same order; until the merge is freed,
 *	only its thread may read them
 * @count: number of @files
 * @options: may be NULL
 * @mergep: where the merge is stored; free it with evtlog_host_merge_free()
 *
 * Events at the same ns are sorted by host name, boot and run, then by CPU.  The result does not
 * depend on the order of the files.
 * If only pieces of buffers are in memory, decompressed buffers are stored in an unnamed file in
 * $TMPDIR, else in /var/tmp, else in /tmp: up to one buffer per CPU.
 *
 * Return: 0; -ENOMEM; -ENOSPC no space for that file; -errno of open() or read().
 */
int evtlog_host_merge_new(const struct evtlog_clocksync *clocksync,
			  struct evtlog_file *const *files, size_t count,
			  const struct evtlog_host_merge_options *options,
			  struct evtlog_host_merge **mergep);

/**
 * evtlog_host_merge_free() - free a merge
 * @merge: NULL is allowed
 */
void evtlog_host_merge_free(struct evtlog_host_merge *merge);

/**
 * evtlog_host_merge_next() - read the next event of all hosts
 * @merge: the merge
 * @eventp: where the event is stored; it is valid until the next call
 *
 * Return: 1 if an event was stored; 0 at the end; -ENOMEM; -ENOSPC; -errno of read() or write().
 */
int evtlog_host_merge_next(struct evtlog_host_merge *merge,
			   const struct evtlog_host_event **eventp);

/**
 * evtlog_host_merge_position() - get the position of a merge, to show progress
 * @merge: the merge
 *
 * Return: bytes of buffers that were read, of all files.
 */
uint64_t evtlog_host_merge_position(const struct evtlog_host_merge *merge);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_HOST_MERGE_H */
