/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Streams of events: of one CPU, or of all CPUs in the order of time.
 *
 * Stage: between an open log (log.h) and programs that process events.  A stream has events of one
 * host; host-merge.h merges several hosts.
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
 * struct evtlog_stream_counts - records and irregularities that were read from a CPU's stream
 * @records: records of all types
 * @backward: records with an earlier time than the previous record; their time is raised
 * @outside: records with a time outside the begin and end of their buffer
 * @overlaps: buffers that begin before the previous buffer ends
 * @nesting_errors: exits without entry, entries without exit, and switches in between
 * @mismatches: buffers that begin with another task than the previous buffer ended with
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
 * evtlog_stream_new() - open a stream of one CPU's events in order
 * @file: the log, which must outlive the stream
 * @slot: slot of the CPU, as for evtlog_cpu_number()
 * @streamp: where the stream is stored; free it with evtlog_stream_free()
 *
 * A stream has a BEGIN, then records, BUFFERs and GAPs, then an END.  Memory is one buffer.
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
 * evtlog_stream_next() - read the next event of a stream
 * @stream: the stream
 * @eventp: where the event is stored; it is valid until the next call
 *
 * Damage is not an error: the stream has a GAP at the damaged place, and evtlog_damage() lists it.
 *
 * Return: 1 if an event was stored; 0 at the end; -errno of read(); -ENOMEM.
 */
int evtlog_stream_next(struct evtlog_stream *stream,
		       const struct evtlog_event **eventp);

/**
 * evtlog_stream_seek() - move a stream to a time
 * @stream: the stream
 * @raw_ns: time, as in events
 *
 * The stream restarts with a BEGIN at the last buffer that begins at or before @raw_ns, or at the
 * first buffer if all begin later.  Task and context come from the header of the buffer.  If this
 * buffer cannot be read, the stream restarts at an earlier buffer and has a GAP after it.  The cost
 * is the logarithm of the number of buffers, and the decoding of one buffer.
 *
 * Return: 0; -errno of read(); -ENOMEM.
 */
int evtlog_stream_seek(struct evtlog_stream *stream, uint64_t raw_ns);

/**
 * evtlog_stream_counts() - get the counts of a stream so far
 * @stream: the stream
 *
 * Return: the counts, valid as long as @stream and updated as events are read.
 */
const struct evtlog_stream_counts *
evtlog_stream_counts(const struct evtlog_stream *stream);

/**
 * evtlog_stream_position() - get the position of a stream, to show progress
 * @stream: the stream
 *
 * Return: bytes of buffers that were read.
 */
uint64_t evtlog_stream_position(const struct evtlog_stream *stream);

/**
 * evtlog_cpu_merge_new() - merge the streams of all CPUs in the order of time
 * @file: the log, which must outlive the merge
 * @mergep: where the merge is stored; free it with evtlog_cpu_merge_free()
 *
 * Memory is one buffer per CPU.  Among events at the same ns, the lower CPU comes first.
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
 * evtlog_cpu_merge_next() - read the next event of all CPUs
 * @merge: the merge
 * @eventp: where the event is stored; it is valid until the next call
 *
 * Return: the same as evtlog_stream_next().
 */
int evtlog_cpu_merge_next(struct evtlog_cpu_merge *merge,
			  const struct evtlog_event **eventp);

/**
 * evtlog_cpu_merge_counts() - get the counts of a CPU so far
 * @merge: the merge
 * @slot: slot of the CPU; must be less than evtlog_cpu_count()
 *
 * Return: the same as evtlog_stream_counts().
 */
const struct evtlog_stream_counts *
evtlog_cpu_merge_counts(const struct evtlog_cpu_merge *merge, unsigned int slot);

/**
 * evtlog_cpu_merge_position() - get the position of a merge, to show progress
 * @merge: the merge
 *
 * Return: bytes of buffers that were read, of all CPUs.
 */
uint64_t evtlog_cpu_merge_position(const struct evtlog_cpu_merge *merge);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_STREAM_H */
