// SPDX-License-Identifier: GPL-2.0-only
/*
 * Emits x86-64 machine code, one instruction at a time, for probes and filters.
 *
 * Bytes that do not fit are counted, not written: the caller checks at the end.  The codes are in
 * Intel's manual, volume 2.
 */
#include <linux/string.h>

#include "code/emit.h"

/* REX prefix: 64-bit operands; the second register or the operand's base is r8 to r15. */
#define REX	0x40
#define REX_W	0x08
#define REX_R	0x04
#define REX_B	0x01

void evtlog_emit_bytes(struct evtlog_code *c, const u8 *bytes, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++, c->length++) {
		if (c->length < c->size)
			c->buffer[c->length] = bytes[i];
	}
}

static void emit_byte(struct evtlog_code *c, u8 byte)
{
	evtlog_emit_bytes(c, &byte, 1);
}

static void emit_number(struct evtlog_code *c, u64 value, unsigned int bytes)
{
	for (; bytes; bytes--, value >>= 8)
		emit_byte(c, (u8)value);
}

void evtlog_emit_u32(struct evtlog_code *c, u32 value)
{
	emit_number(c, value, sizeof(value));
}

static void emit_relative(struct evtlog_code *c, unsigned long target)
{
	s64 distance = target - (c->address + c->length + 4);

	if (distance != (s32)distance)
		c->failed = true;
	evtlog_emit_u32(c, (u32)distance);
}

void evtlog_emit_call(struct evtlog_code *c, const void *target)
{
	emit_byte(c, 0xe8);
	emit_relative(c, (unsigned long)target);
}

/* Jumps out of the code. */
void evtlog_emit_goto(struct evtlog_code *c, const void *target)
{
	emit_byte(c, EVTLOG_JMP);
	emit_relative(c, (unsigned long)target);
}

static void emit_jump_opcode(struct evtlog_code *c, u8 condition)
{
	if (condition != EVTLOG_JMP)
		emit_byte(c, 0x0f);
	emit_byte(c, condition);
}

/* Jumps forward, to a place that evtlog_emit_label() sets later. */
void evtlog_emit_jump(struct evtlog_code *c, u8 condition, struct evtlog_label *label)
{
	u32 at;

	emit_jump_opcode(c, condition);
	at = c->length;
	evtlog_emit_u32(c, label->last);
	label->last = at;
}

/* Jumps back, to a previous @length. */
void evtlog_emit_back(struct evtlog_code *c, u8 condition, u32 target)
{
	emit_jump_opcode(c, condition);
	emit_relative(c, c->address + target);
}

/* Makes all jumps to @label go to @at: an offset in the code, or after or in front of the code. */
void evtlog_emit_label_at(struct evtlog_code *c, struct evtlog_label *label, u32 at)
{
	u32 jump = label->last, before, distance;

	while (jump && c->length <= c->size) {
		memcpy(&before, c->buffer + jump, sizeof(before));
		distance = at - (jump + 4);
		memcpy(c->buffer + jump, &distance, sizeof(distance));
		jump = before;
	}
	label->last = 0;
}

void evtlog_emit_label(struct evtlog_code *c, struct evtlog_label *label)
{
	evtlog_emit_label_at(c, label, c->length);
}

/* A static per-CPU variable's address fits in 32 bits: gs has the rest. */
void evtlog_emit_percpu(struct evtlog_code *c, const u8 *op, unsigned int n, const void *variable)
{
	emit_byte(c, 0x65);
	evtlog_emit_bytes(c, op, n);
	emit_byte(c, 0x25);
	if ((unsigned long)variable != (unsigned long)(s32)(unsigned long)variable)
		c->failed = true;
	evtlog_emit_u32(c, (u32)(unsigned long)variable);
}

static bool is_byte(s32 value)
{
	return value >= -128 && value <= 127;
}

/* Emits ModRM and the bytes that follow it. */
static void emit_operand(struct evtlog_code *c, u8 reg, struct evtlog_operand m)
{
	bool is_short = is_byte(m.offset);

	reg = (reg & 7) << 3;
	if (m.base == EVTLOG_GS) {
		/* No base, no index: an address of 32 bits */
		emit_byte(c, reg | 4);
		emit_byte(c, 0x25);
		evtlog_emit_u32(c, (u32)m.offset);
		return;
	}
	emit_byte(c, (is_short ? 0x40 : 0x80) | reg | (m.base & 7));
	if ((m.base & 7) == EVTLOG_RSP)
		emit_byte(c, 0x24);
	emit_number(c, (u32)m.offset, is_short ? 1 : 4);
}

