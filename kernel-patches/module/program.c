// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters: compiles a filter to a BPF program, which the kernel compiles to machine code.
 *
 * In the place of filter/x86.c, for filter.c.  A compiled program is a C function: its arguments
 * are R1 to R5, its result is R0, here 1 or 0.  The program has up to three arguments: those of a
 * hook, or a payload and its length.  All jumps go forward, so that it always ends.
 *
 * R0 has the value that is compared, R5 a large number.  If the program calls functions, its
 * arguments are in R6 to R8.
 */
#include <linux/bpf.h>
#include <linux/err.h>
#include <linux/evtlog.h>
#include <linux/filter.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "filter/tree.h"
#include "module/program.h"

#define ARGUMENTS	3
/* Sets with up to this many ranges are compared range by range. */
#define LINEAR		3

/*
 * struct program - a program while it is made: first without memory, for its length
 * @arguments:	the register of the first argument
 * @calls:	it calls functions
 * @failed:	a jump or an offset does not fit
 */
struct program {
	const struct evtlog_filter *filter;
	const struct program_fields *fields;
	struct bpf_insn *insns;
	u32 size;
	u32 length;
	u8 arguments;
	bool calls;
	bool failed;
};

/* A target of jumps: each jump has the position of the previous one; 0: none */
struct label {
	u32 last;
};

static void walk(struct program *p, const struct filter_node *node, bool jump_if,
		 struct label *label);

static bool fits_s32(u64 value)
{
	return (s64)value == (s32)value;
}

static void emit(struct program *p, struct bpf_insn insn)
{
	if (p->length < p->size)
		p->insns[p->length] = insn;
	p->length++;
}

static void emit_number(struct program *p, u8 to, u64 value)
{
	const struct bpf_insn wide[] = { BPF_LD_IMM64(to, value) };

	if (fits_s32(value)) {
		emit(p, BPF_MOV64_IMM(to, (s32)value));
		return;
	}
	emit(p, wide[0]);
	emit(p, wide[1]);
}

static void emit_jump(struct program *p, struct bpf_insn insn, struct label *label)
{
	u32 at = p->length;

	insn.off = (s16)label->last;
	if (at > S16_MAX)
		p->failed = true;
	emit(p, insn);
	label->last = at;
}

static void emit_label(struct program *p, struct label *label)
{
	u32 at = label->last, before;

	for (; at && p->length <= p->size; at = before) {
		before = p->insns[at].off;
		p->insns[at].off = p->length - (at + 1);
	}
	label->last = 0;
}

static void emit_call(struct program *p, struct bpf_insn call)
{
	p->calls = true;
	emit(p, call);
}

/* As filter_extend() */
static void extend(struct program *p, unsigned int width, bool is_signed)
{
	if (width == 8)
		return;
	emit(p, BPF_ALU64_IMM(BPF_LSH, BPF_REG_0, 64 - 8 * width));
	emit(p, BPF_ALU64_IMM(is_signed ? BPF_ARSH : BPF_RSH, BPF_REG_0, 64 - 8 * width));
}

void program_load_argument(struct program *p, unsigned int argument, unsigned int width)
{
	if (width == 4) {
		emit(p, BPF_MOV32_REG(BPF_REG_0, p->arguments + argument));
		return;
	}
	emit(p, BPF_MOV64_REG(BPF_REG_0, p->arguments + argument));
	extend(p, width, false);
}

static void load(struct program *p, u8 to, u8 base, s32 offset, unsigned int width)
{
	int size = bytes_to_bpf_size(width);

	if (offset != (s16)offset)
		p->failed = true;
	emit(p, BPF_LDX_MEM(size, to, base, (s16)offset));
}

void program_load_memory(struct program *p, unsigned int argument, s32 offset, unsigned int width)
{
	load(p, BPF_REG_0, p->arguments + argument, offset, width);
}

void program_load_constant(struct program *p, s32 value)
{
	emit_number(p, BPF_REG_0, (s64)value);
}

static u64 trees_of(const struct task_struct *task)
{
	return evtlog_task_trees(task);
}

void program_load_trees(struct program *p, unsigned int argument)
{
	emit(p, BPF_MOV64_REG(BPF_REG_1, p->arguments + argument));
	emit_call(p, BPF_EMIT_CALL(trees_of));
}

void program_shift_right(struct program *p, unsigned int bits)
{
	emit(p, BPF_ALU64_IMM(BPF_RSH, BPF_REG_0, bits));
}

/* From network order */
void program_swap(struct program *p, unsigned int width)
{
	if (width > 1)
		emit(p, BPF_ENDIAN(BPF_TO_BE, BPF_REG_0, 8 * width));
}

