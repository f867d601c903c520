// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Splits a buffer into records with full times
 */
#include "ring_read.h"

u32 record_words(u32 type)
{
	u32 words = evtlog_record_words((u64)type << EVTLOG_TYPE_SHIFT);

	if (words)
		return words;
	if (type == RECORD_LARGE)
		return 100;
	if (type == RECORD_HUGE)
		return 1000;
	return type > RECORD_SIZED && type < RECORD_LARGE ?
	       type - RECORD_SIZED : 0;
}

#define X(number, NAME, name, words, fields) \
	_Static_assert(number <= RECORD_SIZED, "a type of abi.h is not one of the tests");
EVTLOG_TYPES(X)
#undef X

u32 record_event_data(u64 number, u32 words)
{
	u32 bytes = words > 1 ? 8 * (words - 1) - number % 8 : 0;

	return (number & EVTLOG_EVENT_ID_MAX) | bytes << EVTLOG_EVENT_ID_BITS;
}

/* By the size in the record */
static u32 words_of(u64 first, u32 type)
{
	u32 bytes = first >> (EVTLOG_DATA_SHIFT + EVTLOG_EVENT_ID_BITS);

	return type == EVTLOG_EVENT ? 1 + (bytes + 7) / 8 : record_words(type);
}

/* The CPU had no event in the run: another CPU wrote its end, and read the clocks then. */
static bool is_told_by_another(const struct evtlog_buffer_header *h)
{
	return h->flags & EVTLOG_BUFFER_FIRST && h->flags & EVTLOG_BUFFER_FINAL &&
	       h->used_bytes == sizeof(*h) && h->end.ticks > h->end_ticks;
}

const char *reading_begin(struct reading *r, const void *buffer, u32 bytes)
{
	const struct evtlog_buffer_header *h = buffer;

	if (h->magic != EVTLOG_BUFFER_MAGIC)
		return "magic";
	if (h->abi_version != EVTLOG_ABI_VERSION)
		return "abi_version";
	if (h->header_bytes != sizeof(*h))
		return "header_bytes";
	if (h->used_bytes < sizeof(*h) || h->used_bytes > bytes ||
	    h->used_bytes % 8)
		return "used_bytes";
	if (h->end_ticks < h->begin_ticks)
		return "end_ticks before begin_ticks";
	/* A CPU's part begins with the run; its first buffer is opened later. */
	if (h->begin.ticks < h->begin_ticks ||
	    (h->begin.ticks != h->begin_ticks && !(h->flags & EVTLOG_BUFFER_FIRST)) ||
	    (h->end.ticks != h->end_ticks && !is_told_by_another(h)))
		return "clock sets taken at another time";
	r->at = (const u64 *)buffer + sizeof(*h) / 8;
	r->end = (const u64 *)buffer + h->used_bytes / 8;
	r->upper = h->begin_ticks >> 32;
	return NULL;
}

int reading_next(struct reading *r, struct record *record)
{
	u64 word;

	if (r->at == r->end)
		return 0;
	word = *r->at;
	record->type = word >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;
	record->data = word >> EVTLOG_DATA_SHIFT;
	record->words = words_of(word, record->type);
	record->word = r->at;
	if (!record->words || r->end - r->at < (long)record->words)
		return -1;
	if (record->type == EVTLOG_TIME)
		r->upper = record->word[1] >> 32;
	record->ticks = r->upper << 32 | (u32)word;
	r->at += record->words;
	return 1;
}
