/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where a CPU is: in its task, or in interrupts nested on top of it.
 *
 * Stage: within the decoder of a CPU's records.  It does not know which task.
 */
#ifndef EVTLOG_LIB_STREAM_CONTEXT_H
#define EVTLOG_LIB_STREAM_CONTEXT_H

#include <evtlog/evtlog.h>

/* Real nesting is softirq, hard interrupt, and one more if a driver is broken. */
#define PLACES_MAX	8

struct place {
	uint8_t kind;		/* enum evtlog_place */
	uint32_t number;
};

/* at[0] is the task. */
struct place_stack {
	unsigned int depth;
	struct place at[PLACES_MAX];
};

/* @context: EVTLOG_CONTEXT_* of a buffer's header. */
void place_reset(struct place_stack *stack, uint32_t context);

/* Each returns how many entries or exits must be missing; mostly 0. */
unsigned int place_enter(struct place_stack *stack, uint8_t kind,
			 uint32_t number);
unsigned int place_leave(struct place_stack *stack, uint8_t kind,
			 uint32_t number);
unsigned int place_switch(struct place_stack *stack);

#endif /* EVTLOG_LIB_STREAM_CONTEXT_H */
