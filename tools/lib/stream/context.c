// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The stack of contexts of a CPU, which tolerates missing records.
 *
 * If a buffer begins within an interrupt, its header has the kind of the context, but no number.
 * Such a context becomes the one that is entered within it on the same level, and ends at the
 * first exit that fits its kind.
 */
#include "context.h"

static bool is_hard(uint8_t kind)
{
	return kind == EVTLOG_IN_IRQ || kind == EVTLOG_IN_VECTOR;
}

static bool is_anonymous(const struct context *context)
{
	return context->kind != EVTLOG_IN_TASK &&
	       context->number == EVTLOG_NUMBER_UNKNOWN;
}

static bool same_level(const struct context *context, uint8_t kind)
{
	return context->kind == kind ||
	       (is_hard(context->kind) && is_hard(kind));
}

void context_reset(struct context_stack *stack, uint32_t context)
{
	stack->depth = 0;
	stack->at[0] = (struct context) { .kind = EVTLOG_IN_TASK };
	if (context & EVTLOG_CONTEXT_SOFTIRQ)
		stack->at[++stack->depth] = (struct context) {
			EVTLOG_IN_SOFTIRQ, EVTLOG_NUMBER_UNKNOWN
		};
	if (context & EVTLOG_CONTEXT_HARDIRQ)
		stack->at[++stack->depth] = (struct context) {
			EVTLOG_IN_IRQ, EVTLOG_NUMBER_UNKNOWN
		};
}

unsigned int context_enter(struct context_stack *stack, uint8_t kind,
			   uint32_t number)
{
	struct context *top = &stack->at[stack->depth];
	unsigned int missing = 0;

	/* The end of a hard interrupt without a handler is not recorded. */
	if (kind == EVTLOG_IN_SOFTIRQ)
		while (stack->depth && is_hard(top->kind)) {
			missing += !is_anonymous(top);
			top = &stack->at[--stack->depth];
		}
	if (stack->depth && is_anonymous(top) && same_level(top, kind)) {
		*top = (struct context) { kind, number };
		return missing;
	}
	/* Softirqs of a CPU do not nest. */
	if (kind == EVTLOG_IN_SOFTIRQ && top->kind == EVTLOG_IN_SOFTIRQ) {
		top->number = number;
		return missing + 1;
	}
	if (stack->depth + 1 == PLACES_MAX) {
		missing += stack->depth;
		stack->depth = 0;
	}
	stack->at[++stack->depth] = (struct context) { kind, number };
	return missing;
}

unsigned int context_leave(struct context_stack *stack, uint8_t kind,
			   uint32_t number)
{
	unsigned int missing = 0;

	for (unsigned int i = stack->depth; i; i--) {
		const struct context *context = &stack->at[i];

		if ((context->kind == kind && context->number == number) ||
		    (is_anonymous(context) && same_level(context, kind))) {
			stack->depth = i - 1;
			return missing;
		}
		missing += !is_anonymous(context);
	}
	return 1;
}

unsigned int context_switch(struct context_stack *stack)
{
	unsigned int missing = 0;

	for (; stack->depth; stack->depth--)
		missing += !is_anonymous(&stack->at[stack->depth]);
	return missing;
}
