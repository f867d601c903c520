/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decodes the records of one buffer in memory.
 *
 * Stage: between a checked buffer and a CPU's stream.  It does not read files, and does not need
 * the buffers before and after.
 */
#ifndef EVTLOG_LIB_STREAM_DECODE_H
#define EVTLOG_LIB_STREAM_DECODE_H

#include <evtlog/evtlog.h>

#include "context.h"
#include "lib/file/format.h"
#include "lib/file/tick-clock.h"

/*
 * The first group is used for each record.
 * @last_ticks, @last_ns: of the record before; times never step back
 * @node, @node_end_ticks: the piece of the clock that was used last
 * @pid, @contexts: state of the CPU; decode_next() first applies the last event to it
 * @more:	the buffer continues after @end
 * @is_global:	all CPUs wrote the buffer: its records do not change the state of the stream
 * @omitted:	bits of types, by the file's numbers, whose records are counted but not returned
 * @words:	of each type; 0: variable size, or no such type
 */
struct decoder {
	const uint64_t *pos;
	const uint64_t *end;
	uint64_t high_ticks;
	uint64_t last_ticks;
	uint64_t last_ns;
	uint64_t begin_ticks;
	uint64_t end_ticks;
	const struct clock_node *node;
	uint64_t node_end_ticks;
	uint32_t pid;
	bool more;
	bool is_global;
	uint64_t omitted;
	struct context_stack contexts;
	uint8_t words[FORMAT_TYPES];
	uint8_t known[FORMAT_TYPES];

	const struct format *format;
	const struct clock *clock;
	struct evtlog_event event;
	struct evtlog_stream_counts counts;
	uint64_t translated[EVTLOG_RECORD_WORDS_MAX];
};

void decode_start(struct decoder *decoder, const struct format *format,
		  const struct clock *clock, uint32_t cpu);

/*
 * Omits all types but @wanted, bits by the numbers in abi.h.  Then events have no valid pid and
 * context.  Records of variable size are never omitted.  Returns bits of types by the file's
 * numbers: a buffer that has no others need not be decoded.
 */
uint64_t decode_only(struct decoder *decoder, uint64_t wanted);

/* Starts a buffer, without records yet. */
void decode_buffer(struct decoder *decoder,
		   const struct evtlog_buffer_header *header);

/*
 * Gives the decoder records up to @end.  They must stay in memory until they are decoded.
 * @more: further records of the buffer follow, and @end may be within a record.
 */
static inline void decode_words(struct decoder *decoder, const uint64_t *pos,
				const uint64_t *end, bool more)
{
	decoder->pos = pos;
	decoder->end = end;
	decoder->more = more;
}

/* The task that runs where a buffer begins; unknown if switches were not recorded. */
static inline uint32_t decode_begin_pid(const struct decoder *decoder,
					const struct evtlog_buffer_header *header)
{
	return decoder->format->no_switches ? EVTLOG_PID_UNKNOWN : header->begin_pid;
}

/* Events were lost: only the next buffer's header sets the task; @context is its context. */
void decode_forget(struct decoder *decoder, uint32_t context);

/*
 * Skips the writer's own records, up to a buffer's first event.  *@context is the context in which
 * this event was recorded; if it is an entry, makes *@context the context before the entry.
 * Returns false if it needs further records first.
 */
bool decode_context(struct decoder *decoder, uint32_t *context);

/*
 * Fills in decoder->event.  Returns 1; 0 at the end of the records; -EBADMSG if the rest of the
 * buffer cannot be decoded.
 */
int decode_next(struct decoder *decoder);

/* Converts ticks to ns; never less than a time returned before. */
uint64_t decode_time(struct decoder *decoder, uint64_t ticks);

#endif /* EVTLOG_LIB_STREAM_DECODE_H */
