// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86-64 machine code, instruction by instruction; called by stub.c.
 *
 * What does not fit is noted, not written: who emits looks at the end.  Displacements are of 32
 * bits throughout: the short forms save bytes, not instructions.
 */
#include <linux/string.h>
#include <asm/cpufeature.h>
#include <asm/nospec-branch.h>

#include "probe/emit.h"

/* REX: 64-bit operands; the second register, the base of the operand are r8 to r15. */
#define REX	0x40
#define REX_W	0x48
#define REX_R	0x04
#define REX_B	0x01

#define MODRM(mod, reg, rm)	((mod) << 6 | ((reg) & 7) << 3 | ((rm) & 7))

void evtlog_emit_bytes(struct evtlog_code *c, const u8 *bytes, unsigned int n)
{
	if (c->length + n > c->size) {
		c->overflow = true;
		return;
	}
	memcpy(c->buffer + c->length, bytes, n);
	c->length += n;
}

void evtlog_emit_u32(struct evtlog_code *c, u32 value)
{
	evtlog_emit_bytes(c, (const u8 *)&value, sizeof(value));
}

void evtlog_emit_u64(struct evtlog_code *c, u64 value)
{
	evtlog_emit_bytes(c, (const u8 *)&value, sizeof(value));
}

static void emit_relative(struct evtlog_code *c, unsigned long target)
{
	s64 distance = target - (c->address + c->length + 4);

	if (distance != (s32)distance)
		c->overflow = true;
	evtlog_emit_u32(c, distance);
}

void evtlog_emit_call(struct evtlog_code *c, const void *target)
{
	evtlog_emit(c, 0xe8);
	emit_relative(c, (unsigned long)target);
}

static void emit_jump_opcode(struct evtlog_code *c, u8 condition)
{
	if (condition != EVTLOG_JMP)
		evtlog_emit(c, 0x0f);
	evtlog_emit_bytes(c, &condition, 1);
}

/* Forward, to a place that evtlog_emit_label() tells */
void evtlog_emit_jump(struct evtlog_code *c, u8 condition, struct evtlog_label *label)
{
	emit_jump_opcode(c, condition);
	if (label->nr == EVTLOG_LABEL_JUMPS)
		c->overflow = true;
	else
		label->at[label->nr++] = c->length;
	evtlog_emit_u32(c, 0);
}

/* Back, to a @length that was */
void evtlog_emit_back(struct evtlog_code *c, u8 condition, unsigned int target)
{
	emit_jump_opcode(c, condition);
	emit_relative(c, c->address + target);
}

void evtlog_emit_label(struct evtlog_code *c, struct evtlog_label *label)
{
	unsigned int i;

	for (i = 0; i < label->nr && !c->overflow; i++) {
		u32 distance = c->length - (label->at[i] + 4);

		memcpy(c->buffer + label->at[i], &distance, sizeof(distance));
	}
}

void evtlog_emit_return(struct evtlog_code *c)
{
#ifdef CONFIG_RETHUNK
	if (cpu_feature_enabled(X86_FEATURE_RETHUNK)) {
		evtlog_emit(c, 0xe9);
		emit_relative(c, (unsigned long)x86_return_thunk);
		return;
	}
#endif
	evtlog_emit(c, 0xc3);
#ifdef CONFIG_SLS
	evtlog_emit(c, 0xcc);
#endif
}

/* A static per-CPU variable's address fits 32 bits: gs has the rest. */
void evtlog_emit_percpu(struct evtlog_code *c, const u8 *op, unsigned int n, const void *variable)
{
	evtlog_emit(c, 0x65);
	evtlog_emit_bytes(c, op, n);
	evtlog_emit(c, 0x25);
	if ((unsigned long)variable != (unsigned long)(s32)(unsigned long)variable)
		c->overflow = true;
	evtlog_emit_u32(c, (unsigned long)variable);
}

/* movabs $value, %reg */
void evtlog_emit_load_constant(struct evtlog_code *c, unsigned int reg, u64 value)
{
	u8 op[] = { REX_W | (reg >= 8 ? REX_B : 0), 0xb8 | (reg & 7) };

	evtlog_emit_bytes(c, op, sizeof(op));
	evtlog_emit_u64(c, value);
}

/* One more on this CPU; allocated counters may lie anywhere, so that @reg has the address. */
void evtlog_emit_count(struct evtlog_code *c, unsigned int reg, const u64 __percpu *counter)
{
	u8 op[] = { 0x65, REX_W | (reg >= 8 ? REX_B : 0), 0xff, MODRM(0, 0, reg) };

	evtlog_emit_load_constant(c, reg, (__force unsigned long)counter);
	evtlog_emit_bytes(c, op, sizeof(op));
}

/* @base is not rsp or r12, which would need another byte. */
static void emit_memory(struct evtlog_code *c, u8 opcode, unsigned int reg, unsigned int base,
			s32 offset)
{
	u8 op[] = { REX_W | (reg >= 8 ? REX_R : 0) | (base >= 8 ? REX_B : 0), opcode,
		    MODRM(2, reg, base) };

	evtlog_emit_bytes(c, op, sizeof(op));
	evtlog_emit_u32(c, offset);
}

void evtlog_emit_lea(struct evtlog_code *c, unsigned int to, unsigned int base, s32 offset)
{
	emit_memory(c, 0x8d, to, base, offset);
}

void evtlog_emit_load(struct evtlog_code *c, unsigned int to, unsigned int base, s32 offset)
{
	emit_memory(c, 0x8b, to, base, offset);
}

void evtlog_emit_store(struct evtlog_code *c, unsigned int from, unsigned int base, s32 offset)
{
	emit_memory(c, 0x89, from, base, offset);
}

/* The lower @size bytes of @from as 64 bits in rax */
void evtlog_emit_extend(struct evtlog_code *c, unsigned int from, unsigned int size,
			bool is_signed)
{
	u8 rex = (is_signed || size == 8 ? REX_W : REX) | (from >= 8 ? REX_B : 0);
	u8 modrm = MODRM(3, EVTLOG_RAX, from);
	u8 narrow[] = { rex, 0x0f, (is_signed ? 0xbe : 0xb6) | (size == 2), modrm };
	/* movslq, or mov */
	u8 wide[] = { rex, size == 4 && is_signed ? 0x63 : 0x8b, modrm };

	if (size == 8 && from == EVTLOG_RAX)
		return;
	if (size <= 2)
		evtlog_emit_bytes(c, narrow, sizeof(narrow));
	else
		evtlog_emit_bytes(c, wide, sizeof(wide));
}

/* A bit field of rax, extended */
void evtlog_emit_bits(struct evtlog_code *c, unsigned int shift, unsigned int bits,
		      bool is_signed)
{
	u8 left[] = { REX_W, 0xc1, 0xe0, 64 - shift - bits };
	u8 right[] = { REX_W, 0xc1, is_signed ? 0xf8 : 0xe8, 64 - bits };

	evtlog_emit_bytes(c, left, sizeof(left));
	evtlog_emit_bytes(c, right, sizeof(right));
}
