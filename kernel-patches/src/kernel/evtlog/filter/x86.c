// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters: compiles a filter to x86-64 machine code.
 *
 * Called in task context to make a stub for a probe or an event.  match.c does the same on other
 * machines.  All jumps go forward, so that the code always ends.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "code/emit.h"
#include "filter/tree.h"

/* Sets with up to this many ranges are compared range by range. */
#define LINEAR	3

struct emitter {
	const struct evtlog_filter *filter;
	const struct evtlog_filter_stub *stub;
	struct evtlog_code code;
};

static void walk(struct emitter *e, const struct filter_node *node, bool jump_if,
		 struct evtlog_label *label);

static bool fits_s32(u64 value)
{
	return (s64)value == (s32)value;
}

/* Returns true if a number that the user chose may be part of an instruction. */
static bool is_immediate(const struct emitter *e, u64 value)
{
	return !e->code.key && fits_s32(value);
}

/* Loads the task's address to the first scratch register. */
static struct evtlog_operand task_memory(struct emitter *e, s32 offset)
{
	const struct evtlog_filter_stub *s = e->stub;
	struct evtlog_operand at = { EVTLOG_GS, s->task->current_task };

	evtlog_emit_load(&e->code, s->scratch[0], at, 8, false);
	return (struct evtlog_operand){ s->scratch[0], offset };
}

static struct evtlog_operand trees_memory(struct emitter *e)
{
	s32 offset = e->stub->task->trees;

	if (!offset)
		e->code.failed = true;
	return task_memory(e, offset);
}

static struct evtlog_operand value_memory(struct emitter *e, const struct filter_node *node)
{
	const struct evtlog_filter_stub *s = e->stub;

	switch (node->special) {
	case FILTER_SLOT:
		return (struct evtlog_operand){ s->base, s->base_offset + 8 * node->slot };
	case FILTER_CPU:
		return (struct evtlog_operand){ EVTLOG_GS, s->task->cpu };
	case FILTER_PID:
		return task_memory(e, s->task->pid);
	case FILTER_TGID:
		return task_memory(e, s->task->tgid);
	case FILTER_PRIO:
		return task_memory(e, s->task->prio);
	default:
		return trees_memory(e);
	}
}

/* Loads the value to the first scratch register, extended to 64 bits as in match.c. */
static void load_value(struct emitter *e, const struct filter_node *node)
{
	const u8 *scratch = e->stub->scratch;

	evtlog_emit_load(&e->code, scratch[0], value_memory(e, node), node->width, node->is_signed);
	if (node->is_masked) {
		evtlog_emit_chosen(&e->code, scratch[1], node->mask);
		evtlog_emit_and(&e->code, scratch[0], scratch[1]);
	}
}

static void compare_loaded(struct emitter *e, u64 number)
{
	const u8 *scratch = e->stub->scratch;

	if (is_immediate(e, number)) {
		evtlog_emit_compare_number(&e->code, scratch[0], (s32)number);
	} else {
		evtlog_emit_chosen(&e->code, scratch[1], number);
		evtlog_emit_compare(&e->code, scratch[0], scratch[1]);
	}
}

static u8 condition_of(u8 compare, bool is_signed)
{
	static const u8 conditions[][2] = {
		[FILTER_EQ] = { EVTLOG_JE, EVTLOG_JE },		[FILTER_NE] = { EVTLOG_JNE, EVTLOG_JNE },
		[FILTER_LT] = { EVTLOG_JB, EVTLOG_JL },		[FILTER_LE] = { EVTLOG_JBE, EVTLOG_JLE },
		[FILTER_GT] = { EVTLOG_JA, EVTLOG_JG },		[FILTER_GE] = { EVTLOG_JAE, EVTLOG_JGE },
	};

	return conditions[compare][is_signed];
}

static void jump_when(struct emitter *e, u8 condition, bool jump_if, struct evtlog_label *label)
{
	evtlog_emit_jump(&e->code, jump_if ? condition : condition ^ 1, label);
}

static void walk_compare(struct emitter *e, const struct filter_node *node, bool jump_if,
			 struct evtlog_label *label)
{
	bool is_zero_test = node->is_masked && !node->number && node->compare <= FILTER_NE;
	u8 condition = condition_of(node->compare, node->is_signed);
	u64 mask = filter_extend(node->mask, node->width, true);
	u64 number = filter_extend(node->number, node->width, true);

	/* Compare in memory if the number fits an instruction; fewer than 8 bytes always fit. */
	if (is_zero_test && is_immediate(e, mask)) {
		evtlog_emit_test_memory(&e->code, value_memory(e, node), node->width, (s32)mask);
	} else if (!node->is_masked && is_immediate(e, number)) {
		evtlog_emit_compare_memory(&e->code, value_memory(e, node), node->width, (s32)number);
	} else {
		load_value(e, node);
		compare_loaded(e, node->number);
	}
	jump_when(e, condition, jump_if, label);
}

