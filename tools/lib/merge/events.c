// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads the events of a merged file one by one.
 *
 * Stage: between its blocks, which file.c reads, and programs that use the events.  No data of
 * the file is trusted.
 */
#include <errno.h>
#include <string.h>

#include "file.h"

/* Reads a number of 7 bits a byte.  Returns false if there is none. */
static bool take_number(struct evtlog_merged *merged, uint64_t *number)
{
	uint64_t sum = 0;

	for (unsigned int shift = 0; shift < 64 && merged->pos < merged->end;
	     shift += 7) {
		uint8_t byte = *merged->pos++;

		sum |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*number = sum;
			return true;
		}
	}
	return false;
}

static bool take_bytes(struct evtlog_merged *merged, void *to, size_t bytes)
{
	if ((size_t)(merged->end - merged->pos) < bytes)
		return false;
	memcpy(to, merged->pos, bytes);
	merged->pos += bytes;
	return true;
}

/* Reads the fields of a NAME.  Returns 0 or -errno. */
static int take_name(struct evtlog_merged *merged)
{
	char comm[EVTLOG_COMM_LEN];
	uint64_t host, pid;

	if (!take_number(merged, &host) || host >= merged->host_count ||
	    !take_number(merged, &pid) || pid > UINT32_MAX ||
	    !take_bytes(merged, comm, sizeof(comm)))
		return -EBADMSG;
	return tasks_set_comm(merged->hosts[host].tasks, pid, comm);
}

/* Reads the fields of a FORMAT.  Returns 0 or -errno. */
static int take_format(struct evtlog_merged *merged)
{
	uint64_t host, id, bytes;
	const void *text;

	if (!take_number(merged, &host) || host >= merged->host_count ||
	    !take_number(merged, &id) || id > EVTLOG_EVENT_ID_MAX ||
	    !take_number(merged, &bytes) || bytes > (size_t)(merged->end - merged->pos))
		return -EBADMSG;
	text = merged->pos;
	merged->pos += bytes;
	return event_formats_learn_text(merged->hosts[host].file->event_formats, id, text,
					bytes);
}

static bool take_record(struct evtlog_merged *merged)
{
	const struct format *format = &merged->hosts[merged->host].file->format;
	const struct evtlog_type_info *type;
	struct evtlog_event *event = &merged->inner;
	unsigned int number;
	uint32_t upper;

	if (!take_bytes(merged, &upper, sizeof(upper)))
		return false;
	number = upper & EVTLOG_TYPE_MAX;
	type = &format->types[number];
	if (!type->words)
		return false;
	merged->words[0] = (uint64_t)upper << 32;
	for (unsigned int i = 1; i < type->words; i++)
		if (!take_number(merged, &merged->words[i]))
			return false;
	if (!take_bytes(merged, merged->words + type->words,
			8 * (format_record_words(format, merged->words[0]) - type->words)))
		return false;
	if ((type->known == EVTLOG_ICMP_RX || type->known == EVTLOG_REMOTE) &&
	    !take_number(merged, &event->ticks))
		return false;
	event->number = number;
	event->known = type->known;
	event->file_words = merged->words;
	event->words = NULL;
	if (type->known && format->same[number]) {
		event->words = merged->words;
	} else if (type->known) {
		format_translate(format, number, merged->words, merged->translated);
		event->words = merged->translated;
	}
	return true;
}

static bool take_lane(struct evtlog_merged *merged, uint8_t tag)
{
	if (!(tag & EVTLOG_MERGED_SAME)) {
		if (!take_number(merged, &merged->host) ||
		    !take_number(merged, &merged->cpu))
			return false;
	}
	return merged->host < merged->host_count && merged->cpu < EVTLOG_CPU_LIMIT;
}

/* Reads the fields that all events have. */
static bool take_common(struct evtlog_merged *merged, uint8_t tag)
{
	struct evtlog_event *event = &merged->inner;
	uint64_t since, pid, number = 0;

	memset(event, 0, sizeof(*event));
	if (!take_lane(merged, tag) || !take_number(merged, &since) ||
	    since > INT64_MAX ||
	    __builtin_add_overflow(merged->time_ns, (int64_t)since,
				   &merged->time_ns) ||
	    !take_number(merged, &pid) || pid > UINT32_MAX)
		return false;
	event->context = tag >> EVTLOG_MERGED_PLACE & 3;
	if (event->context && (!take_number(merged, &number) || number > UINT32_MAX))
		return false;
	event->context_number = event->context ? (uint32_t)number - 1 : 0;
	event->pid = (uint32_t)pid - 1;
	event->begin_pid = EVTLOG_PID_UNKNOWN;
	event->cpu = merged->cpu;
	merged->event.time_ns = merged->time_ns;
	merged->event.from_ns = 0;
	merged->event.host = merged->host;
	merged->event.doubtful = tag & EVTLOG_MERGED_DOUBTFUL;
	return true;
}

