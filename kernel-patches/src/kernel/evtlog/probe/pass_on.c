// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine code that passes words of the caller's stack on to a function that a return's or timer's stub
 * calls; called by stub.c.
 */
#include <linux/evtlog.h>

#include "code/emit.h"
#include "probe/probe.h"

#define PAGE_MASK_32	0xfffff000U
/* Above rbp: what was rbp, the address in the function, the address in its caller */
#define CALLER_ADDRESS	16

/**
 * evtlog_probe_emit_pass_on() - push the words that may be the function's arguments after the sixth
 * @c:		the code; rbp is the stub's frame
 *
 * Words above the address in the function's caller, as arguments of the call to come.  On one page with
 * that address they are there: whatever the stack, its end is a page's.  Beyond it may be another
 * page of the stack, or nothing: where an interrupt's stack begins the caller's frame has one word.
 */
void evtlog_probe_emit_pass_on(struct evtlog_code *c, const struct evtlog_probe *p)
{
	struct evtlog_label is_far = {}, done = {};
	unsigned int i, bytes = p->stack_words * 8;
	u32 loop;

	if (!bytes)
		return;
	evtlog_emit_lea(c, EVTLOG_RAX, EVTLOG_RBP, CALLER_ADDRESS);
	evtlog_emit_lea(c, EVTLOG_R10, EVTLOG_RBP, CALLER_ADDRESS + (s32)bytes);
	evtlog_emit_xor(c, EVTLOG_R10, EVTLOG_RAX);
	evtlog_emit(c, 0x49, 0xf7, 0xc2);	/* test $PAGE_MASK,%r10 */
	evtlog_emit_u32(c, PAGE_MASK_32);
	evtlog_emit_jump(c, EVTLOG_JNE, &is_far);
	for (i = bytes; i; i -= 8) {
		evtlog_emit(c, 0xff, 0xb5);	/* push CALLER_ADDRESS+i(%rbp) */
		evtlog_emit_u32(c, CALLER_ADDRESS + i);
	}
	evtlog_emit_jump(c, EVTLOG_JMP, &done);
	evtlog_emit_label(c, &is_far);
	evtlog_emit_constant(c, EVTLOG_R11, (__force unsigned long)&p->counts->beyond);
	evtlog_emit_constant(c, EVTLOG_R10, bytes);
	loop = c->length;
	evtlog_emit(c, 0x4a, 0x8d, 0x44, 0x15, CALLER_ADDRESS);	/* lea 16(%rbp,%r10),%rax */
	evtlog_emit_call(c, evtlog_probe_load64);
	evtlog_emit_push(c, EVTLOG_RAX);
	evtlog_emit(c, 0x49, 0x83, 0xea, 0x08);	/* sub $8,%r10 */
	evtlog_emit_back(c, EVTLOG_JNE, loop);
	evtlog_emit_label(c, &done);
}
