/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86-64 machine code, one instruction at a time.
 *
 * Used by probes and filters, and independent of both.  tests/unit compiles emit.c unmodified in
 * user space; text.c has the code that depends on this kernel.
 */
#ifndef EVTLOG_CODE_EMIT_H
#define EVTLOG_CODE_EMIT_H

#include <linux/types.h>

/* Register numbers in instructions */
enum {
	EVTLOG_RAX = 0, EVTLOG_RCX = 1, EVTLOG_RDX = 2, EVTLOG_RSP = 4, EVTLOG_RBP = 5,
	EVTLOG_RSI = 6, EVTLOG_RDI = 7, EVTLOG_R8 = 8, EVTLOG_R9 = 9, EVTLOG_R10 = 10,
	EVTLOG_R11 = 11,
};

/* Conditions of jumps; the lowest bit inverts the condition */
#define EVTLOG_JB	0x82
#define EVTLOG_JAE	0x83
#define EVTLOG_JE	0x84
#define EVTLOG_JNE	0x85
#define EVTLOG_JBE	0x86
#define EVTLOG_JA	0x87
#define EVTLOG_JL	0x8c
#define EVTLOG_JGE	0x8d
#define EVTLOG_JLE	0x8e
#define EVTLOG_JG	0x8f
#define EVTLOG_JMP	0xe9

/*
 * struct evtlog_code - a buffer that machine code is written to
 * @buffer, @size: memory for the code; NULL and 0: only the length is computed
 * @length:	so far; includes bytes that did not fit and were not written
 * @address:	where the code will run
 * @key:	evtlog_text_key()
 * @failed:	a target is too far away
 */
struct evtlog_code {
	u8 *buffer;
	u32 size;
	u32 length;
	unsigned long address;
	u32 key;
	bool failed;
};

/*
 * struct evtlog_label - a target of jumps, before its position is known
 * @last:	operand of the last jump; it contains the position of the previous operand; 0: none
 */
struct evtlog_label {
	u32 last;
};

/* @base: a register; or EVTLOG_GS, for the operand %gs:@offset */
#define EVTLOG_GS	0xff
struct evtlog_operand {
	u8 base;
	s32 offset;
};

static inline bool evtlog_code_is_whole(const struct evtlog_code *c)
{
	return !c->failed && c->length <= c->size;
}

void evtlog_emit_bytes(struct evtlog_code *c, const u8 *bytes, unsigned int n);
void evtlog_emit_u32(struct evtlog_code *c, u32 value);
void evtlog_emit_call(struct evtlog_code *c, const void *target);
void evtlog_emit_goto(struct evtlog_code *c, const void *target);
void evtlog_emit_jump(struct evtlog_code *c, u8 condition, struct evtlog_label *label);
void evtlog_emit_back(struct evtlog_code *c, u8 condition, u32 target);
void evtlog_emit_label(struct evtlog_code *c, struct evtlog_label *label);
void evtlog_emit_label_at(struct evtlog_code *c, struct evtlog_label *label, u32 at);
void evtlog_emit_percpu(struct evtlog_code *c, const u8 *op, unsigned int n, const void *variable);
void evtlog_emit_constant(struct evtlog_code *c, u8 to, u64 value);
void evtlog_emit_chosen(struct evtlog_code *c, u8 to, u64 value);
void evtlog_emit_count(struct evtlog_code *c, u8 reg, unsigned long counter);
void evtlog_emit_lea(struct evtlog_code *c, u8 to, u8 base, s32 offset);
void evtlog_emit_load(struct evtlog_code *c, u8 to, struct evtlog_operand from,
		      unsigned int width, bool is_signed);
void evtlog_emit_store(struct evtlog_code *c, u8 from, struct evtlog_operand to);
void evtlog_emit_push(struct evtlog_code *c, u8 reg);
void evtlog_emit_at_cpu(struct evtlog_code *c, u8 opcode, unsigned int width, u8 reg,
			struct evtlog_operand at);
void evtlog_emit_compare_memory(struct evtlog_code *c, struct evtlog_operand m,
				unsigned int width, s32 number);
void evtlog_emit_test_memory(struct evtlog_code *c, struct evtlog_operand m,
			     unsigned int width, s32 mask);
void evtlog_emit_compare_number(struct evtlog_code *c, u8 reg, s32 number);
void evtlog_emit_compare(struct evtlog_code *c, u8 reg, u8 with);
void evtlog_emit_xor(struct evtlog_code *c, u8 reg, u8 with);
void evtlog_emit_and(struct evtlog_code *c, u8 reg, u8 with);
void evtlog_emit_extend(struct evtlog_code *c, u8 from, unsigned int size, bool is_signed);
void evtlog_emit_bits(struct evtlog_code *c, unsigned int shift, unsigned int bits,
		      bool is_signed);
void evtlog_emit_swap(struct evtlog_code *c, unsigned int width);

/* text.c */
void evtlog_emit_return(struct evtlog_code *c);

/* Emits constant bytes */
#define evtlog_emit(c, ...) do {					\
	static const u8 bytes_[] = { __VA_ARGS__ };			\
									\
	evtlog_emit_bytes(c, bytes_, sizeof(bytes_));			\
} while (0)

/* Emits constant bytes, followed by the address of an operand in the per-CPU area */
#define evtlog_emit_on_cpu(c, variable, ...) do {			\
	static const u8 bytes_[] = { __VA_ARGS__ };			\
									\
	evtlog_emit_percpu(c, bytes_, sizeof(bytes_), (__force const void *)(variable)); \
} while (0)

#endif /* EVTLOG_CODE_EMIT_H */
