// SPDX-License-Identifier: GPL-2.0-only
/*
 * A filter without fields as a function: it tests only the current task and its CPU.
 *
 * Called by named/.  The function is:
 *
 *		the filter's code; rejected: to 1
 *		mov  $1, %eax
 *		ret
 *	1:	xor  %eax, %eax
 *		ret
 */
#include <linux/err.h>

#include "code/emit.h"
#include "code/text.h"
#include "filter/hook.h"

/* Emits the end of a function: it returns @accepted. */
void filter_emit_answer(struct evtlog_code *c, bool accepted)
{
	if (accepted)
		evtlog_emit_constant(c, EVTLOG_RAX, 1);
	else
		evtlog_emit(c, 0x31, 0xc0);		/* xor %eax, %eax */
	evtlog_emit_return(c);
}

/**
 * filter_emit_within() - emit a filter's code
 * @c:		the code so far; without a buffer only the length grows
 * @stub:	describes the fields; its addresses are set here
 * @after:	rejected records continue this many bytes after the filter's code
 *
 * Return: 0 or a negative error.
 */
int filter_emit_within(struct evtlog_code *c, const struct evtlog_filter *filter,
		       struct evtlog_filter_stub *stub, u32 after)
{
	int size = evtlog_filter_emit(filter, stub, NULL, 0);

	if (size >= 0 && c->buffer) {
		stub->image = c->address + c->length;
		stub->reject = stub->image + size + after;
		size = evtlog_filter_emit(filter, stub, c->buffer + c->length, c->size - c->length);
	}
	if (size < 0)
		return size;
	c->length += size;
	return 0;
}

static int emit_function(struct evtlog_code *c, const void *what)
{
	struct evtlog_filter_task task = evtlog_filter_current;
	struct evtlog_filter_stub stub = {
		.base = EVTLOG_RSP,
		.scratch = { EVTLOG_RAX, EVTLOG_R11 },
		.key = c->key,
		.task = &task,
	};
	struct evtlog_code after = {};
	int error;

	/* A C function may cause events of its own, and run the filter again. */
	task.tree = NULL;
	evtlog_emit(c, 0xf3, 0x0f, 0x1e, 0xfa);		/* endbr64 */
	filter_emit_answer(&after, true);
	error = filter_emit_within(c, what, &stub, after.length);
	if (error)
		return error;
	filter_emit_answer(c, true);
	filter_emit_answer(c, false);
	return 0;
}

/**
 * evtlog_filter_function() - compile a filter to a function in machine code
 * @filter:	compiled without fields; not kept
 *
 * The code changes rax, r11 and the flags.
 *
 * Context: task context, may sleep.
 * Return: the function, for evtlog_text_free(); NULL if this is impossible, as for
 * `tree==`, or if there is no memory: evtlog_filter_run() does the same.
 */
void *evtlog_filter_function(const struct evtlog_filter *filter)
{
	void *function = evtlog_text_make(emit_function, filter);

	return IS_ERR(function) ? NULL : function;
}
