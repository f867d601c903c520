// SPDX-License-Identifier: GPL-2.0-only
/*
 * Passes words of the caller's stack on to the function, in the stub of a return or of a timer: how
 * many there are, for resolve.c, and the machine code, for stub.c.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/evtlog.h>
#include <linux/string.h>

#include "code/emit.h"
#include "probe/probe.h"

#define PAGE_MASK_32	0xfffff000U
/* Offset from rbp, above the saved rbp and the return address into the function */
#define CALLER_ADDRESS	16

/* Refuses functions with any number of arguments; without BTF, only the name shows them. */
static int pass_on_unknown(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	if (strstr(p->symbol, "printf") || strstr(p->symbol, "printk"))
		return evtlog_probe_refuse(error, -EOPNOTSUPP,
			"%.60s%%return: the function has no BTF, and its name is that of a function with any number of arguments",
			p->symbol);
	p->stack_words = EVTLOG_PROBE_POSITIONS - EVTLOG_PROBE_REGISTERS;
	return 0;
}

#ifdef CONFIG_BPF_SYSCALL

/**
 * evtlog_probe_pass_on() - find out how many stack words the stub of a return passes on
 * @p:		resolved, except for its arguments; @stack_words is set
 * @error:	the reason, if the probe is refused
 *
 * Return: 0 or -EOPNOTSUPP.
 */
int evtlog_probe_pass_on(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	const struct btf *btf = evtlog_probe_btf(p);
	const struct btf_type *proto = evtlog_probe_prototype(btf, p);
	const struct btf_param *params;
	struct evtlog_probe_places used = {};
	unsigned int i;
	int place;

	if (!proto)
		return pass_on_unknown(p, error);
	params = btf_params(proto);
	for (i = 0; i < btf_type_vlen(proto); i++) {
		if (!params[i].type)
			return evtlog_probe_refuse(error, -EOPNOTSUPP,
				"%.60s%%return: the function takes any number of arguments; probe its entry",
				p->symbol);
		place = evtlog_probe_next_place(btf, params[i].type, &used);
		if (place == -EINVAL)
			return evtlog_probe_refuse(error, -EOPNOTSUPP,
				"%.60s%%return: BTF has no size of the function's argument %u",
				p->symbol, i + 1);
		if (place < 0)
			return evtlog_probe_refuse(error, -EOPNOTSUPP,
				"%.60s%%return: the function's argument %u is a packed, empty or wide structure, whose place is not known",
				p->symbol, i + 1);
	}
	if (used.words > EVTLOG_PROBE_STACK_MAX)
		return evtlog_probe_refuse(error, -EOPNOTSUPP,
			"%.60s%%return: the function has %u words of arguments on the stack; %u can be passed on",
			p->symbol, used.words, EVTLOG_PROBE_STACK_MAX);
	p->stack_words = used.words;
	return 0;
}

#else /* !CONFIG_BPF_SYSCALL */

int evtlog_probe_pass_on(struct evtlog_probe *p, struct evtlog_probe_error *error)
{
	return pass_on_unknown(p, error);
}

#endif /* CONFIG_BPF_SYSCALL */

/**
 * evtlog_probe_emit_pass_on() - emit code that pushes what may be arguments after the sixth
 * @c:		the code; rbp is the stub's frame
 *
 * The code pushes the words above the return address into the function's caller, for the call of
 * the function.  Words on the same page as this address exist: every stack ends at the end of a
 * page.  The next page may be another page of the stack, or may not exist: at the start of an
 * interrupt's stack, the caller's frame has only one word.  Words there are read with a check.
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
