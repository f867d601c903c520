/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saves named buffers to files: while they are recorded, like logd saves a run; or the time before
 * a match, `evtlog buffer record --when`.
 */
#ifndef EVTLOG_RECORD_NAMED_H
#define EVTLOG_RECORD_NAMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/buffers.h"

/*
 * @was_deleted: the named buffer was deleted before all of it was read
 * @is_cut:	writing a buffer failed: it is lost, and no more buffers were read
 */
struct named_totals {
	uint64_t buffers;
	uint64_t bytes;
	uint64_t lost;
	bool was_deleted;
	bool is_cut;
};

/**
 * named_record() - save a named buffer until it ends, or until a signal (see workload_signals())
 * @name:	name of the named buffer
 * @path:	the file, which must not exist
 * @totals:	result, also on failure
 *
 * Prints errors.  Returns 0 or -errno.
 */
int named_record(const char *name, const char *path, struct named_totals *totals);

/* ---- flight.c: the flight recorder ---- */

#define FLIGHT_PROBES_MAX	64

/*
 * @output:	path of the file
 * @rule:	of events, as evtlog watch add takes it, without "in" and "do"
 * @last, @after: times before and after the match, such as "200ms"; @after: NULL: none
 * @buffer:	the named buffer that is wanted; its name and mode are ignored
 * @probes:	@probe_count of them, as evtlog probe add takes them
 */
struct flight_options {
	const char *output;
	const char *rule;
	const char *last, *after;
	const struct control_buffer_wanted *buffer;
	char *probes[FLIGHT_PROBES_MAX];
	size_t probe_count;
	bool as_json;
};

/**
 * flight_record() - wait until events match the rule, and record the time before
 *
 * Adds a named buffer that overwrites its oldest events, the probes, and a watch that ends the
 * buffer.  Writes the file, prints the match, and removes what it added.  Prints errors.
 *
 * Return: an exit status; EXIT_EVENTS_LOST: the file does not contain all of the requested time.
 */
int flight_record(const struct flight_options *options);

#endif /* EVTLOG_RECORD_NAMED_H */
