/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decodes the records of one buffer, given as bytes in memory.
 *
 * Stage: between a proved buffer and a CPU's stream.  It does not read files,
 * and does not know what comes before or after the buffer.
 */
#ifndef EVTLOG_LIB_STREAM_DECODE_H
#define EVTLOG_LIB_STREAM_DECODE_H

#include <evtlog/evtlog.h>

#include "context.h"
#include "lib/file/format.h"
#include "lib/file/tick-clock.h"

/*
 * The first group is looked at for each record.
 * @node, @node_end_ticks: the piece of the clock that was used last
 * @last_ticks, @last_ns: of the record before; times never step back
 * @contexts, @pid: state after the event last returned
 * @words:	of each type; 0: its records say how many, or there is none
 * @more:	the buffer goes on behind @end
 * @is_global:	all CPUs wrote it: what a record says of its CPU is no state of the stream
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

/* Starts on a buffer; no record is in memory yet. */
void decode_buffer(struct decoder *decoder,
		   const struct evtlog_buffer_header *header);

/*
 * Gives the decoder records up to @end, which must stay until they are decoded; more
 * of the same buffer follow if @more, and half a record may be at @end then.
 */
static inline void decode_words(struct decoder *decoder, const uint64_t *pos,
				const uint64_t *end, bool more)
{
	decoder->pos = pos;
	decoder->end = end;
	decoder->more = more;
}

/* Who runs where a buffer begins; unknown if that is not known any more at its first event. */
static inline uint32_t decode_begin_pid(const struct decoder *decoder,
					const struct evtlog_buffer_header *header)
{
	return decoder->format->no_switches ? EVTLOG_PID_UNKNOWN : header->begin_pid;
}

/* Takes the task from the header alone, and @context: events were lost before it. */
void decode_forget(struct decoder *decoder, uint32_t context);

/*
 * Goes to a buffer's first event, past what the writer tells itself, and makes *@context,
 * in which that was recorded, the context before it: an entry's is its own.
 * Returns false if further records must be given first.
 */
bool decode_context(struct decoder *decoder, uint32_t *context);

/*
 * Fills in decoder->event.  Returns 1; 0 at the end of the records it was given;
 * -EBADMSG when the rest of the buffer can't be understood.
 */
int decode_next(struct decoder *decoder);

/* Never less than any time given before. */
uint64_t decode_time(struct decoder *decoder, uint64_t ticks);

#endif /* EVTLOG_LIB_STREAM_DECODE_H */
