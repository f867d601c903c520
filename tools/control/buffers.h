/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/evtlog/named: named buffers, for evtlog buffer and evtlog sensor.
 *
 * Functions return 0 or -errno.  Only control_buffer_say_refused() prints.
 */
#ifndef EVTLOG_CONTROL_BUFFERS_H
#define EVTLOG_CONTROL_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session.h"
#include "status.h"

#define CONTROL_BUFFERS		"named/control"

/*
 * A named buffer to add.  Strings are in the form of the options of evtlog buffer add, NULL if
 * the option is not given.
 */
struct control_buffer_wanted {
	const char *name;
	const char *events, *urgent, *condition, *kb, *buffers;
	bool is_global, overwrites;
};

/*
 * A named buffer as the kernel lists it.  Strings point into the text of the list.
 *
 * @state:	"recording" or "ended"
 * @events, @urgent: names separated by commas, or "-"
 * @is_global:	True: all CPUs share one ring
 * @condition:	"" if there is none
 * @overwrites:	True: the oldest buffers are overwritten; @overwritten counts them
 */
struct control_buffer {
	const char *name;
	const char *state;
	const char *events;
	const char *urgent;
	const char *condition;
	bool is_global, overwrites;
	uint64_t run, buffers, kb, records, rejected, lost, waiting, overwritten;
};

/* @error: why the last command was refused, "" if it was not */
struct control_buffers {
	char *text;
	const char *error;
	struct control_buffer *at;
	size_t count, capacity;
};

/** control_buffers_read() - read all named buffers; free with control_buffers_free() */
int control_buffers_read(struct control_buffers *buffers);

/**
 * control_buffer_read() - read one named buffer, as the only one in the list
 * @status:	set to the named buffer's status, with its CPUs; NULL: not needed
 *
 * Return: 0; -ENOENT: there is none; -EPROTO: the kernel's text is of another version; or -errno.
 */
int control_buffer_read(struct control_buffers *buffers, const char *name,
			struct control_status *status);

void control_buffers_free(struct control_buffers *buffers);

/**
 * control_buffers_size() - split the number and the size of buffers: "8", "8x512", "8x512K", "x512"
 * @text:	is cut; both strings point into it
 *
 * A part that is not given is not changed.
 */
void control_buffers_size(char *text, const char **buffers, const char **kb);

/**
 * control_buffer_bad() - find a string that is not exactly one word
 *
 * Such a string would change the meaning of the command.
 *
 * Return: the name of the option, such as "--events", or NULL if all strings are words.
 */
const char *control_buffer_bad(const struct control_buffer_wanted *wanted);

/**
 * control_buffer_add() - add a named buffer
 * @session:	the buffer is deleted when this session ends; NULL: the buffer stays
 *
 * Return: 0 or -errno; -E2BIG if the command is too long.
 */
int control_buffer_add(struct control_session *session, const struct control_buffer_wanted *wanted);

/** control_buffer_order() - delete (@sign '-') or end (@sign '!') a named buffer */
int control_buffer_order(char sign, const char *name);

/** control_buffer_say_refused() - print why control_buffer_add() or _order() failed */
void control_buffer_say_refused(const char *name, int error);

#endif /* EVTLOG_CONTROL_BUFFERS_H */
