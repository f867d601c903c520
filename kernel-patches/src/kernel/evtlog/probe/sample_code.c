// SPDX-License-Identifier: GPL-2.0-only
/*
 * Machine code of a sample, a part of the probe's code; called by stub.c.
 *
 * For kprobes, slow.c makes the same decisions in C.
 */
#include <linux/evtlog.h>

#include "code/emit.h"
#include "probe/probe.h"
#include "ring.h"

static void load_state(struct evtlog_code *c, const struct evtlog_probe *p, size_t offset)
{
	const char __percpu *at = (const char __percpu *)p->counts;

	evtlog_emit_constant(c, EVTLOG_R10, (__force unsigned long)(at +
		offsetof(struct evtlog_probe_counts, sample) + offset));
}

/* Last byte of an instruction: distance of the operand in the state from where r10 points to */
static void emit_member(struct evtlog_code *c, size_t base, size_t offset)
{
	u8 distance = offset - base;

	evtlog_emit_bytes(c, &distance, 1);
}

#define emit_on_state(c, from, member, ...) do {				\
	evtlog_emit(c, __VA_ARGS__);					\
	emit_member(c, offsetof(struct evtlog_sample_state, from),	\
		    offsetof(struct evtlog_sample_state, member));	\
} while (0)

/* As evtlog_sample_draw() by count; r10 points to @left. */
static void emit_draw_place(struct evtlog_code *c, u32 every)
{
	evtlog_emit_constant(c, EVTLOG_RAX, EVTLOG_SAMPLE_LCG_A);
	emit_on_state(c, left, random, 0x65, 0x49, 0x0f, 0xaf, 0x42);	/* imul %gs:,%rax */
	evtlog_emit(c, 0x48, 0x05);					/* add $C,%rax */
	evtlog_emit_u32(c, EVTLOG_SAMPLE_LCG_C);
	emit_on_state(c, left, random, 0x65, 0x49, 0x89, 0x42);		/* mov %rax,%gs: */
	evtlog_emit(c, 0x48, 0xc1, 0xe8, 0x20);				/* shr $32,%rax */
	evtlog_emit_chosen(c, EVTLOG_R11, every);
	evtlog_emit(c, 0x49, 0x0f, 0xaf, 0xc3);				/* imul %r11,%rax */
	evtlog_emit(c, 0x48, 0xc1, 0xe8, 0x20);				/* shr $32,%rax */
	emit_on_state(c, left, place, 0x65, 0x45, 0x8b, 0x5a);		/* mov %gs:,%r11d */
	emit_on_state(c, left, place, 0x65, 0x41, 0x89, 0x42);		/* mov %eax,%gs: */
	evtlog_emit(c, 0x4c, 0x29, 0xd8);				/* sub %r11,%rax */
	evtlog_emit_chosen(c, EVTLOG_R11, every);
	evtlog_emit(c, 0x4c, 0x01, 0xd8);				/* add %r11,%rax */
	emit_on_state(c, left, left, 0x65, 0x49, 0x89, 0x42);		/* mov %rax,%gs: */
}

static void emit_draw(struct evtlog_code *c, const struct evtlog_probe *p)
{
	evtlog_emit_constant(c, EVTLOG_RAX, (unsigned long)p);
	evtlog_emit_call(c, evtlog_probe_call_draw);
}

static void emit_countdown(struct evtlog_code *c, const struct evtlog_probe *p,
			   struct evtlog_label *skipped)
{
	load_state(c, p, offsetof(struct evtlog_sample_state, left));
	evtlog_emit(c, 0x65, 0x49, 0xff, 0x0a);		/* decq %gs:(%r10) */
	evtlog_emit_jump(c, EVTLOG_JNE, skipped);
	if (p->sample.kind == EVTLOG_SAMPLE_COUNT)
		emit_draw_place(c, p->sample.every);
	else
		emit_draw(c, p);
}

/*
 * As evtlog_sample_is_due().  If the probe may write to a named buffer, C code decides.  Otherwise,
 * if the ring needs its slow path, this path decides whether the hit belongs to a run.
 */