/* Loads the value to R0, as jump_on() needs it. */
static void load_value(struct program *p, const struct filter_node *node)
{
	if (node->special == FILTER_SLOT) {
		p->fields->load(p, p->fields->what, node->slot, node->width);
	} else {
		emit_number(p, BPF_REG_1, node->special);
		emit_call(p, BPF_EMIT_CALL(evtlog_filter_task_value));
	}
	if (node->is_masked) {
		emit_number(p, BPF_REG_5, node->mask);
		emit(p, BPF_ALU64_REG(BPF_AND, BPF_REG_0, BPF_REG_5));
	}
	if (node->is_signed && node->width < 4)
		extend(p, node->width, true);
}

/*
 * Jumps if the value in R0 has this relation to @number.  Of a value of 4 bytes only these are
 * compared; others are extended to 64 bits as in match.c.
 */
static void jump_on(struct program *p, u8 compare, bool is_signed, unsigned int width, u64 number,
		    struct label *label)
{
	static const u8 jumps[][2] = {
		[FILTER_EQ] = { BPF_JEQ, BPF_JEQ },	[FILTER_NE] = { BPF_JNE, BPF_JNE },
		[FILTER_LT] = { BPF_JLT, BPF_JSLT },	[FILTER_LE] = { BPF_JLE, BPF_JSLE },
		[FILTER_GT] = { BPF_JGT, BPF_JSGT },	[FILTER_GE] = { BPF_JGE, BPF_JSGE },
	};
	u8 jump = jumps[compare][is_signed];

	if (width == 4) {
		emit_jump(p, BPF_JMP32_IMM(jump, BPF_REG_0, (s32)number, 0), label);
	} else if (fits_s32(number)) {
		emit_jump(p, BPF_JMP_IMM(jump, BPF_REG_0, (s32)number, 0), label);
	} else {
		emit_number(p, BPF_REG_5, number);
		emit_jump(p, BPF_JMP_REG(jump, BPF_REG_0, BPF_REG_5, 0), label);
	}
}

static u8 opposite_of(u8 compare)
{
	static const u8 opposites[] = {
		[FILTER_EQ] = FILTER_NE, [FILTER_NE] = FILTER_EQ, [FILTER_LT] = FILTER_GE,
		[FILTER_LE] = FILTER_GT, [FILTER_GT] = FILTER_LE, [FILTER_GE] = FILTER_LT,
	};

	return opposites[compare];
}

static void jump_always(struct program *p, struct label *label)
{
	emit_jump(p, BPF_JMP_A(0), label);
}

/* Jumps to @yes or @no.  If it falls through, the result is no. */
static void walk_ranges(struct program *p, const struct filter_node *node,
			const struct filter_range *r, unsigned int nr, struct label *yes,
			struct label *no)
{
	bool is_signed = node->is_signed;
	unsigned int width = node->width;
	struct label upper = {};

	for (; nr && nr <= LINEAR; nr--, r++) {
		if (r->low == r->high) {
			jump_on(p, FILTER_EQ, is_signed, width, r->low, yes);
			continue;
		}
		jump_on(p, FILTER_LT, is_signed, width, r->low, no);
		jump_on(p, FILTER_LE, is_signed, width, r->high, yes);
	}
	if (!nr)
		return;
	jump_on(p, FILTER_GE, is_signed, width, r[nr / 2].low, &upper);
	walk_ranges(p, node, r, nr / 2, yes, no);
	jump_always(p, no);
	emit_label(p, &upper);
	walk_ranges(p, node, r + nr / 2, nr - nr / 2, yes, no);
}

static void walk_set(struct program *p, const struct filter_node *node, bool jump_if,
		     struct label *label)
{
	const struct filter_range *r = &p->filter->ranges[node->first_range];
	struct label here = {};

	load_value(p, node);
	if (jump_if) {
		walk_ranges(p, node, r, node->nr_ranges, label, &here);
	} else {
		walk_ranges(p, node, r, node->nr_ranges, &here, label);
		jump_always(p, label);
	}
	emit_label(p, &here);
}

static void walk_comm(struct program *p, const struct filter_node *node, bool jump_if,
		      struct label *label)
{
	struct label here = {};
	/* At the first difference, it is another name. */
	struct label *differs = jump_if == (node->compare == FILTER_NE) ? label : &here;
	unsigned int done = 0, bytes;

	emit_call(p, BPF_EMIT_CALL(evtlog_filter_task_comm));
	emit(p, BPF_MOV64_REG(BPF_REG_4, BPF_REG_0));
	for (; done < node->comm_bytes; done += bytes) {
		u64 number = 0;

		bytes = rounddown_pow_of_two(min(node->comm_bytes - done, 8U));
		memcpy(&number, node->comm + done, bytes);
		load(p, BPF_REG_0, BPF_REG_4, done, bytes);
		jump_on(p, FILTER_NE, false, 8, number, differs);
	}
	if (differs == &here)
		jump_always(p, label);
	emit_label(p, &here);
}

