/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86-64 machine code, instruction by instruction.
 */
#ifndef EVTLOG_PROBE_EMIT_H
#define EVTLOG_PROBE_EMIT_H

#include <linux/types.h>

/* Registers as instructions number them. */
enum {
	EVTLOG_RAX = 0, EVTLOG_RCX = 1, EVTLOG_RDX = 2, EVTLOG_RBP = 5, EVTLOG_RSI = 6,
	EVTLOG_RDI = 7, EVTLOG_R8 = 8, EVTLOG_R9 = 9, EVTLOG_R10 = 10, EVTLOG_R11 = 11,
};

/* Conditions of jumps */
#define EVTLOG_JE	0x84
#define EVTLOG_JNE	0x85
#define EVTLOG_JB	0x82
#define EVTLOG_JAE	0x83
#define EVTLOG_JA	0x87
#define EVTLOG_JMP	0xe9

#define EVTLOG_LABEL_JUMPS	24

/*
 * struct evtlog_label - a place that is jumped to, before it is known
 */
struct evtlog_label {
	unsigned int at[EVTLOG_LABEL_JUMPS];
	unsigned int nr;
};

/*
 * struct evtlog_code - a buffer that machine code is written to
 * @buffer, @size: where it is made
 * @address:	where it will run
 * @length:	so far
 * @overflow:	it did not fit, or a jump was too many
 */
struct evtlog_code {
	u8 *buffer;
	unsigned int size;
	unsigned long address;
	unsigned int length;
	bool overflow;
};

void evtlog_emit_bytes(struct evtlog_code *c, const u8 *bytes, unsigned int n);
void evtlog_emit_u32(struct evtlog_code *c, u32 value);
void evtlog_emit_u64(struct evtlog_code *c, u64 value);
void evtlog_emit_call(struct evtlog_code *c, const void *target);
void evtlog_emit_jump(struct evtlog_code *c, u8 condition, struct evtlog_label *label);
void evtlog_emit_back(struct evtlog_code *c, u8 condition, unsigned int target);
void evtlog_emit_label(struct evtlog_code *c, struct evtlog_label *label);
void evtlog_emit_return(struct evtlog_code *c);
void evtlog_emit_percpu(struct evtlog_code *c, const u8 *op, unsigned int n, const void *variable);
void evtlog_emit_load_constant(struct evtlog_code *c, unsigned int reg, u64 value);
void evtlog_emit_count(struct evtlog_code *c, unsigned int reg, const u64 __percpu *counter);
void evtlog_emit_lea(struct evtlog_code *c, unsigned int to, unsigned int base, s32 offset);
void evtlog_emit_load(struct evtlog_code *c, unsigned int to, unsigned int base, s32 offset);
void evtlog_emit_store(struct evtlog_code *c, unsigned int from, unsigned int base, s32 offset);
void evtlog_emit_extend(struct evtlog_code *c, unsigned int from, unsigned int size,
			bool is_signed);
void evtlog_emit_bits(struct evtlog_code *c, unsigned int shift, unsigned int bits,
		      bool is_signed);

/* Instructions without anything to fill in */
#define evtlog_emit(c, ...) do {					\
	static const u8 bytes_[] = { __VA_ARGS__ };			\
									\
	evtlog_emit_bytes(c, bytes_, sizeof(bytes_));			\
} while (0)

/* The same, with an operand in the per-CPU area, whose address comes last. */
#define evtlog_emit_on_cpu(c, variable, ...) do {			\
	static const u8 bytes_[] = { __VA_ARGS__ };			\
									\
	evtlog_emit_percpu(c, bytes_, sizeof(bytes_), (__force const void *)(variable)); \
} while (0)

#endif /* EVTLOG_PROBE_EMIT_H */
