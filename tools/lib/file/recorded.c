// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds which types of events a run recorded: from its header, else from counters.
 *
 * Stage: before a file's first stream.  A type that is on may have no records.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "lib/codec/record-class.h"

#define SEPARATORS	" \t"

/* Returns the known type that has this name in the file; 0 if none. */
static unsigned int type_of(const struct evtlog_file *file, const char *name, size_t length)
{
	for (unsigned int i = 0; i < FORMAT_TYPES; i++) {
		const struct evtlog_type_info *type = evtlog_type_info(file, i);

		if (type && strlen(type->name) == length && !strncmp(type->name, name, length))
			return type->known;
	}
	return 0;
}

/* For a run of one tree, returns the types that are complete for the tree's tasks. */
static uint64_t chosen_by_tree(const struct evtlog_file *file)
{
	static const uint64_t of_all = UINT64_C(1) << EVTLOG_PUT | UINT64_C(1) << EVTLOG_PUT_AT |
		UINT64_C(1) << EVTLOG_ICMP_RX | UINT64_C(1) << EVTLOG_ICMP_TX;

	return evtlog_tree_pid(file) ? ~of_all : 0;
}

/* Returns the contexts, hard interrupts and softirqs, for which all types of exits are off */
static uint32_t contexts_without_exits(uint64_t off)
{
	uint32_t without = EVTLOG_CONTEXT_HARDIRQ | EVTLOG_CONTEXT_SOFTIRQ;

	for (unsigned int type = 1; type <= EVTLOG_TYPE_MAX; type++) {
		const struct record_class *class = record_class(type);

		if (class->step == RECORD_EXIT && class->context != EVTLOG_IN_TASK && !(off >> type & 1))
			without &= class->context == EVTLOG_IN_SOFTIRQ ? ~EVTLOG_CONTEXT_SOFTIRQ :
									 ~EVTLOG_CONTEXT_HARDIRQ;
	}
	return without;
}

void recorded_parse(struct evtlog_file *file)
{
	uint64_t of_tree = chosen_by_tree(file);
	const char *at = evtlog_meta(file, "events");

	file->recorded_on = file->recorded_off = file->recorded_filtered = 0;
	for (; at && *at; at += strspn(at, SEPARATORS)) {
		size_t length = strcspn(at, SEPARATORS);
		unsigned int type = length > 1 ? type_of(file, at + 1, length - 1) : 0;

		if (type && *at == '+')
			file->recorded_on |= UINT64_C(1) << type;
		/* "~": a filter rejected some events of this type; it is unknown which. */
		if (type && *at == '~' && of_tree >> type & 1)
			file->recorded_on |= UINT64_C(1) << type;
		else if (type && (*at == '-' || *at == '~'))
			file->recorded_off |= UINT64_C(1) << type;
		if (type && *at == '~')
			file->recorded_filtered |= file->recorded_off & UINT64_C(1) << type;
		at += length;
	}
	file->recorded_listed = file->recorded_on || file->recorded_off;
	/* A module lists only the types that it can record. */
	at = file->recorded_listed ? evtlog_meta(file, "unsupported") : NULL;
	for (; at && *at; at += strspn(at, SEPARATORS)) {
		size_t length = strcspn(at, SEPARATORS);
		unsigned int type = type_of(file, at, length);

		if (type)
			file->recorded_off |= UINT64_C(1) << type;
		at += length;
	}
	file->format.no_switches = file->recorded_off >> EVTLOG_SCHED_SWITCH & 1;
	file->format.no_exits = contexts_without_exits(file->recorded_off);
}

/* A CPU's counters of switches at start and end; @holes: its part has holes. */
struct switches {
	uint64_t at[2];
	bool has[2];
	bool holes;
};

static void take(struct switches *switches, const struct evtlog_event *event)
{
	unsigned int counter;
	bool at_end;

	switches->holes |= event->lost_buffers || event->rest_missing ||
			   (event->kind == EVTLOG_EVENT_GAP && !event->lost);
	if (event->kind != EVTLOG_EVENT_RECORD || event->known != EVTLOG_COUNTER)
		return;
	counter = evtlog_data(event->words, 1, 5);
	if (counter != EVTLOG_COUNTER_SWITCHES && counter != EVTLOG_COUNTER_CTXT)
		return;
	at_end = evtlog_data(event->words, 0, 1);
	switches->at[at_end] = event->words[1];
	switches->has[at_end] = true;
}

/* Returns 1 if a switch was recorded; 0 if none; -errno.  *@counted: the kernel's count. */
static int read_cpu(struct evtlog_file *file, unsigned int slot, uint64_t *counted)
{
	struct switches switches = { 0 };
	const struct evtlog_event *event;
	struct evtlog_stream *stream;
	int result = evtlog_stream_new(file, slot, &stream);

	*counted = 0;
	if (result)
		return result;
	while ((result = evtlog_stream_next(stream, &event)) > 0) {
		if (event->kind == EVTLOG_EVENT_RECORD && event->known == EVTLOG_SCHED_SWITCH)
			break;
		take(&switches, event);
	}
	evtlog_stream_free(stream);
	if (!switches.holes && switches.has[0] && switches.has[1] &&
	    switches.at[1] > switches.at[0])
		*counted = switches.at[1] - switches.at[0];
	return result;
}

static uint64_t lost(const struct evtlog_file *file)
{
	uint64_t sum = 0;

	for (int i = 0; i < EVTLOG_LOST_CAUSES; i++)
		sum += file->summary.lost[i];
	return sum;
}

int recorded_find(struct evtlog_file *file)
{
	uint64_t counted, most = 0;

	if (file->recorded_listed || file->recorded_inferred)
		return 0;
	/* read_cpu() makes streams, which call this function again. */
	file->recorded_inferred = true;
	for (unsigned int slot = 0; slot < file->part_count; slot++) {
		int result = read_cpu(file, slot, &counted);

		if (result < 0) {
			file->recorded_inferred = false;
			return result;
		}
		if (result) {
			file->recorded_on |= UINT64_C(1) << EVTLOG_SCHED_SWITCH;
			return 0;
		}
		if (counted > most)
			most = counted;
	}
	if (most > lost(file)) {
		file->recorded_off |= UINT64_C(1) << EVTLOG_SCHED_SWITCH;
		file->format.no_switches = true;
	}
	return 0;
}

uint32_t evtlog_tree_pid(const struct evtlog_file *file)
{
	return file_meta_pid(file, "tree");
}

enum evtlog_recorded evtlog_recorded(const struct evtlog_file *file, unsigned int type)
{
	if (type > EVTLOG_TYPE_MAX)
		return EVTLOG_RECORDED_UNKNOWN;
	if (file->recorded_off >> type & 1)
		return EVTLOG_RECORDED_OFF;
	return file->recorded_on >> type & 1 ? EVTLOG_RECORDED_ON : EVTLOG_RECORDED_UNKNOWN;
}
