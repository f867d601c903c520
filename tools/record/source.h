/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a named buffer, CPU by CPU, for evtlog buffer record (named.h), for the sensor, and for
 * profiles of ended tasks.
 *
 * It does not decode records.
 */
#ifndef EVTLOG_RECORD_SOURCE_H
#define EVTLOG_RECORD_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "control/stream.h"

/*
 * @overwrites:	True: it can be read only after it has ended
 * @mark_ms:	maximum age of a record until it is passed on; 0: wait for a full buffer
 * @rejected, @lost: events rejected by its filter, and lost by cause, since it was added; as of
 *		the last read of status
 */
struct named_source {
	const char *name;
	struct streams streams;
	bool overwrites;
	uint32_t mark_ms;
	uint64_t rejected;
	uint64_t lost[EVTLOG_LOST_CAUSES];
};

extern const char *const named_lost_causes[EVTLOG_LOST_CAUSES];

/**
 * named_source_open() - become the reader of a named buffer
 * @name:	must live as long as @source
 * @mark_ms:	see struct named_source
 *
 * Prints errors.  Returns 0 or -errno.  Close it in both cases.
 */
int named_source_open(struct named_source *source, const char *name, uint32_t mark_ms);
void named_source_close(struct named_source *source);

/**
 * named_source_get() - get one buffer of a CPU, without waiting
 * @bufferp:	valid until named_source_put()
 *
 * Prints errors.  Returns 1; 0 if there is none now, or if the stream has ended; or -errno.
 */
int named_source_get(struct named_source *source, struct stream *stream,
		     const struct evtlog_buffer_header **bufferp);

/** named_source_put() - return the buffer to the kernel; prints errors; returns 0 or -errno */
int named_source_put(struct named_source *source, struct stream *stream);

/** named_source_mark() - make a CPU pass on what it has recorded up to now */
int named_source_mark(const struct named_source *source, const struct stream *stream);

/**
 * named_source_ask() - read status, and make CPUs with new records pass them on
 *
 * Other CPUs are not disturbed.  Returns 0 or -errno; -ENOENT if the named buffer was deleted.
 */
int named_source_ask(struct named_source *source);

#endif /* EVTLOG_RECORD_SOURCE_H */
