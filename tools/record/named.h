/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saves named buffers to files: while they are recorded, like logd saves a run; or the time before
 * a match, `evtlog buffer record --when`.  Adds rules, and waits for matches.
 */
#ifndef EVTLOG_RECORD_NAMED_H
#define EVTLOG_RECORD_NAMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/buffers.h"

/*
 * @lost:	events, as of the buffers that were written
 * @has_ended:	the named buffer was ended or deleted, and all that could be read is written
 * @was_deleted: the named buffer was deleted before all of it was read
 */
struct named_result {
	uint64_t lost;
	bool has_ended;
	bool was_deleted;
};

/**
 * named_record() - save a named buffer until it ends, or until a signal (see workload_signals())
 * @name:	name of the named buffer
 * @path:	the file; if it is one of this named buffer, it is continued, else it must not exist
 * @result:	set, also on failure
 *
 * Writes as logd does: if the disk is full, waits for space.  Buffers that are not written stay in
 * the kernel.  Prints errors.  Returns 0 or -errno.
 */
int named_record(const char *name, const char *path, struct named_result *result);

/* ---- flight.c: the flight recorder ---- */

#define FLIGHT_PROBES_MAX	64

/*
 * @output:	path of the file
 * @rule:	of events, as rules_add() takes it, without "in"
 * @action:	appended to @rule: " do keep TIME", or "" if @rule has an action
 * @buffer:	the named buffer that is wanted; its name and mode are ignored
 * @probes:	@probe_count of them, as evtlog probe add takes them
 */
struct flight_options {
	const char *output;
	const char *rule;
	const char *action;
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

/*
 * ---- rules.c: rules over the stream of events ----
 *
 * Functions that return an exit status print errors.
 */

/**
 * rules_add() - add a rule
 * @words:	the rule, NULL-terminated
 * @period_ms:	how often all rules are applied; 0: as it is
 */
int rules_add(const char *name, char **words, uint32_t period_ms);

/** rules_has() - is there a rule of this name; NULL: any rule */
bool rules_has(const char *name);

/** rules_delete() - delete a rule, "*" all; returns an exit status */
int rules_delete(const char *name);

/**
 * rules_wait() - print matches as they come
 * @names:	rules, NULL-terminated; none: all
 * @count:	of matches to wait for
 * @timeout_ms:	0: no limit
 *
 * Return: an exit status; EXIT_FAILED also without @count matches in time.
 */
int rules_wait(char **names, uint64_t count, uint32_t timeout_ms, bool as_json);

/* ---- list.c ---- */

/** named_list() - print all named buffers, then all rules; returns an exit status, prints errors */
int named_list(bool as_json);

#endif /* EVTLOG_RECORD_NAMED_H */
