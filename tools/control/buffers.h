/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/evtlog/named: named buffers, for evtlog buffer and evtlog sensor.
 *
 * Functions return 0 or -errno and, but for control_buffer_say_refused(), say nothing.
 */
#ifndef EVTLOG_CONTROL_BUFFERS_H
#define EVTLOG_CONTROL_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session.h"

#define CONTROL_BUFFERS		"named/control"

/*
 * A named buffer to be added; texts as the options of evtlog buffer add, NULL: not given.
 */
struct control_buffer_wanted {
	const char *name;
	const char *events, *urgent, *condition, *kb, *buffers;
	bool is_global, overwrites;
};

/*
 * A named buffer as the kernel lists it; texts are within the list's.
 *
 * @state:	recording or ended
 * @events, @urgent: names divided by commas, or "-"
 * @is_global:	one ring of all CPUs
 * @condition:	"" if there is none
 * @overwrites:	it gives up its oldest buffers, of which there were @overwritten
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

/*
 * @error:	why the last order was refused; "" if it was not
 */
struct control_buffers {
	char *text;
	const char *error;
	struct control_buffer *at;
	size_t count, capacity;
};

/** control_buffers_read() - all named buffers; free with control_buffers_free() */
int control_buffers_read(struct control_buffers *buffers);

/** control_buffers_parse() - the same of a text, which is the list's from now on */
int control_buffers_parse(struct control_buffers *buffers, char *text);

void control_buffers_free(struct control_buffers *buffers);

/**
 * control_buffer_bad() - the text that is more than a word, or none: it would be other orders
 *
 * Return: what it is, as "--events"; NULL: there is none.
 */
const char *control_buffer_bad(const struct control_buffer_wanted *wanted);

/**
 * control_buffer_add() - make a named buffer
 * @session:	when it ends the buffer is deleted; NULL: the buffer stays
 *
 * Return: 0 or -errno; -E2BIG: the texts are too long.
 */
int control_buffer_add(struct control_session *session, const struct control_buffer_wanted *wanted);

/** control_buffer_order() - @sign '-' deletes, '!' ends */
int control_buffer_order(char sign, const char *name);

/** control_buffer_say_refused() - why control_buffer_add() or control_buffer_order() failed */
void control_buffer_say_refused(const char *name, int error);

#endif /* EVTLOG_CONTROL_BUFFERS_H */