static void emit_time(struct evtlog_code *c, const struct evtlog_probe *p,
		      struct evtlog_label *skipped, struct evtlog_label *taken)
{
	if (p->routed) {
		evtlog_emit_constant(c, EVTLOG_RAX, (unsigned long)p);
		evtlog_emit_call(c, evtlog_probe_call_time);
		evtlog_emit(c, 0x84, 0xc0);		/* test %al,%al */
		evtlog_emit_jump(c, EVTLOG_JE, skipped);
		return;
	}
	evtlog_emit_on_cpu(c, &evtlog_ring.end, 0x48, 0x83, 0x3c);	/* cmpq $0,%gs:end */
	evtlog_emit(c, 0x00);
	evtlog_emit_jump(c, EVTLOG_JE, taken);
	evtlog_emit(c, 0x49, 0x89, 0xd3);		/* mov %rdx,%r11 */
	evtlog_emit(c, 0x0f, 0x31);			/* rdtsc */
	evtlog_emit(c, 0x48, 0xc1, 0xe2, 0x20);		/* shl $32,%rdx */
	evtlog_emit(c, 0x48, 0x09, 0xd0);		/* or %rdx,%rax */
	evtlog_emit(c, 0x4c, 0x89, 0xda);		/* mov %r11,%rdx */
	load_state(c, p, offsetof(struct evtlog_sample_state, due));
	emit_on_state(c, due, due, 0x65, 0x49, 0x3b, 0x42);	/* cmp %gs:,%rax */
	evtlog_emit_jump(c, EVTLOG_JB, skipped);
	emit_on_state(c, due, left, 0x65, 0x49, 0xff, 0x4a);	/* decq %gs: */
	evtlog_emit_jump(c, EVTLOG_JE, taken);
	emit_on_state(c, due, late, 0x65, 0x49, 0x3b, 0x42);	/* cmp %gs:,%rax */
	evtlog_emit_jump(c, EVTLOG_JB, skipped);
	emit_draw(c, p);
	evtlog_emit(c, 0x84, 0xc0);			/* test %al,%al */
	evtlog_emit_jump(c, EVTLOG_JE, skipped);
}

/* As evtlog_sample_hash() of the word in rax, which is already combined with the previous hash */
static void emit_hash(struct evtlog_code *c)
{
	evtlog_emit_constant(c, EVTLOG_R10, EVTLOG_SAMPLE_FACTOR_1);
	evtlog_emit(c, 0x49, 0x89, 0xd3);		/* mov %rdx,%r11 */
	evtlog_emit(c, 0x49, 0xf7, 0xe2);		/* mul %r10 */
	evtlog_emit(c, 0x48, 0x31, 0xd0);		/* xor %rdx,%rax */
	evtlog_emit(c, 0x4c, 0x89, 0xda);		/* mov %r11,%rdx */
	evtlog_emit_constant(c, EVTLOG_R10, EVTLOG_SAMPLE_FACTOR_2);
	evtlog_emit(c, 0x49, 0x0f, 0xaf, 0xc2);		/* imul %r10,%rax */
}

/* Longest key, in bytes, that the stub itself hashes if one load reads the last part */
#define KEY_BYTES_MAX	64

static const void *key_loader(unsigned int bytes)
{
	switch (bytes) {
	case 1: return evtlog_probe_load8;
	case 2: return evtlog_probe_load16;
	case 4: return evtlog_probe_load32;
	default: return bytes >= 8 ? evtlog_probe_load64 : NULL;
	}
}

static bool is_hashed_here(unsigned int bytes)
{
	return bytes <= KEY_BYTES_MAX && (bytes % 8 == 0 || key_loader(bytes % 8));
}

/* Bytes that cannot be read are hashed as zeros, as in the record. */
static void emit_hash_bytes(struct evtlog_code *c, const struct evtlog_probe *p, s32 slot,
			    unsigned int bytes)
{
	unsigned int at;

	evtlog_probe_emit_busy(c, true);
	evtlog_emit_chosen(c, EVTLOG_R10, p->sample.seed);
	for (at = 0; at < bytes; at += sizeof(u64)) {
		evtlog_emit_constant(c, EVTLOG_R11,
				     (__force unsigned long)&p->counts->key_faults);
		evtlog_emit_load(c, EVTLOG_RAX, (struct evtlog_operand){ EVTLOG_RSP, slot }, 8,
				 false);
		if (at)
			evtlog_emit_lea(c, EVTLOG_RAX, EVTLOG_RAX, at);
		evtlog_emit_call(c, key_loader(bytes - at));
		evtlog_emit(c, 0x4c, 0x31, 0xd0);	/* xor %r10,%rax */
		emit_hash(c);
		if (at + sizeof(u64) < bytes)
			evtlog_emit(c, 0x49, 0x89, 0xc2);	/* mov %rax,%r10 */
	}
	evtlog_probe_emit_busy(c, false);
}

/* Hashes a key in a register. */
static void emit_hash_register(struct evtlog_code *c, const struct evtlog_probe *p,
			       unsigned int reg)
{
	const struct evtlog_probe_arg *key = &p->args[p->sample_arg];

	if (key->size == 8) {
		evtlog_emit_chosen(c, EVTLOG_RAX, p->sample.seed);
		evtlog_emit_xor(c, EVTLOG_RAX, reg);
	} else {
		evtlog_emit_extend(c, reg, key->size, key->is_signed);
		evtlog_emit_chosen(c, EVTLOG_R10, p->sample.seed);
		evtlog_emit_xor(c, EVTLOG_RAX, EVTLOG_R10);
	}
	emit_hash(c);
}

