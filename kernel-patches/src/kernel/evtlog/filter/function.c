// SPDX-License-Identifier: GPL-2.0-only
/*
 * A filter as a function: without fields, or over the payload of a registered event.
 *
 * Called by named/ and by registered.c.  The function is:
 *
 *		cmp  $END, %rsi		does the record have all fields that the filter needs?
 *		jb   2
 *		sub  $BYTES, %rsp
 *		slots that the filter needs: from the payload at %rdi
 *		the filter's code; rejected: to 1
 *		add  $BYTES, %rsp
 *		mov  $1, %eax
 *		ret
 *	1:	add  $BYTES, %rsp
 *	2:	xor  %eax, %eax
 *		ret
 *
 * Without fields, it has only the filter's code, and the results.
 */
#include <linux/err.h>
#include <linux/minmax.h>

#include "code/emit.h"
#include "code/text.h"
#include "filter/hook.h"
#include "filter/tree.h"

/* @layout: NULL: the filter names no fields */
struct order {
	const struct filter_layout *layout;
	const struct evtlog_filter *filter;
};

static void emit_slots(struct evtlog_code *c, const struct filter_layout *l, u64 used)
{
	unsigned int i;

	for (i = 0; i < l->nr; i++) {
		struct evtlog_operand slot = { EVTLOG_RSP, 8 * i };
		struct evtlog_operand field = { EVTLOG_RDI, l->offset[i] };

		if (!(used >> i & 1))
			continue;
		evtlog_emit_load(c, EVTLOG_RAX, field, l->fields[i].width, false);
		if (l->swapped >> i & 1)
			evtlog_emit_swap(c, l->fields[i].width);
		evtlog_emit_store(c, EVTLOG_RAX, slot);
	}
}

static void emit_begin(struct evtlog_code *c, const struct order *order,
		       struct evtlog_label *rejected)
{
	const struct filter_layout *l = order->layout;
	u64 used = filter_slots_used(order->filter);
	u32 end = 0;
	unsigned int i;

	for (i = 0; i < l->nr; i++) {
		if (used >> i & 1)
			end = max_t(u32, end, l->offset[i] + l->fields[i].width);
	}
	evtlog_emit_compare_number(c, EVTLOG_RSI, end);
	evtlog_emit_jump(c, EVTLOG_JB, rejected);
	evtlog_emit(c, 0x48, 0x81, 0xec);		/* sub $BYTES, %rsp */
	evtlog_emit_u32(c, 8 * l->nr);
	emit_slots(c, l, used);
}

/* @rejected: set to where the result is 0, and the stack is as at the begin; or NULL: accepted */
static void emit_answer(struct evtlog_code *c, const struct filter_layout *layout,
			struct evtlog_label *rejected)
{
	if (layout) {
		evtlog_emit(c, 0x48, 0x81, 0xc4);	/* add $BYTES, %rsp */
		evtlog_emit_u32(c, 8 * layout->nr);
	}
	if (rejected) {
		evtlog_emit_label(c, rejected);
		evtlog_emit(c, 0x31, 0xc0);		/* xor %eax, %eax */
	} else {
		evtlog_emit_constant(c, EVTLOG_RAX, 1);
	}
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
	const struct order *order = what;
	struct evtlog_filter_task task = evtlog_filter_current;
	struct evtlog_filter_stub stub = {
		.base = EVTLOG_RSP,
		.scratch = { EVTLOG_RAX, EVTLOG_R11 },
		.key = c->key,
		.task = &task,
	};
	struct evtlog_label rejected = {};
	struct evtlog_code after = {};
	int error;

	evtlog_emit(c, 0xf3, 0x0f, 0x1e, 0xfa);		/* endbr64 */
	if (order->layout)
		emit_begin(c, order, &rejected);
	else
		/* A C function may cause events of its own, and run the filter again. */
		task.tree = NULL;
	emit_answer(&after, order->layout, NULL);
	error = filter_emit_within(c, order->filter, &stub, after.length);
	if (error)
		return error;
	emit_answer(c, order->layout, NULL);
	emit_answer(c, order->layout, &rejected);
	return 0;
}

/**
 * filter_payload_function() - compile a filter to a function of a payload and its length
 * @layout:	of the payload
 * @filter:	compiled for the fields of @layout; not kept
 *
 * Context: task context, may sleep.
 * Return: bool (*)(const void *payload, size_t bytes), for evtlog_text_free(); or an error pointer.
 */
void *filter_payload_function(const struct filter_layout *layout,
			      const struct evtlog_filter *filter)
{
	return evtlog_text_make(emit_function, &(struct order){ layout, filter });
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
	void *function = evtlog_text_make(emit_function, &(struct order){ NULL, filter });

	return IS_ERR(function) ? NULL : function;
}
