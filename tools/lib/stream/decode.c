// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Decodes the records of one buffer, with full times, running task and context.
 *
 * Stage: between a checked buffer and a CPU's stream.  Lengths are in the file's description of
 * types.  A record that would exceed the buffer is an error.
 */
#include <errno.h>
#include <string.h>

#include "decode.h"

void decode_start(struct decoder *decoder, const struct format *format,
		  const struct clock *clock, uint32_t cpu)
{
	memset(decoder, 0, sizeof(*decoder));
	decoder->format = format;
	decoder->clock = clock;
	for (unsigned int i = 0; i < FORMAT_TYPES; i++) {
		decoder->words[i] = format->sizes[i].bits ? 0 : format->types[i].words;
		decoder->known[i] = format->types[i].known;
	}
	decoder->event.cpu = cpu;
	decoder->pid = EVTLOG_PID_UNKNOWN;
	decoder->node = clock->nodes;
	decoder->node_end_ticks = clock->count > 1 ? clock->nodes[1].ticks :
				  UINT64_MAX;
}

uint64_t decode_only(struct decoder *decoder, uint64_t wanted)
{
	uint64_t omitted = 0, times = 0;

	for (unsigned int i = 0; i < FORMAT_TYPES; i++) {
		if (decoder->words[i] && !(wanted >> decoder->known[i] & 1))
			omitted |= UINT64_C(1) << i;
		if (decoder->known[i] == EVTLOG_TIME)
			times |= UINT64_C(1) << i;
	}
	/* Later times in the buffer depend on TIME records. */
	decoder->omitted = omitted & ~times;
	return omitted;
}

void decode_buffer(struct decoder *decoder,
		   const struct evtlog_buffer_header *header)
{
	decode_words(decoder, NULL, NULL, false);
	decoder->is_global = header->flags & EVTLOG_BUFFER_GLOBAL;
	decoder->high_ticks = header->begin_ticks & ~(uint64_t)UINT32_MAX;
	decoder->begin_ticks = header->begin_ticks;
	decoder->end_ticks = header->end_ticks;
	decoder->last_ticks = header->begin_ticks;
	/* The header is newer than the collected state. */
	decoder->counts.mismatches += decoder->pid != EVTLOG_PID_UNKNOWN &&
				     header->begin_pid != EVTLOG_PID_UNKNOWN &&
				     decoder->pid != header->begin_pid;
	decoder->pid = decode_begin_pid(decoder, header);
}

void decode_forget(struct decoder *decoder, uint32_t context)
{
	decoder->pid = EVTLOG_PID_UNKNOWN;
	context_reset(&decoder->contexts, context);
}

bool decode_context(struct decoder *decoder, uint32_t *context)
{
	while (decoder->pos < decoder->end) {
		unsigned int number = *decoder->pos >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;
		unsigned int words = decoder->words[number];
		const struct record_class *class = record_class(decoder->known[number]);

		if (class->step != RECORD_WRITER) {
			if (class->step == RECORD_ENTRY && class->context != EVTLOG_IN_TASK)
				*context &= class->nests_in;
			return true;
		}
		if (!words)
			words = format_record_words(decoder->format, *decoder->pos);
		if (!words || words > (size_t)(decoder->end - decoder->pos))
			break;
		decoder->pos += words;
	}
	return !decoder->more;
}

static uint64_t __attribute__((noinline))
find_node(struct decoder *decoder, uint64_t ticks)
{
	const struct clock *clock = decoder->clock;
	const struct clock_node *node = clock_find(clock, ticks);

	decoder->node = node;
	decoder->node_end_ticks = node + 1 < clock->nodes + clock->count ?
				  node[1].ticks : UINT64_MAX;
	return clock_ns(clock, ticks);
}

uint64_t decode_time(struct decoder *decoder, uint64_t ticks)
{
	uint64_t ns;

	if (ticks >= decoder->node->ticks && ticks < decoder->node_end_ticks)
		ns = clock_node_ns(decoder->node, ticks);
	else
		ns = find_node(decoder, ticks);
	if (ns < decoder->last_ns)
		return decoder->last_ns;
	decoder->last_ns = ns;
	return ns;
}

/* Applies an event to the state of its CPU, for the next event. */
static void apply(struct decoder *decoder, unsigned int known,
		  const uint64_t *words)
{
	const struct record_class *class = record_class(known);

	if (decoder->is_global)
		return;
	/* With filtered switches, other tasks may run until the next recorded switch. */
	if (class->step == RECORD_SWITCH)
		decoder->pid = decoder->format->no_switches ? EVTLOG_PID_UNKNOWN :
							      evtlog_record_pid(words);
	decoder->counts.nesting_errors += context_take(&decoder->contexts, class, words);
}

/* Sets the CPU and the task of the records that follow */
static void take_on_cpu(struct decoder *decoder, const uint64_t *words)
{
	uint32_t cpu = evtlog_data(words, 0, EVTLOG_DATA_BITS);

	if (decoder->is_global && cpu < EVTLOG_CPU_LIMIT) {
		decoder->event.cpu = cpu;
		decoder->pid = words[1];
	}
}

/* Goes to the next record that is not omitted, or that may be invalid. */
static void omit(struct decoder *decoder)
{
	const uint64_t *record = decoder->pos, *last = NULL;

	while (record < decoder->end) {
		unsigned int number = *record >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;
		unsigned int words = decoder->words[number];

		if (!(decoder->omitted >> number & 1) || words > (size_t)(decoder->end - record))
			break;
		last = record;
		record += words;
		decoder->counts.records++;
	}
	decoder->pos = record;
	if (last)
		decoder->last_ticks = decoder->high_ticks | (*last & UINT32_MAX);
}

int decode_next(struct decoder *decoder)
{
	struct evtlog_event *event = &decoder->event;
	unsigned int number, words, known;
	const uint64_t *record;
	const struct context *context;
	uint64_t ticks;

	if (event->words) {
		apply(decoder, event->known, event->words);
		event->words = NULL;
	}
	if (decoder->omitted)
		omit(decoder);
	record = decoder->pos;
	if (record == decoder->end)
		return 0;
	number = *record >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;
	words = decoder->words[number];
	if (__builtin_expect(!words, 0))
		words = format_record_words(decoder->format, *record);
	if (!words || words > (size_t)(decoder->end - record))
		return words && decoder->more ? 0 : -EBADMSG;
	known = decoder->known[number];
	decoder->pos = record + words;
	decoder->counts.records++;

	event->kind = EVTLOG_EVENT_RECORD;
	event->known = known;
	event->number = number;
	event->file_words = record;
	if (!known) {
		event->words = NULL;
	} else if (__builtin_expect(decoder->format->same[number], 1)) {
		event->words = record;
	} else {
		format_translate(decoder->format, number, record,
				 decoder->translated);
		event->words = decoder->translated;
	}
	if (known == EVTLOG_TIME)
		decoder->high_ticks = event->words[1] & ~(uint64_t)UINT32_MAX;
	if (__builtin_expect(known == EVTLOG_ON_CPU, 0))
		take_on_cpu(decoder, event->words);

	ticks = decoder->high_ticks | (*record & UINT32_MAX);
	decoder->counts.backward += ticks < decoder->last_ticks;
	decoder->counts.outside += ticks < decoder->begin_ticks ||
				   ticks > decoder->end_ticks;
	decoder->last_ticks = ticks;
	event->ticks = ticks;
	event->time_ns = decode_time(decoder, ticks);
	event->pid = decoder->pid;
	context = &decoder->contexts.at[decoder->contexts.depth];
	event->context = context->kind;
	event->context_number = context->number;
	return 1;
}
