// SPDX-License-Identifier: GPL-2.0-only
/*
 * Machine code that fills a record with bytes from memory; called by stub.c.
 *
 * The stub copies bytes of kernel memory and of packets.  evtlog_probe_fill_slow() fills the whole
 * record if it has a string or less than a word of memory, or if a copy fails, as for user memory.
 */
#include <linux/build_bug.h>
#include <linux/evtlog.h>
#include <linux/skbuff.h>

#include "code/emit.h"
#include "probe/probe.h"
#include "ring.h"

/* Size of rdi, rsi and rcx, which are pushed on top of the slots while bytes are copied */
#define PUSHED	24

static struct evtlog_operand slot(unsigned int i)
{
	return (struct evtlog_operand){ EVTLOG_RSP, PUSHED + (s32)i * 8 };
}

static void emit_push(struct evtlog_code *c)
{
	evtlog_emit(c, 0x57, 0x56, 0x51);	/* push %rdi; push %rsi; push %rcx */
}

static void emit_pop(struct evtlog_code *c)
{
	evtlog_emit(c, 0x59, 0x5e, 0x5f);	/* pop %rcx; pop %rsi; pop %rdi */
}

/* True if the stub copies the argument.  evtlog_probe_copy_tail needs at least a word. */
static bool is_copied(const struct evtlog_probe_arg *arg)
{
	if (!arg->bytes)
		return true;
	if (arg->kind == 'c')
		return false;
	return arg->of != EVTLOG_PROBE_MEMORY || arg->bytes >= sizeof(u64);
}

static bool are_all_copied(const struct evtlog_probe *p)
{
	unsigned int i;

	for (i = 0; i < p->nr_args; i++) {
		if (!is_copied(&p->args[i]))
			return false;
	}
	return true;
}

/* Emits a store of zeros after the bytes: movq $0, last(%r10) */
static void emit_zero_tail(struct evtlog_code *c, const struct evtlog_probe_arg *arg)
{
	if (!(arg->bytes % sizeof(u64)))
		return;
	evtlog_emit(c, 0x49, 0xc7, 0x82);
	evtlog_emit_u32(c, 8 + arg->offset + round_down(arg->bytes, sizeof(u64)));
	evtlog_emit_u32(c, 0);
}

/* Emits a copy of the packet's bytes to rdi; rsi is the packet. */
static void emit_copy_packet(struct evtlog_code *c, const struct evtlog_probe_arg *arg)
{
	const s32 len = offsetof(struct sk_buff, len);

	BUILD_BUG_ON(offsetof(struct sk_buff, data_len) != offsetof(struct sk_buff, len) + 4);
	evtlog_emit_lea(c, EVTLOG_RSI, EVTLOG_RSI, len);
	evtlog_emit_constant(c, EVTLOG_R11, offsetof(struct sk_buff, data) - len);
	evtlog_emit_constant(c, EVTLOG_RCX, arg->bytes);
	evtlog_emit_constant(c, EVTLOG_RAX, arg->start);
	emit_zero_tail(c, arg);
	evtlog_emit_call(c, arg->of == EVTLOG_PROBE_LINEAR ? evtlog_probe_copy_linear :
							     evtlog_probe_copy_whole);
}

static void emit_copy_memory(struct evtlog_code *c, const struct evtlog_probe_arg *arg)
{
	unsigned int tail = arg->bytes % sizeof(u64);

	evtlog_emit_constant(c, EVTLOG_RCX, arg->bytes / sizeof(u64));
	emit_zero_tail(c, arg);
	if (tail)
		evtlog_emit_constant(c, EVTLOG_RAX, tail);
	evtlog_emit_call(c, tail ? evtlog_probe_copy_tail : evtlog_probe_copy_words);
}

static void emit_copy(struct evtlog_code *c, const struct evtlog_probe *p, unsigned int i,
		      struct evtlog_label *failed)
{
	const struct evtlog_probe_arg *arg = &p->args[i];

	evtlog_emit_load(c, EVTLOG_RSI, slot(i), 8, false);
	evtlog_emit_lea(c, EVTLOG_RDI, EVTLOG_R10, 8 + arg->offset);
	if (arg->of == EVTLOG_PROBE_MEMORY)
		emit_copy_memory(c, arg);
	else
		emit_copy_packet(c, arg);
	evtlog_emit_jump(c, EVTLOG_JAE, failed);	/* no carry */
}

/**
 * evtlog_probe_emit_store() - emit code that stores a value in the record at r10
 * @c:		the code; the value is in rax, which may change
 * @arg:	argument with this value
 */
void evtlog_probe_emit_store(struct evtlog_code *c, const struct evtlog_probe_arg *arg)
{
	struct evtlog_operand to = { EVTLOG_R10, 8 + arg->offset };

	if (evtlog_probe_is_swapped(arg))
		evtlog_emit_swap(c, sizeof(u32));
	evtlog_emit_store(c, EVTLOG_RAX, to);
}

static void emit_value(struct evtlog_code *c, const struct evtlog_probe *p, unsigned int i)
{
	evtlog_emit_load(c, EVTLOG_RAX, slot(i), 8, false);
	evtlog_probe_emit_store(c, &p->args[i]);
}

static void emit_slow(struct evtlog_code *c, const struct evtlog_probe *p)
{
	evtlog_emit(c, 0x49, 0x89, 0xe3);	/* mov %rsp,%r11 */
	evtlog_emit_constant(c, EVTLOG_RAX, (unsigned long)p);
	evtlog_emit_call(c, evtlog_probe_call_fill);
}

/**
 * evtlog_probe_emit_busy() - emit code that makes the ring busy, or not busy any more
 * @is_busy:	True: the code reads memory next.  A fault handler, which may be probed, may run
 */
void evtlog_probe_emit_busy(struct evtlog_code *c, bool is_busy)
{
	if (is_busy)
		evtlog_emit_on_cpu(c, &evtlog_ring.busy, 0xfe, 0x04);	/* incb %gs:busy */
	else
		evtlog_emit_on_cpu(c, &evtlog_ring.busy, 0xfe, 0x0c);	/* decb %gs:busy */
}

/**
 * evtlog_probe_emit_bytes() - emit code that fills the record at r10
 * @c:		the code; the slots are at rsp
 * @p:		a probe with arguments of bytes
 *
 * The result is the same as with evtlog_probe_fill_slow().
 */
void evtlog_probe_emit_bytes(struct evtlog_code *c, const struct evtlog_probe *p)
{
	struct evtlog_label failed = {}, done = {};
	unsigned int i;

	if (!are_all_copied(p)) {
		emit_slow(c, p);
		return;
	}
	evtlog_probe_emit_busy(c, true);
	emit_push(c);
	for (i = 0; i < p->nr_args; i++) {
		if (p->args[i].bytes)
			emit_copy(c, p, i, &failed);
		else
			emit_value(c, p, i);
	}
	emit_pop(c);
	evtlog_probe_emit_busy(c, false);
	evtlog_emit_jump(c, EVTLOG_JMP, &done);
	evtlog_emit_label(c, &failed);
	emit_pop(c);
	evtlog_probe_emit_busy(c, false);
	emit_slow(c, p);
	evtlog_emit_label(c, &done);
}
