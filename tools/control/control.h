/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control files of /proc/evtlog, for the commands that start and stop.
 *
 * No log is read here.  Functions return 0 or -errno and say nothing, except
 * those named say.
 */
#ifndef EVTLOG_CONTROL_CONTROL_H
#define EVTLOG_CONTROL_CONTROL_H

#include <stddef.h>

#include "status.h"

#define CONTROL_DIRECTORY	"/proc/evtlog"

/** control_read() - a control file's text, malloc()ed */
int control_read(const char *name, char **text);

/** control_read_bytes() - the same of a file that is no text */
int control_read_bytes(const char *name, char **bytes, size_t *length);

/** control_write() - write a text to a control file */
int control_write(const char *name, const char *text);

/** control_status() - read and parse status; free with control_status_free() */
int control_status(struct control_status *status);

/** control_status_or_say() - the same, and say why if it can't be read */
int control_status_or_say(struct control_status *status);

/**
 * control_events() - what to write to events for a user's choice
 * @choice:	names divided by commas or blanks, each with a sign or without (+).  If
 *		the first has one they change what is on; else they are all that is on.
 *
 * With the first type that has a pid those are on that name tasks; "-task_rename" behind
 * it leaves one of them out.
 *
 * Returns a malloc()ed text, or NULL for want of memory.
 */
char *control_events(const char *choice);

/** control_events_is_choice() - is there a word in it? */
bool control_events_is_choice(const char *text);

/** control_say_events_unknown() - say which word of a choice the kernel does not know */
void control_say_events_unknown(const char *choice);

/** control_events_now() - the same for what is on now; NULL on failure */
char *control_events_now(void);

/* @name: of @length, without a NUL */
struct control_event {
	const char *name;
	size_t length;
	bool is_on;
};

/**
 * control_events_next() - the next type of control_events_now() that can be chosen
 * @text:	moved behind it
 *
 * Returns false behind the last.
 */
bool control_events_next(const char **text, struct control_event *event);

struct control_buffers;

/** control_event_is_named() - is it off because it goes to one of these named buffers? */
bool control_event_is_named(const struct control_buffers *buffers,
			    const struct control_event *event);

/*
 * Of the types that can be chosen:
 *
 * @missing:	off, though on at boot
 * @named:	off, because they go to named buffers; not missing
 * @is_chosen:	some others are not as at boot
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
 * control_say_events_off() - say which usual types the run will not have
 * @is_chosen:	they were chosen now: only what goes to named buffers in spite of that is said;
 *		else also what an earlier choice left off
 */
void control_say_events_off(bool is_chosen);

/** control_say_tree() - say that runs are of one tree of tasks alone, if that was set before */
void control_say_tree(void);

/** control_say_sampler() - say that tasks are sampled in the run, if that was set before */
void control_say_sampler(void);

/** control_say_marks() - say that trees of tasks are marked, if that was done before */
void control_say_marks(void);

/** control_say_failed() - why a file of /proc/evtlog could not be used */
void control_say_failed(const char *name, int error);

/**
 * control_say_refused() - print the kernel's sentence about an order that failed
 * @file:	its first line is the sentence: "error ..."
 * @what:	the part of the command line that the order was made from
 */
void control_say_refused(const char *file, const char *what, int error);

/** control_say_order_failed() - why an order could not be written to enable */
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
