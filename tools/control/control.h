/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control files of /proc/evtlog, for the commands that start and stop runs.
 *
 * No logs are read here.  Functions return 0 or -errno.  Only functions with "say" in their name
 * print, and control_filter_set().
 */
#ifndef EVTLOG_CONTROL_CONTROL_H
#define EVTLOG_CONTROL_CONTROL_H

#include <stddef.h>

#include "status.h"

#define CONTROL_DIRECTORY	"/proc/evtlog"

/** control_read() - read a control file; @text is malloc()ed */
int control_read(const char *name, char **text);

/** control_read_bytes() - read a binary control file; @bytes is malloc()ed */
int control_read_bytes(const char *name, char **bytes, size_t *length);

/** control_write() - write a string to a control file */
int control_write(const char *name, const char *text);

/** control_status() - read and parse status; free with control_status_free() */
int control_status(struct control_status *status);

/** control_status_or_say() - like control_status(), but print why status cannot be read */
int control_status_or_say(struct control_status *status);

/**
 * control_events() - convert a user's selection of event types for the file events
 * @choice:	names separated by commas or blanks, each with an optional sign (default +). If
 *		the first name has a sign, the selection changes what is on.  If it has none,
 *		only the selected types are on.
 *
 * The types that name tasks are put in front of the first type with a pid.  A later
 * "-task_rename" removes one of them.
 *
 * Returns a malloc()ed string, or NULL if out of memory.
 */
char *control_events(const char *choice);

/** control_events_is_choice() - returns true if @text contains a word */
bool control_events_is_choice(const char *text);

/** control_say_events_unknown() - print which word of a selection the kernel does not know */
void control_say_events_unknown(const char *choice);

/** control_events_now() - return the types and whether they are on, malloc()ed; NULL on failure */
char *control_events_now(void);

/* @name: of @length bytes, without a NUL */
struct control_event {
	const char *name;
	size_t length;
	bool is_on;
};

/**
 * control_events_next() - get the next selectable type from the text of control_events_now()
 * @text:	is moved to the end of this type
 *
 * Returns false after the last type.
 */
bool control_events_next(const char **text, struct control_event *event);

struct control_buffers;

/** control_event_is_named() - returns true if @event is off because a named buffer records it */
bool control_event_is_named(const struct control_buffers *buffers,
			    const struct control_event *event);

/*
 * Counts of the selectable types:
 *
 * @missing:	off, but on at boot; does not include @named
 * @named:	off, because they go to named buffers
 * @is_chosen:	True: a type that is not in @named was on at boot and is off, or the reverse
 */
struct control_events_counts {
	unsigned int known;
	unsigned int on;
	unsigned int missing;
	unsigned int named;
	bool is_chosen;
};

void control_events_count(const char *text, const struct control_buffers *buffers,
			  struct control_events_counts *counts);

/**
 * control_say_events_off() - warn about types that are on at boot, but will not be in the run
 * @is_chosen:	True: the types were selected now, so warn only about types that go to named
 *		buffers.  False: warn also about types that an earlier selection left off
 */
void control_say_events_off(bool is_chosen);

/* ---- Filters of events ---- */

#define CONTROL_FILTERS	"filters"

/* @text: the condition, within the line */
struct control_filter {
	char type[32];
	uint64_t rejected;
	const char *text;
};

/** control_filter_parse() - parse a line of the file; returns false if it is no filter */
bool control_filter_parse(struct control_filter *filter, const char *line);

struct control_session;

/**
 * control_filter_set() - set or delete the filter of a type or group of types
 * @session:	restores the filter from before when it ends; NULL: the change stays
 * @type:	name of the type or group
 * @condition:	"": delete the filter
 *
 * Prints errors.
 *
 * Return: 0 or -errno.
 */
int control_filter_set(struct control_session *session, const char *type, const char *condition);

/* ---- Messages ---- */

/** control_say_tree() - warn if run_tree limits runs to one tree of tasks */
void control_say_tree(void);

/** control_say_sampler() - warn if the sampler is on and will sample tasks in the run */
void control_say_sampler(void);

/** control_say_marks() - warn if trees of tasks are already marked */
void control_say_marks(void);

/** control_say_failed() - print why a file of /proc/evtlog could not be used */
void control_say_failed(const char *name, int error);

/**
 * control_say_refused() - print the kernel's sentence about an order that failed
 * @file:	its first line is the sentence: "error ..."
 * @what:	the part of the command line that the order was made from
 */
void control_say_refused(const char *file, const char *what, int error);

/** control_say_order_failed() - print why a command could not be written to enable */
void control_say_order_failed(int error);

/**
 * control_arm() - arm the kernel: allocate the buffers and switch the hooks on; or disarm it
 * @arms:	false: disarm
 * @as_json:	print the result as JSON
 *
 * Prints the result, or the error.
 *
 * Return: an exit status: EXIT_OK, also if the kernel was in that state before; EXIT_FAILED.
 */
int control_arm(bool arms, bool as_json);

#endif /* EVTLOG_CONTROL_CONTROL_H */
