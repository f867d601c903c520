// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keeps the events of a log in memory, as an array of words.
 *
 *	| head | parts, as in head.parts | the record's words as in the file | head | ...
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "lib/base/array.h"

/* Parts that follow the head, in this order */
enum part {
	PART_TICKS = 1,
	PART_MISSING = 2,	/* start of a gap, lost records, lost buffers, rest missing */
	PART_TRANSLATED = 4,	/* the record in abi.h's layout, if the file has another layout */
	IS_DOUBTFUL = 8,	/* a flag, no part */
};

/*
 * Starts each event.  Most events are a head and one word of the record.
 * @kind:	low bits: the kind; high bits: the context
 * @parts:	bits of enum part
 */
struct head {
	uint32_t pid;
	uint8_t number;
	uint8_t known;
	uint8_t kind;
	uint8_t parts;
};

#define CONTEXT_SHIFT	4
#define KIND_MASK	((1 << CONTEXT_SHIFT) - 1)

_Static_assert(sizeof(struct head) == sizeof(uint64_t), "a word");

#define MISSING_WORDS	4

/* Words of the record in the file: those of its type, and the data whose size a field z has. */
static unsigned int file_words(const struct evtlog_file *file, const struct evtlog_event *event)
{
	const struct evtlog_type_info *type = evtlog_type_info(file, event->number);
	unsigned int words = type->words;

	for (unsigned int i = 0; i < type->field_count; i++)
		if (type->fields[i].kind == 'z')
			words += (evtlog_field_u64(&type->fields[i], event->file_words) + 7) / 8;
	return words;
}

static uint8_t parts_of(const struct evtlog_event *event)
{
	uint8_t parts = 0;

	if (event->kind != EVTLOG_EVENT_RECORD)
		return PART_MISSING;
	if (event->words && event->words != event->file_words)
		parts |= PART_TRANSLATED;
	/* Only these have a field that is shown as a time before the record's own time. */
	if (event->known == EVTLOG_ICMP_RX || event->known == EVTLOG_REMOTE)
		parts |= PART_TICKS;
	return parts;
}

int records_add(struct records *records, const struct evtlog_file *file,
		const struct evtlog_event *event, bool doubtful)
{
	bool is_record = event->kind == EVTLOG_EVENT_RECORD;
	struct head head = {
		.pid = event->pid,
		.number = event->number,
		.known = event->known,
		.kind = event->kind | event->context << CONTEXT_SHIFT,
		.parts = parts_of(event) | (doubtful ? IS_DOUBTFUL : 0),
	};
	unsigned int words = is_record ? file_words(file, event) : 0;
	unsigned int translated = head.parts & PART_TRANSLATED ?
				  evtlog_record_words(event->words[0]) : 0;
	uint64_t *to;

	if (array_reserve_more(&records->words, &records->capacity, records->count,
			       2 + MISSING_WORDS + words + translated,
			       sizeof(*records->words)))
		return -ENOMEM;
	to = records->words + records->count;
	memcpy(to++, &head, sizeof(head));
	if (head.parts & PART_TICKS)
		*to++ = event->ticks;
	if (head.parts & PART_MISSING) {
		*to++ = event->from_ns;
		*to++ = event->lost;
		*to++ = event->lost_buffers;
		*to++ = event->rest_missing;
	}
	if (translated)
		memcpy(to, event->words, translated * sizeof(*to));
	to += translated;
	if (words)
		memcpy(to, event->file_words, words * sizeof(*to));
	records->count = to + words - records->words;
	return 0;
}

bool records_get(const struct records *records, uint64_t position, struct evtlog_event *event,
		 bool *doubtful)
{
	const uint64_t *from;
	struct head head;

	if (position >= records->count)
		return false;
	from = records->words + position;
	memcpy(&head, from++, sizeof(head));
	*event = (struct evtlog_event) {
		.pid = head.pid,
		.kind = head.kind & KIND_MASK,
		.known = head.known,
		.number = head.number,
		.context = head.kind >> CONTEXT_SHIFT,
	};
	if (head.parts & PART_TICKS)
		event->ticks = *from++;
	if (head.parts & PART_MISSING) {
		event->from_ns = *from++;
		event->lost = *from++;
		event->lost_buffers = *from++;
		event->rest_missing = *from++;
	}
	if (head.known)
		event->words = from;
	if (head.parts & PART_TRANSLATED)
		from += evtlog_record_words(*from);
	if (event->kind == EVTLOG_EVENT_RECORD)
		event->file_words = from;
	if (doubtful)
		*doubtful = head.parts & IS_DOUBTFUL;
	return true;
}

void records_free(struct records *records)
{
	free(records->words);
	*records = (struct records) { 0 };
}
