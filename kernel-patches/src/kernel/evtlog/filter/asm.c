// SPDX-License-Identifier: GPL-2.0-only
/*
 * The few x86-64 instructions that filters are made of.
 *
 * Called by x86.c.  Intel's manual, volume 2, has the codes.
 */
#include <linux/string.h>

#include "filter/asm.h"

#define REX	0x40
#define REX_W	0x08
#define REX_R	0x04
#define REX_B	0x01

void asm_byte(struct asm_buffer *b, u8 byte)
{
	if (b->pos < b->size)
		b->code[b->pos] = byte;
	b->pos++;
}

static void number(struct asm_buffer *b, u64 value, unsigned int bytes)
{
	for (; bytes; bytes--, value >>= 8)
		asm_byte(b, (u8)value);
}

static bool is_byte(s32 value)
{
	return value >= -128 && value <= 127;
}

/* ModRM and what follows it. */
static void operand(struct asm_buffer *b, u8 reg, struct asm_memory m)
{
	bool is_short = is_byte(m.offset);

	reg = (reg & 7) << 3;
	if (m.base == ASM_GS) {
		/* No base, no index: an address of 32 bits */
		asm_byte(b, reg | 4);
		asm_byte(b, 0x25);
		number(b, (u32)m.offset, 4);
		return;
	}
	asm_byte(b, (is_short ? 0x40 : 0x80) | reg | (m.base & 7));
	if ((m.base & 7) == ASM_RSP)
		asm_byte(b, 0x24);
	number(b, (u32)m.offset, is_short ? 1 : 4);
}

/* Prefixes and the opcode, of one byte or, above 0xff, two that begin with 0x0f. */
static void opcode(struct asm_buffer *b, unsigned int code, unsigned int width, u8 reg,
		   u8 base)
{
	u8 rex = (width == 8 ? REX_W : 0) | (reg > 7 ? REX_R : 0) |
		 (base != ASM_GS && base > 7 ? REX_B : 0);

	if (base == ASM_GS)
		asm_byte(b, 0x65);
	if (width == 2)
		asm_byte(b, 0x66);
	if (rex)
		asm_byte(b, REX | rex);
	if (code > 0xff)
		asm_byte(b, 0x0f);
	asm_byte(b, (u8)code);
}

/* mov, movzx or movsx: all 64 bits of @to are set. */
void asm_load(struct asm_buffer *b, u8 to, struct asm_memory from, unsigned int width,
	      bool is_signed)
{
	unsigned int code;

	switch (width) {
	case 1:
		code = is_signed ? 0x1be : 0x1b6;
		break;
	case 2:
		code = is_signed ? 0x1bf : 0x1b7;
		break;
	case 4:
		code = is_signed ? 0x63 : 0x8b;
		break;
	default:
		code = 0x8b;
	}
	/* Into 32 bits without a sign: the upper half becomes 0. */
	opcode(b, code, is_signed || width == 8 ? 8 : 4, to, from.base);
	operand(b, to, from);
}

/* cmp $number, m */
void asm_compare_memory(struct asm_buffer *b, struct asm_memory m, unsigned int width, s32 n)
{
	if (width == 1) {
		opcode(b, 0x80, width, 0, m.base);
		operand(b, 7, m);
		asm_byte(b, (u8)n);
		return;
	}
	opcode(b, is_byte(n) ? 0x83 : 0x81, width, 0, m.base);
	operand(b, 7, m);
	number(b, (u32)n, is_byte(n) ? 1 : width == 2 ? 2 : 4);
}

/* test $mask, m */
void asm_test_memory(struct asm_buffer *b, struct asm_memory m, unsigned int width, s32 mask)
{
	opcode(b, width == 1 ? 0xf6 : 0xf7, width, 0, m.base);
	operand(b, 0, m);
	number(b, (u32)mask, width > 4 ? 4 : width);
}

/* cmp $number, reg */
void asm_compare_register(struct asm_buffer *b, u8 reg, s32 n)
{
	opcode(b, is_byte(n) ? 0x83 : 0x81, 8, 0, reg);
	asm_byte(b, 0xc0 | 7 << 3 | (reg & 7));
	number(b, (u32)n, is_byte(n) ? 1 : 4);
}

static void registers(struct asm_buffer *b, u8 code, u8 reg, u8 with)
{
	opcode(b, code, 8, with, reg);
	asm_byte(b, 0xc0 | (with & 7) << 3 | (reg & 7));
}

/* cmp with, reg */
void asm_compare_registers(struct asm_buffer *b, u8 reg, u8 with)
{
	registers(b, 0x39, reg, with);
}

/* and with, reg */
void asm_and_registers(struct asm_buffer *b, u8 reg, u8 with)
{
	registers(b, 0x21, reg, with);
}

void asm_move_number(struct asm_buffer *b, u8 to, u64 n)
{
	if (n == (u32)n) {
		opcode(b, 0xb8 | (to & 7), 4, 0, to);
		number(b, n, 4);
	} else {
		opcode(b, 0xb8 | (to & 7), 8, 0, to);
		number(b, n, 8);
	}
}

/* Each jump's place holds where the one before it is, until the label's place is known. */
static void chain(struct asm_buffer *b, struct asm_label *label)
{
	u32 at = b->pos;

	number(b, label->last, 4);
	label->last = at;
}

void asm_jump_if(struct asm_buffer *b, u8 condition, struct asm_label *label)
{
	asm_byte(b, 0x0f);
	asm_byte(b, 0x80 | condition);
	chain(b, label);
}

void asm_jump(struct asm_buffer *b, struct asm_label *label)
{
	asm_byte(b, 0xe9);
	chain(b, label);
}

/* All jumps to @label go to @at: an offset in the code, or behind it or before it. */
void asm_bind(struct asm_buffer *b, struct asm_label *label, u32 at)
{
	u32 jump = label->last, before, distance;

	while (jump != ASM_LABEL_NONE && b->pos <= b->size) {
		memcpy(&before, b->code + jump, sizeof(before));
		distance = at - (jump + 4);
		memcpy(b->code + jump, &distance, sizeof(distance));
		jump = before;
	}
	label->last = ASM_LABEL_NONE;
}
