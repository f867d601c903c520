/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/evtlog/watches and matches: rules over the stream of events, for evtlog buffer.
 *
 * Functions return 0 or -errno.  Only match_print() prints.
 */
#ifndef EVTLOG_CONTROL_WATCHES_H
#define EVTLOG_CONTROL_WATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONTROL_WATCHES		"watches"
#define CONTROL_MATCHES		"matches"
#define CONTROL_MATCH_BYTES	65536	/* bytes of one read of this file */

/*
 * A rule as the kernel lists it.  Strings point into the text of the list.
 *
 * @unreported: matches that were not reported because too many came at a time
 * @forgotten:	first events that were dropped, because records were missed or too many waited
 * @missed:	buffers that were overwritten before the kernel read them
 * @lost:	events lost because no buffer was free
 */
struct control_watch {
	const char *name;
	const char *state;
	const char *rule;
	uint64_t matches, unreported, forgotten, missed, lost, records;
};

/* @error: why the last command was refused, "" if it was not */
struct control_watches {
	char *text;
	const char *error;
	struct control_watch *at;
	size_t count, capacity;
};

/** control_watches_read() - read all rules; free with control_watches_free() */
int control_watches_read(struct control_watches *watches);

void control_watches_free(struct control_watches *watches);

/*
 * One of the two events of a match.  Strings point into the line.
 *
 * @event:	NULL if there is none
 * @fields:	"NAME=VALUE NAME=VALUE ..."
 */
struct control_match_side {
	const char *event;
	const char *fields;
	uint64_t ticks;
	unsigned int cpu;
};

/*
 * A match as reported by the kernel.
 *
 * @action:	wake, start, stop or keep
 * @result:	of the action: 0 or -errno
 * @time_ns:	CLOCK_REALTIME
 * @span_ns:	time since A
 * @is_whole:	keep: the named buffer contains the whole time that was asked for
 * @kept_ns:	keep: time before the match that the buffer contains; -1: all since it was added
 */
struct control_match {
	const char *watch;
	const char *action;
	int result;
	uint64_t time_ns, span_ns;
	struct control_match_side a, b;
	bool is_whole;
	int64_t kept_ns;
};

/** control_match_parse() - parse (and modify) a line of matches; -EINVAL if it is not a match */
int control_match_parse(struct control_match *match, char *line);

/** match_print() - print to stdout and flush; if @as_json one object per line */
void match_print(const struct control_match *match, bool as_json);

#endif /* EVTLOG_CONTROL_WATCHES_H */