/* Jumps to @yes or @no.  If it falls through, the result is no. */
static void walk_ranges(struct emitter *e, const struct filter_range *r, unsigned int nr,
			bool is_signed, struct evtlog_label *yes, struct evtlog_label *no)
{
	u8 below = is_signed ? EVTLOG_JL : EVTLOG_JB, up_to = is_signed ? EVTLOG_JLE : EVTLOG_JBE;
	struct evtlog_label upper = {};

	for (; nr && nr <= LINEAR; nr--, r++) {
		compare_loaded(e, r->low);
		if (r->low == r->high) {
			evtlog_emit_jump(&e->code, EVTLOG_JE, yes);
			continue;
		}
		evtlog_emit_jump(&e->code, below, no);
		compare_loaded(e, r->high);
		evtlog_emit_jump(&e->code, up_to, yes);
	}
	if (!nr)
		return;
	compare_loaded(e, r[nr / 2].low);
	evtlog_emit_jump(&e->code, below ^ 1, &upper);
	walk_ranges(e, r, nr / 2, is_signed, yes, no);
	evtlog_emit_jump(&e->code, EVTLOG_JMP, no);
	evtlog_emit_label(&e->code, &upper);
	walk_ranges(e, r + nr / 2, nr - nr / 2, is_signed, yes, no);
}

static void walk_set(struct emitter *e, const struct filter_node *node, bool jump_if,
		     struct evtlog_label *label)
{
	const struct filter_range *r = &e->filter->ranges[node->first_range];
	struct evtlog_label here = {};

	load_value(e, node);
	if (jump_if) {
		walk_ranges(e, r, node->nr_ranges, node->is_signed, label, &here);
	} else {
		walk_ranges(e, r, node->nr_ranges, node->is_signed, &here, label);
		evtlog_emit_jump(&e->code, EVTLOG_JMP, label);
	}
	evtlog_emit_label(&e->code, &here);
}

static void walk_comm(struct emitter *e, const struct filter_node *node, bool jump_if,
		      struct evtlog_label *label)
{
	struct evtlog_operand at = task_memory(e, e->stub->task->comm);
	const u8 *scratch = e->stub->scratch;
	struct evtlog_label here = {};
	/* At the first difference, it is another name. */
	struct evtlog_label *differs = jump_if == (node->compare == FILTER_NE) ? label : &here;
	unsigned int done = 0, bytes;
	s32 number;

	while (done < node->comm_bytes) {
		number = 0;
		bytes = node->comm_bytes - done;
		bytes = bytes >= 4 ? 4 : bytes >= 2 ? 2 : 1;
		memcpy(&number, node->comm + done, bytes);
		if (is_immediate(e, number)) {
			number = (s32)filter_extend((u32)number, bytes, true);
			evtlog_emit_compare_memory(&e->code, at, bytes, number);
		} else {
			/* The previous comparison has overwritten the task's address. */
			task_memory(e, 0);
			evtlog_emit_load(&e->code, scratch[0], at, bytes, false);
			evtlog_emit_chosen(&e->code, scratch[1], (u32)number);
			evtlog_emit_compare(&e->code, scratch[0], scratch[1]);
		}
		evtlog_emit_jump(&e->code, EVTLOG_JNE, differs);
		done += bytes;
		at.offset += bytes;
	}
	if (differs == &here)
		evtlog_emit_jump(&e->code, EVTLOG_JMP, label);
	evtlog_emit_label(&e->code, &here);
}

/*
 * Saves all registers that a C function may change; the flags are kept until the jump.  The stack
 * is aligned to 16 bytes, as functions of user space require.
 */
static void walk_call(struct emitter *e, const struct filter_node *node, const void *function,
		      bool jump_if, struct evtlog_label *label)
{
	static const u8 before[] = {
		0x55,				/* push %rbp */
		0x48, 0x89, 0xe5,		/* mov %rsp, %rbp */
		0x50, 0x51, 0x52, 0x56, 0x57,	/* push %rax, %rcx, %rdx, %rsi, %rdi */
		0x41, 0x50, 0x41, 0x51, 0x41, 0x52, 0x41, 0x53,	/* and %r8 to %r11 */
		0x48, 0x83, 0xe4, 0xf0,		/* and $-16, %rsp */
	};
	static const u8 after[] = {
		0x84, 0xc0,			/* test %al, %al */
		0x48, 0x8d, 0x65, 0xb8,		/* lea -72(%rbp), %rsp */
		0x41, 0x5b, 0x41, 0x5a, 0x41, 0x59, 0x41, 0x58,
		0x5f, 0x5e, 0x5a, 0x59, 0x58, 0x5d,
	};

	evtlog_emit_bytes(&e->code, before, sizeof(before));
	evtlog_emit_chosen(&e->code, EVTLOG_RDI, node->number);
	evtlog_emit_call(&e->code, function);
	evtlog_emit_bytes(&e->code, after, sizeof(after));
	if (!function)
		e->code.failed = true;
	jump_when(e, EVTLOG_JNE, jump_if == (node->compare == FILTER_EQ), label);
}