static void emit_limit(struct evtlog_code *c, const struct evtlog_probe *p,
		       struct evtlog_label *skipped)
{
	evtlog_emit_chosen(c, EVTLOG_R10, p->sample.limit);
	evtlog_emit(c, 0x4c, 0x39, 0xd0);		/* cmp %r10,%rax */
	evtlog_emit_jump(c, EVTLOG_JA, skipped);
}

static void emit_call_key(struct evtlog_code *c, const struct evtlog_probe *p,
			  struct evtlog_label *skipped)
{
	evtlog_emit(c, 0x49, 0x89, 0xe3);		/* mov %rsp,%r11 */
	evtlog_emit_constant(c, EVTLOG_RAX, (unsigned long)p);
	evtlog_emit_call(c, evtlog_probe_call_key);
	evtlog_emit(c, 0x84, 0xc0);			/* test %al,%al */
	evtlog_emit_jump(c, EVTLOG_JE, skipped);
}

/* For bytes at the address at rsp + @slot.  C code reads those in user memory and in packets. */
static void emit_key_bytes(struct evtlog_code *c, const struct evtlog_probe *p, s32 slot,
			   unsigned int bytes, struct evtlog_label *skipped)
{
	struct evtlog_operand address = { EVTLOG_RSP, slot };
	struct evtlog_label in_c = {}, done = {};

	if (is_hashed_here(bytes) && p->args[p->sample_arg].of == EVTLOG_PROBE_MEMORY) {
		evtlog_emit_compare_memory(c, address, 8, 0);
		evtlog_emit_jump(c, EVTLOG_JGE, &in_c);
		emit_hash_bytes(c, p, slot, bytes);
		emit_limit(c, p, skipped);
		evtlog_emit_jump(c, EVTLOG_JMP, &done);
		evtlog_emit_label(c, &in_c);
	}
	emit_call_key(c, p, skipped);
	evtlog_emit_label(c, &done);
}

static void emit_key(struct evtlog_code *c, const struct evtlog_probe *p, unsigned int reg,
		     struct evtlog_label *skipped)
{
	unsigned int bytes = p->args[p->sample_arg].bytes;
	s32 slot = p->sample_arg * sizeof(u64);

	if (bytes) {
		emit_key_bytes(c, p, slot, bytes, skipped);
		return;
	}
	if (evtlog_probe_sample_is_early(p)) {
		emit_hash_register(c, p, reg);
	} else {
		evtlog_emit_chosen(c, EVTLOG_RAX, p->sample.seed);
		evtlog_emit(c, 0x48, 0x33, 0x84, 0x24);	/* xor SLOT(%rsp),%rax */
		evtlog_emit_u32(c, slot);
		emit_hash(c);
	}
	emit_limit(c, p, skipped);
}

/**
 * evtlog_probe_emit_sample() - emit code that continues only with hits of the sample
 * @c:		the code; rax, r10, r11 and the flags are free, interrupts off.  If a key is not
 *		decided early, the arguments are at rsp
 * @reg:	register of a key that is decided early
 * @skipped:	target for other hits
 * @taken:	where the record begins
 */
void evtlog_probe_emit_sample(struct evtlog_code *c, const struct evtlog_probe *p, unsigned int reg,
			      struct evtlog_label *skipped, struct evtlog_label *taken)
{
	if (evtlog_sample_takes_all(&p->sample))
		return;
	switch (p->sample.kind) {
	case EVTLOG_SAMPLE_COUNT:
	case EVTLOG_SAMPLE_PROBABILITY:
		emit_countdown(c, p, skipped);
		break;
	case EVTLOG_SAMPLE_TIME:
		emit_time(c, p, skipped, taken);
		break;
	case EVTLOG_SAMPLE_KEY:
		emit_key(c, p, reg, skipped);
		break;
	case EVTLOG_SAMPLE_NONE:
		break;
	}
}

/**
 * evtlog_probe_emit_weight() - emit code that stores the weight of a record
 * @c:		the code; rax and r11 are free, r10 is the record
 */
void evtlog_probe_emit_weight(struct evtlog_code *c, const struct evtlog_probe *p)
{
	if (!p->sample.kind)
		return;
	if (evtlog_sample_weight_is_fixed(&p->sample)) {
		evtlog_emit_chosen(c, EVTLOG_RAX, p->sample.weight);
		evtlog_emit_store(c, EVTLOG_RAX, (struct evtlog_operand){ EVTLOG_R10, 8 });
		return;
	}
	evtlog_emit_constant(c, EVTLOG_RAX, (unsigned long)p);
	evtlog_emit_call(c, evtlog_probe_call_weight);
	evtlog_emit_store(c, EVTLOG_R11, (struct evtlog_operand){ EVTLOG_R10, sizeof(u64) });
}
