/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few x86-64 instructions that filters are made of.
 *
 * Knows no filter.  Whatever does not fit is only counted, so that a caller learns the size.
 */
#ifndef EVTLOG_FILTER_ASM_H
#define EVTLOG_FILTER_ASM_H

#include <linux/types.h>

enum {
	ASM_RAX, ASM_RCX, ASM_RDX, ASM_RBX, ASM_RSP, ASM_RBP, ASM_RSI, ASM_RDI, ASM_R8, ASM_R11 = 11,
};

/* Conditions as the instructions' codes have them; the lowest bit is "not". */
enum {
	ASM_B = 2, ASM_AE, ASM_E, ASM_NE, ASM_BE, ASM_A, ASM_L = 12, ASM_GE, ASM_LE, ASM_G,
};

/*
 * @code, @size: written to; @pos may become more than @size: then it did not fit
 */
struct asm_buffer {
	u8 *code;
	u32 size;
	u32 pos;
};

/* @base in registers, or ASM_GS: at %gs:@offset */
#define ASM_GS	0xff
struct asm_memory {
	u8 base;
	s32 offset;
};

/* Where forward jumps go: the place of the last one, from which the others are found. */
struct asm_label {
	u32 last;
};
#define ASM_LABEL_NONE	0

void asm_byte(struct asm_buffer *b, u8 byte);
void asm_load(struct asm_buffer *b, u8 to, struct asm_memory from, unsigned int width,
	      bool is_signed);
void asm_compare_memory(struct asm_buffer *b, struct asm_memory m, unsigned int width, s32 number);
void asm_test_memory(struct asm_buffer *b, struct asm_memory m, unsigned int width, s32 mask);
void asm_compare_register(struct asm_buffer *b, u8 reg, s32 number);
void asm_compare_registers(struct asm_buffer *b, u8 reg, u8 with);
void asm_and_registers(struct asm_buffer *b, u8 reg, u8 with);
void asm_move_number(struct asm_buffer *b, u8 to, u64 number);
void asm_jump_if(struct asm_buffer *b, u8 condition, struct asm_label *label);
void asm_jump(struct asm_buffer *b, struct asm_label *label);
void asm_bind(struct asm_buffer *b, struct asm_label *label, u32 at);

#endif /* EVTLOG_FILTER_ASM_H */