/* Emits the children in order.  With @jump_if, the first child that decides jumps to @label. */
static void walk_children(struct emitter *e, const struct filter_node *node, bool jump_if,
			  struct evtlog_label *label)
{
	const struct filter_node *nodes = e->filter->nodes, *child;
	struct evtlog_label here = {};
	bool deciding = node->kind == FILTER_ANY;
	u16 i;

	for (i = node->child; i != FILTER_NONE; i = child->next) {
		child = &nodes[i];
		if (child->next == FILTER_NONE || deciding == jump_if)
			walk(e, child, jump_if, label);
		else
			walk(e, child, deciding, &here);
	}
	evtlog_emit_label(&e->code, &here);
}

/* Jumps to @label if the node's value is @jump_if, else falls through. */
static void walk(struct emitter *e, const struct filter_node *node, bool jump_if,
		 struct evtlog_label *label)
{
	switch (node->kind) {
	case FILTER_ALL:
	case FILTER_ANY:
		walk_children(e, node, jump_if, label);
		break;
	case FILTER_NOT:
		walk(e, &e->filter->nodes[node->child], !jump_if, label);
		break;
	case FILTER_SET:
		walk_set(e, node, jump_if, label);
		break;
	case FILTER_COMM:
		walk_comm(e, node, jump_if, label);
		break;
	case FILTER_TREE:
		walk_call(e, node, e->stub->task->tree, jump_if, label);
		break;
	case FILTER_CGROUP:
		walk_call(e, node, e->stub->task->cgroup, jump_if, label);
		break;
	default:
		walk_compare(e, node, jump_if, label);
	}
}

/**
 * evtlog_filter_emit() - write a filter as x86-64 code
 * @stub:	registers that the code may use, and its address
 * @code:	buffer; NULL: only return the size
 * @size:	size of @code; 0 with NULL
 *
 * The code starts at its first byte.  If the record is accepted, it continues after its last byte;
 * otherwise it jumps to @stub->reject.  It changes the two scratch registers and the flags, and
 * reads %gs: only if the filter uses the CPU or the task.  All jumps go forward, except the jumps
 * to @stub->reject, which may be anywhere within 2 GiB.  The stack is used only for `tree==` and
 * `cgroup==`: 96 bytes, and a call of a C function, before which all registers are saved; the
 * caller keeps no red zone.
 *
 * The size does not depend on @stub->image and @stub->reject: first get the size, then lay out the
 * stub, then write.
 *
 * A comparison of a slot takes two instructions, of the current task's pid three.
 *
 * Context: task context; @filter may be freed afterwards.
 * Return: bytes of code; -ENOSPC: @size is too small; -ERANGE: @stub->reject, or a C function, is
 * too far away, or the kernel has no trees; -EINVAL: @stub's registers are not different, or
 * @stub->base_offset needs more than 31 bits.
 */
int evtlog_filter_emit(const struct evtlog_filter *filter,
		       const struct evtlog_filter_stub *stub, void *code, size_t size)
{
	struct emitter e = {
		.filter = filter,
		.stub = stub,
		.code = { .buffer = code, .size = code ? size : 0, .address = stub->image,
			  .key = stub->key },
	};
	struct evtlog_label reject = {};
	s64 distance = stub->reject - stub->image;
	const u8 *scratch = stub->scratch;

	if (scratch[0] == scratch[1] || scratch[0] == stub->base || scratch[1] == stub->base ||
	    scratch[0] == EVTLOG_RSP || scratch[1] == EVTLOG_RSP ||
	    stub->base > 15 || scratch[0] > 15 || scratch[1] > 15 ||
	    stub->base_offset > 0x7fffffff - 8 * EVTLOG_FILTER_SLOTS_MAX)
		return -EINVAL;
	walk(&e, &filter->nodes[filter->root], false, &reject);
	if (!code)
		return e.code.length;
	if (e.code.length > size)
		return -ENOSPC;
	if (e.code.failed || !fits_s32(distance) || !fits_s32(distance - e.code.length))
		return -ERANGE;
	evtlog_emit_label_at(&e.code, &reject, (u32)distance);
	return e.code.length;
}
