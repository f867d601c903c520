/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the events of a log say, kept in memory, each at a position by which it is found again.
 *
 * KernelShark has one number of its own in each entry, and asks for names and fields at any
 * time and in any order; merged files can be read in their order only.  It keeps no times:
 * those are the entries'.
 */
#ifndef EVTLOG_KSHARK_RECORDS_H
#define EVTLOG_KSHARK_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

/* All zero: none. */
struct records {
	uint64_t *words;
	size_t count;
	size_t capacity;
};

/**
 * records_add() - keep an event behind those that are kept
 * @file:	that describes its type
 * @doubtful:	as of struct evtlog_merged_event
 *
 * Its position is @count before the call.  Returns 0 or -ENOMEM.
 */
int records_add(struct records *records, const struct evtlog_file *file,
		const struct evtlog_event *event, bool doubtful);

/**
 * records_get() - an event that is kept
 * @position:	that records_add() gave it
 * @event:	filled in but for its times, CPU and number of the context; its words live until the next records_add()
 * @doubtful:	as it was given; may be NULL
 *
 * Returns false if there is none at @position: it comes from outside.
 */
bool records_get(const struct records *records, uint64_t position, struct evtlog_event *event,
		 bool *doubtful);

void records_free(struct records *records);

#endif /* EVTLOG_KSHARK_RECORDS_H */
