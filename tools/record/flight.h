/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flight recorder: `evtlog buffer record --when`.
 */
#ifndef EVTLOG_RECORD_FLIGHT_H
#define EVTLOG_RECORD_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>

#include "control/buffers.h"

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

#endif /* EVTLOG_RECORD_FLIGHT_H */