/* Calls a C function with the node's number. */
static void walk_call(struct program *p, const struct filter_node *node, struct bpf_insn call,
		      bool jump_if, struct label *label)
{
	emit_number(p, BPF_REG_1, node->number);
	emit_call(p, call);
	/* A bool is only the lowest byte. */
	emit(p, BPF_ALU64_IMM(BPF_AND, BPF_REG_0, 0xff));
	jump_on(p, jump_if == (node->compare == FILTER_EQ) ? FILTER_NE : FILTER_EQ, false, 8, 0,
		label);
}

/* In order.  With @jump_if, the first child that decides jumps to @label. */
static void walk_children(struct program *p, const struct filter_node *node, bool jump_if,
			  struct label *label)
{
	const struct filter_node *nodes = p->filter->nodes, *child;
	bool deciding = node->kind == FILTER_ANY;
	struct label here = {};
	u16 i;

	for (i = node->child; i != FILTER_NONE; i = child->next) {
		child = &nodes[i];
		if (child->next == FILTER_NONE || deciding == jump_if)
			walk(p, child, jump_if, label);
		else
			walk(p, child, deciding, &here);
	}
	emit_label(p, &here);
}

/* Jumps to @label if the node's value is @jump_if, else falls through. */
static void walk(struct program *p, const struct filter_node *node, bool jump_if,
		 struct label *label)
{
	switch (node->kind) {
	case FILTER_ALL:
	case FILTER_ANY:
		walk_children(p, node, jump_if, label);
		break;
	case FILTER_NOT:
		walk(p, &p->filter->nodes[node->child], !jump_if, label);
		break;
	case FILTER_SET:
		walk_set(p, node, jump_if, label);
		break;
	case FILTER_COMM:
		walk_comm(p, node, jump_if, label);
		break;
	case FILTER_TREE:
		walk_call(p, node, BPF_EMIT_CALL(evtlog_filter_task_in_tree), jump_if, label);
		break;
	case FILTER_CGROUP:
		walk_call(p, node, BPF_EMIT_CALL(evtlog_filter_task_in_cgroup), jump_if, label);
		break;
	default:
		load_value(p, node);
		jump_on(p, jump_if ? node->compare : opposite_of(node->compare), node->is_signed,
			node->width, node->number, label);
	}
}

static void emit_all(struct program *p)
{
	struct label reject = {};
	unsigned int i;

	p->length = 0;
	p->arguments = p->calls ? BPF_REG_6 : BPF_REG_1;
	for (i = 0; p->calls && i < ARGUMENTS; i++)
		emit(p, BPF_MOV64_REG(BPF_REG_6 + i, BPF_REG_1 + i));
	/* Position 0 is no jump. */
	emit(p, BPF_MOV64_IMM(BPF_REG_0, 0));
	if (p->fields && p->fields->least) {
		program_load_argument(p, 1, 8);
		jump_on(p, FILTER_LT, false, 8, p->fields->least, &reject);
	}
	walk(p, &p->filter->nodes[p->filter->root], false, &reject);
	emit(p, BPF_MOV64_IMM(BPF_REG_0, 1));
	emit(p, BPF_EXIT_INSN());
	emit_label(p, &reject);
	emit(p, BPF_MOV64_IMM(BPF_REG_0, 0));
	emit(p, BPF_EXIT_INSN());
}

static struct bpf_prog *compile(struct bpf_prog *prog)
{
	int error;

	prog = bpf_prog_select_runtime(prog, &error);
	/* Without the compiler, the program is no function with these arguments. */
	if (!error && !prog->jited)
		error = -EOPNOTSUPP;
	if (!error)
		return prog;
	bpf_prog_free(prog);
	return ERR_PTR(error);
}

/**
 * program_make() - compile a filter to a function
 * @filter:	not kept
 * @fields:	of the event; NULL: the filter names none
 *
 * Context: task context, may sleep.
 * Return: a program, for bpf_prog_free(), whose bpf_func returns 1 or 0; or an error pointer:
 * -EOPNOTSUPP: the kernel does not compile programs (net.core.bpf_jit_enable is 0); -E2BIG;
 * -ENOMEM.
 */
struct bpf_prog *program_make(const struct evtlog_filter *filter,
			      const struct program_fields *fields)
{
	struct program p = { .filter = filter, .fields = fields };
	struct bpf_prog *prog;

	emit_all(&p);
	/* If it calls functions, it is longer. */
	if (p.calls)
		emit_all(&p);
	if (p.failed)
		return ERR_PTR(-E2BIG);
	prog = bpf_prog_alloc(bpf_prog_size(p.length), 0);
	if (!prog)
		return ERR_PTR(-ENOMEM);
	p.insns = prog->insnsi;
	p.size = p.length;
	emit_all(&p);
	prog->len = p.length;
	/* Any type but that of classic programs */
	prog->type = BPF_PROG_TYPE_TRACEPOINT;
	return compile(prog);
}
