/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The events of several hosts, in the order of one timeline.
 *
 * Stage: between related clocks (clocksync.h) and whatever shows events of many hosts.  It
 * does not relate clocks, and writes no file: `evtlog merge -o` does.
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
 * @time_ns: on the timeline; it never steps back from one event to the next
 * @from_ns: likewise, of a GAP
 * @bound_ns: @time_ns is right within plus or minus this; UINT64_MAX: nobody knows
 * @file: which file it is of
 * @event: as the file's stream has it, with times of its own host
 */
struct evtlog_host_event {
	int64_t time_ns;
	int64_t from_ns;
	uint64_t bound_ns;
	size_t file;
	const struct evtlog_event *event;
};

/* What a zero in @memory_bytes stands for. */
#define EVTLOG_MERGE_MEMORY_BYTES	(96u << 20)

/**
 * struct evtlog_host_merge_options - all zero is fine
 * @memory_bytes: for buffers, all in all; when the buffers of all CPUs need more,
 *	only pieces of them are held, of at least 4 KiB
 * @wanted: for each file whether to read it; NULL: all
 */
struct evtlog_host_merge_options {
	size_t memory_bytes;
	const bool *wanted;
};

/**
 * evtlog_host_merge_new() - events of several hosts in the order of the common timeline
 * @clocksync: relates the clocks of @files, and must outlive the merge
 * @files: those that @clocksync was made of, in the same order; while the merge lives they
 * 	may be read by its thread only
 * @count: of @files
 * @options: may be NULL
 * @mergep: where the merge is stored; free it with evtlog_host_merge_free()
 *
 * Of events at the same ns those come first whose host's name, boot and run come first,
 * then those of the lower CPU: nothing depends on the order of the files.
 * Where only pieces of buffers are held, inflated ones wait in a file without a
 * name in $TMPDIR, else in /var/tmp, else in /tmp: up to a buffer for each CPU.
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
 * evtlog_host_merge_next() - next event of all hosts
 * @merge: the merge
 * @eventp: where the event is stored; it is valid until the next call
 *
 * Return: 1 and an event; 0 at the end; -ENOMEM; -ENOSPC; -errno of read() or write().
 */
int evtlog_host_merge_next(struct evtlog_host_merge *merge,
			   const struct evtlog_host_event **eventp);

/**
 * evtlog_host_merge_position() - how far a merge was read, to show progress
 * @merge: the merge
 *
 * Return: bytes of buffers that were read, of all files.
 */
uint64_t evtlog_host_merge_position(const struct evtlog_host_merge *merge);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_HOST_MERGE_H */
