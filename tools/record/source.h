/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a named buffer, CPU by CPU, for the recorder to a file (named.h) and for the sensor.
 *
 * It does not look into what it reads.
 */
#ifndef EVTLOG_RECORD_SOURCE_H
#define EVTLOG_RECORD_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/abi.h>

/*
 * @number:	of a global buffer it means nothing
 * @fd:		-1: it has ended
 * @seen:	records and losses that the kernel had counted when its status was last read
 */
struct named_cpu {
	unsigned int number;
	int fd;
	uint64_t seen;
};

/*
 * @buffer:	the last that was read
 * @left:	CPUs that have not ended
 * @is_global:	one ring, which is all CPUs'
 * @overwrites:	it is read when it has ended
 * @was_deleted: before all of it was read
 * @mark_ms:	how old a record may get before it is handed over; 0: until a buffer is full
 * @rejected, @lost: by the named buffer's filter; by cause: since the named buffer was added, when
 *		its status was last read
 */
struct named_source {
	const char *name;
	struct named_cpu *cpus;
	size_t cpu_count, cpu_capacity;
	void *buffer;
	size_t buffer_bytes;
	size_t left;
	bool is_global, overwrites, was_deleted;
	uint32_t mark_ms;
	uint64_t rejected;
	uint64_t lost[EVTLOG_LOST_CAUSES];
};

extern const char *const named_lost_causes[EVTLOG_LOST_CAUSES];

/**
 * named_source_open() - become the reader of a named buffer
 * @name:	must live as long
 * @mark_ms:	see struct named_source
 *
 * Returns 0 or -errno, after saying what is wrong.  Whatever it returns, close it.
 */
int named_source_open(struct named_source *source, const char *name, uint32_t mark_ms);
void named_source_close(struct named_source *source);

/**
 * named_source_read() - one buffer of a CPU, without waiting
 * @bufferp:	good until the next call
 *
 * Returns 1; 0: there is none now, or the CPU has ended and its @fd is -1; -errno, after saying
 * what is wrong.
 */
int named_source_read(struct named_source *source, struct named_cpu *cpu,
		       const struct evtlog_buffer_header **bufferp);

/** named_source_mark() - have a CPU hand over what it has recorded up to now */
int named_source_mark(const struct named_source *source, const struct named_cpu *cpu);

/**
 * named_source_ask() - read the status, and have CPUs that recorded anything since the last time
 * hand it over
 *
 * Others are not disturbed.  Returns 0 or -errno: -ENOENT the named buffer was deleted.
 */
int named_source_ask(struct named_source *source);

#endif /* EVTLOG_RECORD_SOURCE_H */
