/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/evtlog/watches and matches: rules over the stream of events, for evtlog watch and flight.
 *
 * Functions return 0 or -errno and say nothing.
 */
#ifndef EVTLOG_CONTROL_WATCHES_H
#define EVTLOG_CONTROL_WATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONTROL_WATCHES		"watches"
#define CONTROL_MATCHES		"matches"
#define CONTROL_MATCH_BYTES	65536	/* of a read of the file */

/*
 * A rule as the kernel lists it; texts are within the list's.
 *
 * @untold:	matches that came too fast to be told
 * @forgotten:	events that waited when others were missed
 * @missed:	buffers that were overwritten before the kernel looked at them
 * @lost:	events that found no buffer
 */
struct control_watch {
	const char *name;
	const char *state;
	const char *rule;
	uint64_t matches, untold, forgotten, missed, lost, records;
};

/*
 * @error:	why the last order was refused; "" if it was not
 */
struct control_watches {
	char *text;
	const char *error;
	struct control_watch *at;
	size_t count, capacity;
};

/** control_watches_read() - all rules; free with control_watches_free() */
int control_watches_read(struct control_watches *watches);

/** control_watches_parse() - the same of a text, which is the list's from now on */
int control_watches_parse(struct control_watches *watches, char *text);

void control_watches_free(struct control_watches *watches);

/*
 * A record of a match; texts are within the line.
 *
 * @event:	NULL: there is none
 * @fields:	"NAME=VALUE NAME=VALUE ..."
 */
struct control_match_side {
	const char *event;
	const char *fields;
	uint64_t ticks;
	unsigned int cpu;
};

/*
 * A match as the kernel tells it.
 *
 * @action:	wake, start, stop or keep
 * @result:	of the action: 0 or -errno
 * @time_ns:	CLOCK_REALTIME
 * @span_ns:	since A
 * @is_whole:	keep: the named buffer has all that was asked for
 * @kept_ns:	keep: so much before the match; -1: all since the buffer was added
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

/** control_match_parse() - a line of matches, which is changed; -EINVAL: it is none */
int control_match_parse(struct control_match *match, char *line);

/* ---- match-print.c ---- */

/** match_print() - to stdout, at once; with @as_json one object a line */
void match_print(const struct control_match *match, bool as_json);

#endif /* EVTLOG_CONTROL_WATCHES_H */