/* Emits prefixes and the opcode: one byte, or 0x0f and a byte if @code is above 0xff. */
static void emit_opcode(struct evtlog_code *c, unsigned int code, unsigned int width, u8 reg,
			u8 base)
{
	u8 rex = (width == 8 ? REX_W : 0) | (reg > 7 ? REX_R : 0) |
		 (base != EVTLOG_GS && base > 7 ? REX_B : 0);

	if (base == EVTLOG_GS)
		emit_byte(c, 0x65);
	if (width == 2)
		emit_byte(c, 0x66);
	if (rex)
		emit_byte(c, REX | rex);
	if (code > 0xff)
		emit_byte(c, 0x0f);
	emit_byte(c, (u8)code);
}

static void emit_registers(struct evtlog_code *c, unsigned int code, unsigned int width, u8 reg,
			   u8 with)
{
	emit_opcode(c, code, width, with, reg);
	emit_byte(c, 0xc0 | (with & 7) << 3 | (reg & 7));
}

/* mov or movabs $value, to */
void evtlog_emit_constant(struct evtlog_code *c, u8 to, u64 value)
{
	unsigned int width = value == (u32)value ? 4 : 8;

	emit_opcode(c, 0xb8 | (to & 7), width, 0, to);
	emit_number(c, value, width);
}

/*
 * Loads a number that a user chose.  If the code has a key, it does not contain the number's bytes,
 * so that users cannot choose executable bytes.  Flags change in this case.
 */
void evtlog_emit_chosen(struct evtlog_code *c, u8 to, u64 value)
{
	unsigned int width = value == (u32)value ? 4 : 8, i;
	u64 key = width == 4 ? c->key : (u64)c->key << 32 | c->key;

	if (!key) {
		evtlog_emit_constant(c, to, value);
		return;
	}
	emit_opcode(c, 0xb8 | (to & 7), width, 0, to);
	emit_number(c, value ^ key, width);
	for (i = 0; i < width; i += 4) {
		emit_opcode(c, 0x81, width, 0, to);	/* xor $key, to */
		emit_byte(c, 0xf0 | (to & 7));
		evtlog_emit_u32(c, c->key);
		if (width == 4)
			continue;
		emit_opcode(c, 0xc1, width, 0, to);	/* rol $32, to */
		emit_byte(c, 0xc0 | (to & 7));
		emit_byte(c, 32);
	}
}

/* Adds 1 to a per-CPU counter.  Allocated counters may be anywhere, so @reg gets the address. */
void evtlog_emit_count(struct evtlog_code *c, u8 reg, unsigned long counter)
{
	struct evtlog_operand at = { reg, 0 };

	evtlog_emit_constant(c, reg, counter);
	emit_byte(c, 0x65);
	emit_opcode(c, 0xff, 8, 0, reg);
	emit_operand(c, 0, at);
}

void evtlog_emit_lea(struct evtlog_code *c, u8 to, u8 base, s32 offset)
{
	struct evtlog_operand from = { base, offset };

	emit_opcode(c, 0x8d, 8, to, base);
	emit_operand(c, to, from);
}

/* Opcode for a value in memory or in a register */
static unsigned int load_code(unsigned int width, bool is_signed)
{
	switch (width) {
	case 1: return is_signed ? 0x1be : 0x1b6;
	case 2: return is_signed ? 0x1bf : 0x1b7;
	case 4: return is_signed ? 0x63 : 0x8b;
	default: return 0x8b;
	}
}

/* 32 bits suffice for values without a sign: the upper half becomes 0. */
static unsigned int load_width(unsigned int width, bool is_signed)
{
	return is_signed || width == 8 ? 8 : 4;
}

/* mov, movzx or movsx: all 64 bits of @to are set. */
void evtlog_emit_load(struct evtlog_code *c, u8 to, struct evtlog_operand from,
		      unsigned int width, bool is_signed)
{
	emit_opcode(c, load_code(width, is_signed), load_width(width, is_signed), to, from.base);
	emit_operand(c, to, from);
}

