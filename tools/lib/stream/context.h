/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The context of a CPU: its task, or interrupts nested on top of it.
 *
 * It does not depend on which task runs.
 */
#ifndef EVTLOG_LIB_STREAM_CONTEXT_H
#define EVTLOG_LIB_STREAM_CONTEXT_H

#include <evtlog/evtlog.h>

#include "lib/codec/record-class.h"

/* Real nesting is softirq, hard interrupt, and one more with a faulty driver. */
#define PLACES_MAX	8

struct context {
	uint8_t kind;		/* enum evtlog_context */
	uint32_t number;
};

/* at[0] is the task. */
struct context_stack {
	unsigned int depth;
	struct context at[PLACES_MAX];
};

/* @context: EVTLOG_CONTEXT_* of a buffer's header. */
void context_reset(struct context_stack *stack, uint32_t context);

/* Each returns the number of entries or exits that must be missing; usually 0. */
unsigned int context_enter(struct context_stack *stack, uint8_t kind,
			   uint32_t number);
unsigned int context_leave(struct context_stack *stack, uint8_t kind,
			   uint32_t number);
unsigned int context_switch(struct context_stack *stack);

/* The same for a record of any class; a switch ends all contexts. */
static inline unsigned int context_take(struct context_stack *stack,
					const struct record_class *class, const uint64_t *words)
{
	if (class->step == RECORD_SWITCH)
		return stack->depth ? context_switch(stack) : 0;
	if (class->context == EVTLOG_IN_TASK)
		return 0;
	return class->step == RECORD_ENTRY ?
	       context_enter(stack, class->context, record_number(class, words)) :
	       context_leave(stack, class->context, record_number(class, words));
}

#endif /* EVTLOG_LIB_STREAM_CONTEXT_H */