static bool take_lost(struct evtlog_merged *merged)
{
	return take_number(merged, &merged->inner.lost) &&
	       take_number(merged, &merged->inner.lost_buffers);
}

/* Reads one entry.  Returns 1 if it is an event; 0 if not; -EBADMSG; -ENOMEM. */
static int take_entry(struct evtlog_merged *merged)
{
	uint8_t tag = *merged->pos++;
	struct evtlog_event *event = &merged->inner;
	uint64_t gap_ns;

	if ((tag & EVTLOG_MERGED_KIND) == EVTLOG_MERGED_NAME)
		return take_name(merged);
	if ((tag & EVTLOG_MERGED_KIND) == EVTLOG_MERGED_FORMAT)
		return take_format(merged);
	if (!take_common(merged, tag))
		return -EBADMSG;
	switch (tag & EVTLOG_MERGED_KIND) {
	case EVTLOG_MERGED_RECORD:
		event->kind = EVTLOG_EVENT_RECORD;
		merged->records++;
		return take_record(merged) ? 1 : -EBADMSG;
	case EVTLOG_MERGED_BEGIN:
		event->kind = EVTLOG_EVENT_BEGIN;
		return take_lost(merged) ? 1 : -EBADMSG;
	case EVTLOG_MERGED_GAP:
		event->kind = EVTLOG_EVENT_GAP;
		if (!take_number(merged, &gap_ns) || gap_ns > INT64_MAX ||
		    __builtin_sub_overflow(merged->time_ns, (int64_t)gap_ns,
					   &merged->event.from_ns))
			return -EBADMSG;
		return take_lost(merged) ? 1 : -EBADMSG;
	case EVTLOG_MERGED_CUT:
		event->rest_missing = true;
		event->kind = EVTLOG_EVENT_END;
		return 1;
	case EVTLOG_MERGED_END:
		event->kind = EVTLOG_EVENT_END;
		return 1;
	default:
		return -EBADMSG;
	}
}

static int take_totals(struct evtlog_merged *merged)
{
	struct evtlog_merged_totals totals;
	size_t gaps_bytes = merged->host_count * sizeof(*merged->gaps);

	if (merged->payload_bytes != sizeof(totals) + gaps_bytes)
		return -EBADMSG;
	memcpy(&totals, merged->payload, sizeof(totals));
	memcpy(merged->gaps, merged->payload + sizeof(totals), gaps_bytes);
	if (totals.blocks != merged->blocks || totals.events != merged->records)
		return -ENODATA;
	merged->totals = (struct evtlog_merged_end) {
		.events = totals.events,
		.doubtful = totals.doubtful,
		.whole = totals.whole,
		.gaps = merged->gaps,
	};
	merged->ended = true;
	return 0;
}

/* Reads the next block of events.  Returns 1; 0 at the end; -errno. */
static int next_block(struct evtlog_merged *merged)
{
	struct evtlog_block_header head;
	int result;

	for (;;) {
		result = merged_read_head(merged, &head);
		if (!result)
			return -ENODATA;
		if (result < 0)
			return result;
		result = merged_read_payload(merged, &head);
		if (result)
			return result;
		if (head.kind == EVTLOG_BLOCK_TOTALS)
			return take_totals(merged);
		if (head.kind != EVTLOG_BLOCK_EVENTS)
			continue;	/* from a later version */
		if (head.sequence != merged->blocks ||
		    (merged->blocks && (int64_t)head.begin_ticks < merged->time_ns))
			return -EBADMSG;
		merged->blocks++;
		merged->time_ns = head.begin_ticks;
		merged->pos = merged->payload;
		merged->end = merged->payload + merged->payload_bytes;
		return 1;
	}
}

int evtlog_merged_next(struct evtlog_merged *merged,
		       const struct evtlog_merged_event **eventp)
{
	int result;

	while (!merged->ended) {
		if (merged->pos == merged->end) {
			result = next_block(merged);
			if (result <= 0)
				return result;
			continue;
		}
		result = take_entry(merged);
		if (result < 0)
			return result;
		if (!result)
			continue;
		merged->event.event = &merged->inner;
		*eventp = &merged->event;
		return 1;
	}
	return 0;
}