/* mov, all 64 bits */
void evtlog_emit_store(struct evtlog_code *c, u8 from, struct evtlog_operand to)
{
	emit_opcode(c, 0x89, 8, from, to.base);
	emit_operand(c, from, to);
}

void evtlog_emit_push(struct evtlog_code *c, u8 reg)
{
	emit_opcode(c, 0x50 | (reg & 7), 4, 0, reg);
}

/* Emits an instruction on the operand at %gs:@at, whose base may be a register. */
void evtlog_emit_at_cpu(struct evtlog_code *c, u8 opcode, unsigned int width, u8 reg,
			struct evtlog_operand at)
{
	if (at.base != EVTLOG_GS)
		emit_byte(c, 0x65);
	emit_opcode(c, opcode, width, reg, at.base);
	emit_operand(c, reg, at);
}

/* cmp $number, m */
void evtlog_emit_compare_memory(struct evtlog_code *c, struct evtlog_operand m,
				unsigned int width, s32 number)
{
	bool is_short = is_byte(number) || width == 1;

	emit_opcode(c, width == 1 ? 0x80 : is_short ? 0x83 : 0x81, width, 0, m.base);
	emit_operand(c, 7, m);
	emit_number(c, (u32)number, is_short ? 1 : width == 2 ? 2 : 4);
}

/* test $mask, m */
void evtlog_emit_test_memory(struct evtlog_code *c, struct evtlog_operand m, unsigned int width,
			     s32 mask)
{
	emit_opcode(c, width == 1 ? 0xf6 : 0xf7, width, 0, m.base);
	emit_operand(c, 0, m);
	emit_number(c, (u32)mask, width > 4 ? 4 : width);
}

/* cmp $number, reg */
void evtlog_emit_compare_number(struct evtlog_code *c, u8 reg, s32 number)
{
	emit_opcode(c, is_byte(number) ? 0x83 : 0x81, 8, 0, reg);
	emit_byte(c, 0xc0 | 7 << 3 | (reg & 7));
	emit_number(c, (u32)number, is_byte(number) ? 1 : 4);
}

/* cmp with, reg */
void evtlog_emit_compare(struct evtlog_code *c, u8 reg, u8 with)
{
	emit_registers(c, 0x39, 8, reg, with);
}

/* xor with, reg */
void evtlog_emit_xor(struct evtlog_code *c, u8 reg, u8 with)
{
	emit_registers(c, 0x31, 8, reg, with);
}

/* and with, reg */
void evtlog_emit_and(struct evtlog_code *c, u8 reg, u8 with)
{
	emit_registers(c, 0x21, 8, reg, with);
}

/* Extends the lower @size bytes of @from to 64 bits in rax. */
void evtlog_emit_extend(struct evtlog_code *c, u8 from, unsigned int size, bool is_signed)
{
	u8 rex = REX | (load_width(size, is_signed) == 8 ? REX_W : 0) | (from > 7 ? REX_B : 0);
	unsigned int code = load_code(size, is_signed);

	if (size == 8 && from == EVTLOG_RAX)
		return;
	/* A REX is always there: without it, sil and dil would be dh and bh. */
	emit_byte(c, rex);
	if (code > 0xff)
		emit_byte(c, 0x0f);
	emit_byte(c, (u8)code);
	emit_byte(c, 0xc0 | (from & 7));
}

/* Extracts and extends a bit field of rax. */
void evtlog_emit_bits(struct evtlog_code *c, unsigned int shift, unsigned int bits,
		      bool is_signed)
{
	u8 left[] = { REX | REX_W, 0xc1, 0xe0, (u8)(64 - shift - bits) };
	u8 right[] = { REX | REX_W, 0xc1, is_signed ? 0xf8 : 0xe8, (u8)(64 - bits) };

	evtlog_emit_bytes(c, left, sizeof(left));
	evtlog_emit_bytes(c, right, sizeof(right));
}

/* Converts the lower @width bytes of rax from network order; the other bytes are ignored. */
void evtlog_emit_swap(struct evtlog_code *c, unsigned int width)
{
	static const u8 bswap[] = { REX | REX_W, 0x0f, 0xc8 };

	evtlog_emit_bytes(c, bswap, sizeof(bswap));
	if (width < 8)
		evtlog_emit_bits(c, 64 - 8 * width, 8 * width, false);
}
