/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The events of a log: those of one CPU, and those of all in the order of time.
 *
 * Stage: between an open log (log.h) and whatever shows events.  It knows one host:
 * several are merged by host-merge.h.
 */
#ifndef EVTLOG_STREAM_H
#define EVTLOG_STREAM_H

#include <stdint.h>

#include <evtlog/event.h>

#ifdef __cplusplus
extern "C" {
#endif

struct evtlog_file;
struct evtlog_stream;
struct evtlog_cpu_merge;

/**
 * struct evtlog_stream_counts - what reading a CPU's stream brought to light
 * @records: records, of all types
 * @backward: records earlier than their predecessor; their time is raised
 * @outside: records outside the times their buffer gives
 * @overlaps: buffers that begin before their predecessor ends
 * @nesting_errors: exits without entry, entries without exit, switches in between
 * @mismatches: buffers that begin with another task than their predecessor ended
 */
struct evtlog_stream_counts {
	uint64_t records;
	uint64_t backward;
	uint64_t outside;
	uint64_t overlaps;
	uint64_t nesting_errors;
	uint64_t mismatches;
};

/**
 * evtlog_stream_new() - events of one CPU in order
 * @file: the log, which must outlive the stream
 * @slot: of the CPU, as for evtlog_cpu_number()
 * @streamp: where the stream is stored; free it with evtlog_stream_free()
 *
 * Holds one buffer in memory. Every event of the stream comes once: BEGIN, records, BUFFERs
 * and GAPs, END.
 *
 * Return: 0; -EINVAL no such slot; -ENOMEM; -errno of read().
 */
int evtlog_stream_new(struct evtlog_file *file, unsigned int slot,
		      struct evtlog_stream **streamp);

/**
 * evtlog_stream_free() - free a stream
 * @stream: NULL is allowed
 */
void evtlog_stream_free(struct evtlog_stream *stream);

/**
 * evtlog_stream_next() - next event of a stream
 * @stream: the stream
 * @eventp: where the event is stored; it is valid until the next call
 *
 * Damage is not an error: it shows as a GAP and in evtlog_damage().
 *
 * Return: 1 and an event; 0 at the end; -errno of read(); -ENOMEM.
 */
int evtlog_stream_next(struct evtlog_stream *stream,
		       const struct evtlog_event **eventp);

/**
 * evtlog_stream_seek() - continue a stream from a time
 * @stream: the stream
 * @raw_ns: the time, as events have it
 *
 * The stream begins anew at the last buffer that begins at or before @raw_ns, with
 * a BEGIN; at the first buffer if none does. Task and context come from the buffer's
 * header. If that buffer can't be read, it is one before, and a GAP follows.
 * Costs the logarithm of the number of buffers, and one buffer.
 *
 * Return: 0; -errno of read(); -ENOMEM.
 */
int evtlog_stream_seek(struct evtlog_stream *stream, uint64_t raw_ns);

/**
 * evtlog_stream_counts() - counts of what was read, so far
 * @stream: the stream
 *
 * Return: the counts, which live as long as @stream and rise with it.
 */
const struct evtlog_stream_counts *
evtlog_stream_counts(const struct evtlog_stream *stream);

/**
 * evtlog_stream_position() - how far a stream was read, to show progress
 * @stream: the stream
 *
 * Return: bytes of buffers that were read.
 */
uint64_t evtlog_stream_position(const struct evtlog_stream *stream);

/**
 * evtlog_cpu_merge_new() - events of all CPUs in the order of time
 * @file: the log, which must outlive the merge
 * @mergep: where the merge is stored; free it with evtlog_cpu_merge_free()
 *
 * Memory is one buffer per CPU. Of events at the same ns, those of the lower CPU come
 * first.
 *
 * Return: 0; -ENOMEM; -errno of read().
 */
int evtlog_cpu_merge_new(struct evtlog_file *file, struct evtlog_cpu_merge **mergep);

/**
 * evtlog_cpu_merge_free() - free a merge
 * @merge: NULL is allowed
 */
void evtlog_cpu_merge_free(struct evtlog_cpu_merge *merge);

/**
 * evtlog_cpu_merge_next() - next event of all CPUs
 * @merge: the merge
 * @eventp: where the event is stored; it is valid until the next call
 *
 * Return: as evtlog_stream_next().
 */
int evtlog_cpu_merge_next(struct evtlog_cpu_merge *merge,
			  const struct evtlog_event **eventp);

/**
 * evtlog_cpu_merge_counts() - counts of what was read of a CPU, so far
 * @merge: the merge
 * @slot: of the CPU; must be below evtlog_cpu_count()
 *
 * Return: as evtlog_stream_counts().
 */
const struct evtlog_stream_counts *
evtlog_cpu_merge_counts(const struct evtlog_cpu_merge *merge, unsigned int slot);

/**
 * evtlog_cpu_merge_position() - how far a merge was read, to show progress
 * @merge: the merge
 *
 * Return: bytes of buffers that were read, of all CPUs.
 */
uint64_t evtlog_cpu_merge_position(const struct evtlog_cpu_merge *merge);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_STREAM_H */
