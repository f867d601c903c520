// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a filter as a BPF program, as the module does: an interpreter of the instructions, which
 * knows which registers have a value.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>
#include <linux/err.h>

#include "expect.h"
#include "filter_program.h"
#include "module/program.h"

#define REGISTERS	10

static struct bpf_prog *prog;

struct bpf_prog *bpf_prog_alloc(unsigned int size, unsigned int flags)
{
	struct bpf_prog *its = malloc(size);

	/* No instruction */
	memset(its, 0xff, size);
	return its;
}

struct bpf_prog *bpf_prog_select_runtime(struct bpf_prog *its, int *error)
{
	its->jited = true;
	*error = 0;
	return its;
}

void bpf_prog_free(struct bpf_prog *its)
{
	free(its);
}

u64 __bpf_call_base(u64 a, u64 b, u64 c, u64 d, u64 e)
{
	return 0;
}

/* A state of the machine; @known: a bit for each register that has a value */
struct machine {
	u64 reg[REGISTERS];
	u32 known;
	unsigned int at;
};

static u64 value(const struct machine *m, unsigned int reg)
{
	expect(reg < REGISTERS && m->known >> reg & 1);
	return m->reg[reg];
}

static void set(struct machine *m, unsigned int reg, u64 to)
{
	expect(reg < REGISTERS);
	m->reg[reg] = to;
	m->known |= 1U << reg;
}

static u64 load(const void *from, unsigned int size)
{
	u64 result = 0;

	memcpy(&result, from, size == BPF_B ? 1 : size == BPF_H ? 2 : size == BPF_W ? 4 : 8);
	return result;
}

static bool is_true(unsigned int op, u64 a, u64 b)
{
	switch (op) {
	case BPF_JEQ: return a == b;
	case BPF_JNE: return a != b;
	case BPF_JGT: return a > b;
	case BPF_JGE: return a >= b;
	case BPF_JLT: return a < b;
	case BPF_JLE: return a <= b;
	case BPF_JSGT: return (s64)a > (s64)b;
	case BPF_JSGE: return (s64)a >= (s64)b;
	case BPF_JSLT: return (s64)a < (s64)b;
	case BPF_JSLE: return (s64)a <= (s64)b;
	}
	fail("no such jump: %#x", op);
}

static bool jumps(const struct machine *m, const struct bpf_insn *i)
{
	unsigned int op = BPF_OP(i->code);
	u64 a, b;

	if (op == BPF_JA)
		return true;
	a = value(m, i->dst_reg);
	b = BPF_SRC(i->code) == BPF_X ? value(m, i->src_reg) : (u64)(s64)i->imm;
	if (BPF_CLASS(i->code) == BPF_JMP)
		return is_true(op, a, b);
	/* The lower halves; their signs count only for jumps with a sign. */
	return op >= BPF_JSGT && op != BPF_JLT && op != BPF_JLE ?
	       is_true(op, (u64)(s64)(s32)a, (u64)(s64)(s32)b) : is_true(op, (u32)a, (u32)b);
}

static u64 swapped(u64 number, s32 bits)
{
	return bits == 16 ? htobe16((u16)number) :
	       bits == 32 ? htobe32((u32)number) : htobe64(number);
}

static void compute(struct machine *m, const struct bpf_insn *i)
{
	u64 b = BPF_SRC(i->code) == BPF_X && BPF_OP(i->code) != BPF_END ? value(m, i->src_reg) :
									   (u64)(s64)i->imm;
	bool is_64 = BPF_CLASS(i->code) == BPF_ALU64;

	switch (BPF_OP(i->code)) {
	case BPF_MOV:
		set(m, i->dst_reg, is_64 ? b : (u32)b);
		return;
	case BPF_AND:
		set(m, i->dst_reg, value(m, i->dst_reg) & b);
		break;
	case BPF_LSH:
		set(m, i->dst_reg, value(m, i->dst_reg) << b);
		break;
	case BPF_RSH:
		set(m, i->dst_reg, value(m, i->dst_reg) >> b);
		break;
	case BPF_ARSH:
		set(m, i->dst_reg, (u64)((s64)value(m, i->dst_reg) >> b));
		break;
	case BPF_END:
		set(m, i->dst_reg, swapped(value(m, i->dst_reg), i->imm));
		return;
	default:
		fail("no such operation: %#x", i->code);
	}
	expect(is_64);
}

/* A function changes R1 to R5. */
static void call(struct machine *m, s32 offset)
{
	u64 (*function)(u64) = (u64 (*)(u64))((char *)__bpf_call_base + offset);
	u64 first = m->known >> BPF_REG_1 & 1 ? m->reg[BPF_REG_1] : 0;

	set(m, BPF_REG_0, function(first));
	m->known &= ~0x3eU;
}

/* Executes an instruction; returns false at the end. */
static bool step(struct machine *m)
{
	const struct bpf_insn *i = &prog->insnsi[m->at++];

	switch (BPF_CLASS(i->code)) {
	case BPF_LD:
		set(m, i->dst_reg, (u32)i->imm | (u64)(u32)prog->insnsi[m->at++].imm << 32);
		return true;
	case BPF_LDX:
		set(m, i->dst_reg, load((char *)value(m, i->src_reg) + i->off, BPF_SIZE(i->code)));
		return true;
	case BPF_ALU:
	case BPF_ALU64:
		compute(m, i);
		return true;
	}
	if (i->code == (BPF_JMP | BPF_EXIT))
		return false;
	if (i->code == (BPF_JMP | BPF_CALL)) {
		call(m, i->imm);
	} else if (jumps(m, i)) {
		expect(i->off >= 0);
		m->at += (unsigned int)i->off;
	}
	return true;
}

static void load_slot(struct program *p, const void *what, unsigned int slot, unsigned int width)
{
	program_load_memory(p, 0, (s32)(slot * sizeof(u64)), width);
}

void program_build(const struct evtlog_filter *filter)
{
	const struct program_fields fields = { .load = load_slot };

	free(prog);
	prog = program_make(filter, &fields);
	expect(!IS_ERR(prog));
}

bool program_run(const u64 *slots)
{
	struct machine m = { .reg = { [BPF_REG_1] = (u64)slots }, .known = 1 << BPF_REG_1 };

	/* The module's programs have three arguments. */
	set(&m, BPF_REG_2, 0x123456789);
	set(&m, BPF_REG_3, ~0ULL);
	do
		expect(m.at < prog->len);
	while (step(&m));
	expect(m.reg[BPF_REG_0] <= 1);
	return m.reg[BPF_REG_0];
}
