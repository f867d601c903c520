// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe's machine code, which ftrace's site calls.
 *
 * At a function's entry, the stub preserves the argument registers and the registers that a
 * function preserves; it may change rax, r10, r11 and the flags.  It makes the record in the same
 * way as evtlog_reserve_irqoff() of ring.h, with interrupts off.
 *
 * The stub of a return calls the function after the site's own call, and then returns to the
 * function's caller itself.  Its frame contains rbp, then the arguments that the record needs, then
 * the words of the caller's stack that are passed on, where the function finds its seventh
 * argument, then rax and rdx, which may both be results.
 *
 * The stub of a timer does the same, and writes no record.
 *
 * If memory is read or a filter tests arguments, the arguments are pushed first, from the last to
 * the first: eight bytes each, starting at rsp.  Reading memory may fault, and the fault handler
 * may be probed.  The ring is therefore busy during the read: such a probe does not read, and no
 * buffer is handed over.
 *
 * Records for a named buffer are written to its ring of this CPU in the same way, while the buffer
 * exists: its number shows this.  Otherwise, and for records that are urgent or contain bytes, the
 * slow path begins the record, and evtlog_probe_commit() completes it.
 *
 * With a filter, the stub begins with the jump that rejected records take, because the filter's
 * code jumps to an address that is known in advance.
 */
#include <linux/evtlog.h>
#include <linux/ftrace.h>

#include "code/emit.h"
#include "event/route.h"
#include "filter/filter.h"
#include "probe/probe.h"
#include "ring.h"

/* The argument registers, in order */
static const u8 registers[EVTLOG_PROBE_REGISTERS] = {
	EVTLOG_RDI, EVTLOG_RSI, EVTLOG_RDX, EVTLOG_RCX, EVTLOG_R8, EVTLOG_R9,
};

/*
 * struct stub - a stub while it is made
 * @staged:	True: arguments are pushed before the record is begun
 * @route:	named buffer whose ring the fast path writes; NULL: the ring of runs
 * @pushed:	bytes on the stack above the flags, while arguments are pushed
 * @entry:	offset at which the stub is entered
 * @saved:	offset from rbp of each argument register in the frame of a return; 0: not saved
 */
struct stub {
	struct evtlog_code code;
	const struct evtlog_probe *p;
	bool staged;
	const struct evtlog_event_route *route;
	s32 pushed;
	unsigned int entry;
	s32 saved[EVTLOG_PROBE_RETVAL + 1];
};

static bool is_return(const struct stub *s)
{
	return s->p->kind == EVTLOG_PROBE_RETURN;
}

static const u64 __percpu *counter(const struct stub *s, size_t offset)
{
	return (const u64 __percpu *)((const char __percpu *)s->p->counts + offset);
}

#define count(s, reg, name) \
	evtlog_emit_count(&(s)->code, reg, (__force unsigned long) \
			  counter(s, offsetof(struct evtlog_probe_counts, name)))

/* Calls the function with its original arguments. */
static void emit_function(struct stub *s)
{
	struct evtlog_code *c = &s->code;
	unsigned int i;
	s32 depth = 0;

	evtlog_emit(c, 0x55);			/* push %rbp */
	evtlog_emit(c, 0x48, 0x89, 0xe5);	/* mov %rsp,%rbp */
	count(s, EVTLOG_R10, in);
	for (i = 0; i < s->p->nr_args; i++) {
		unsigned int source = s->p->args[i].source;

		if (source >= EVTLOG_PROBE_REGISTERS || s->saved[source])
			continue;
		depth -= 8;
		s->saved[source] = depth;
		evtlog_emit_push(c, registers[source]);
	}
	evtlog_probe_emit_pass_on(c, s->p);
	evtlog_emit_call(c, (void *)(s->p->site + MCOUNT_INSN_SIZE));
	s->saved[EVTLOG_PROBE_RETVAL] = depth - (s32)s->p->stack_words * 8 - 8;
	evtlog_emit(c, 0x50);			/* push %rax */
	evtlog_emit(c, 0x52);			/* push %rdx */
}

/* Loads a value of the current task or of its CPU to rax, zero-extended.  False: another source. */
static bool emit_current(struct evtlog_code *c, unsigned int source)
{
	const struct evtlog_filter_task *t = &evtlog_filter_current;
	struct evtlog_operand cpu = { EVTLOG_GS, t->cpu }, task = { EVTLOG_GS, t->current_task };
	struct evtlog_operand member = { EVTLOG_RAX };

	switch (source) {
	case EVTLOG_PROBE_CPU:
		evtlog_emit_load(c, EVTLOG_RAX, cpu, 4, false);
		return true;
	case EVTLOG_PROBE_PID:
		member.offset = t->pid;
		break;
	case EVTLOG_PROBE_TGID:
		member.offset = t->tgid;
		break;
	default:
		return false;
	}
	evtlog_emit_load(c, EVTLOG_RAX, task, 8, false);
	evtlog_emit_load(c, EVTLOG_RAX, member, 4, false);
	return true;
}

/* Returns the register with the argument's source: its own register, or rax. */
static unsigned int emit_source(struct stub *s, const struct evtlog_probe_arg *arg)
{
	if (emit_current(&s->code, arg->source))
		return EVTLOG_RAX;
	if (arg->source == EVTLOG_PROBE_STACK) {
		/* Above the frame or the flags, and two return addresses */
		evtlog_emit_lea(&s->code, EVTLOG_RAX, is_return(s) ? EVTLOG_RBP : EVTLOG_RSP,
				24 + (is_return(s) ? 0 : s->pushed));
		return EVTLOG_RAX;
	}
	if (!is_return(s))
		return registers[arg->source];
	evtlog_emit_load(&s->code, EVTLOG_RAX,
			 (struct evtlog_operand){ EVTLOG_RBP, s->saved[arg->source] }, 8, false);
	return EVTLOG_RAX;
}

static const void *loader(unsigned int size)
{
	switch (size) {
	case 1: return evtlog_probe_load8;
	case 2: return evtlog_probe_load16;
	case 4: return evtlog_probe_load32;
	default: return evtlog_probe_load64;
	}
}

/* Loads the argument's value, or the address of its bytes, to rax. */
static void emit_value(struct stub *s, const struct evtlog_probe_arg *arg)
{
	struct evtlog_code *c = &s->code;
	unsigned int reg = emit_source(s, arg), i;

	for (i = 0; i < arg->loads; i++) {
		bool is_last = i + 1 == arg->loads && !arg->bytes;

		evtlog_emit_lea(c, EVTLOG_RAX, reg, arg->load[i]);
		evtlog_emit_call(c, loader(is_last ? arg->size : 8));
		reg = EVTLOG_RAX;
	}
	if (arg->bytes && reg == EVTLOG_RAX && !arg->add)
		return;
	if (arg->bytes) {
		evtlog_emit_lea(c, EVTLOG_RAX, reg, arg->add);
	} else if (arg->bits) {
		/* Take the whole register: a member of a structure is a part of it. */
		evtlog_emit_extend(c, reg, 8, false);
		evtlog_emit_bits(c, arg->shift, arg->bits, arg->is_signed);
	} else if (!arg->loads || (arg->is_signed && arg->size < 8)) {
		evtlog_emit_extend(c, reg, arg->size, arg->is_signed);
	}
	if (!arg->bytes && arg->is_big_endian)
		evtlog_emit_swap(c, arg->size);
}

static void emit_push_value(struct stub *s, const struct evtlog_probe_arg *arg)
{
	if (evtlog_probe_is_register(s->p, arg)) {
		evtlog_emit_push(&s->code, registers[arg->source]);
		return;
	}
	emit_value(s, arg);
	evtlog_emit_push(&s->code, EVTLOG_RAX);
}

/* Calls a function of thunk.S with the probe in rax. */
static void emit_call(struct stub *s, const void *function)
{
	evtlog_emit_constant(&s->code, EVTLOG_RAX, (unsigned long)s->p);
	evtlog_emit_call(&s->code, function);
}

/* Stores the results of the filter's text comparisons in the slot after the arguments. */
static void emit_texts(struct stub *s)
{
	struct evtlog_operand slot = { EVTLOG_RSP, (s32)s->p->nr_args * 8 };

	evtlog_emit(&s->code, 0x49, 0x89, 0xe3);	/* mov %rsp,%r11 */
	emit_call(s, evtlog_probe_call_texts);
	evtlog_emit_store(&s->code, EVTLOG_RAX, slot);
}

static void emit_push_all(struct stub *s)
{
	struct evtlog_code *c = &s->code;
	bool reads = false;
	unsigned int i;

	s->pushed = s->p->nr_texts ? 8 : 0;
	if (s->pushed)
		evtlog_emit_push(c, EVTLOG_RAX);
	for (i = 0; i < s->p->nr_args; i++)
		reads = reads || s->p->args[i].loads;
	if (reads) {
		evtlog_probe_emit_busy(c, true);
		evtlog_emit_constant(c, EVTLOG_R11, (__force unsigned long)
				counter(s, offsetof(struct evtlog_probe_counts, faults)));
	}
	for (i = s->p->nr_args; i--; s->pushed += 8)
		emit_push_value(s, &s->p->args[i]);
	if (reads)
		evtlog_probe_emit_busy(c, false);
	if (s->p->nr_texts)
		emit_texts(s);
}

static void emit_drop_all(struct stub *s)
{
	if (!s->staged)
		return;
	evtlog_emit(&s->code, 0x48, 0x8d, 0xa4, 0x24);	/* lea N(%rsp),%rsp */
	evtlog_emit_u32(&s->code, evtlog_probe_slots(s->p) * 8);
}

/* A field of the ring that is written.  The ring of a named buffer is at r11. */
static struct evtlog_operand ring_field(const struct stub *s, s32 offset)
{
	if (s->route)
		return (struct evtlog_operand){ EVTLOG_R11, offset };
	return (struct evtlog_operand){ EVTLOG_GS, (s32)(unsigned long)&evtlog_ring + offset };
}

#define ring_at(s, name) ring_field(s, offsetof(struct evtlog_ring, name))

/* A field of the named buffer's per-CPU part; r11 is its ring. */
static struct evtlog_operand part_at(const struct stub *s, const void __percpu *field)
{
	const void __percpu *ring = s->route->ring;

	return (struct evtlog_operand){ EVTLOG_R11, (s32)((unsigned long)field - (unsigned long)ring) };
}

/* Checks that the named buffer still exists and that its filter accepts; then r11 is its ring. */
static void emit_route(struct stub *s, struct evtlog_label *slow, struct evtlog_label *refused)
{
	const struct evtlog_event_route *route = s->route;
	struct evtlog_code *c = &s->code;

	evtlog_emit_constant(c, EVTLOG_R11, (__force unsigned long)route->ring);
	/* cmpl $number,%gs:open */
	evtlog_emit_at_cpu(c, 0x81, 4, 7, part_at(s, route->open));
	evtlog_emit_u32(c, route->number);
	evtlog_emit_jump(c, EVTLOG_JNE, slow);
	if (!route->accepts)
		return;
	evtlog_emit_call(c, route->accepts);
	evtlog_emit(c, 0x84, 0xc0);			/* test %al,%al */
	evtlog_emit_constant(c, EVTLOG_R11, (__force unsigned long)route->ring);
	evtlog_emit_jump(c, EVTLOG_JE, refused);
}

/* As evtlog_ring_try_reserve(); r10 is the record. */
static void emit_reserve(struct stub *s, struct evtlog_label *slow)
{
	struct evtlog_code *c = &s->code;
	unsigned int bytes = evtlog_probe_words(s->p) * 8;

	evtlog_emit_at_cpu(c, 0x8b, 8, EVTLOG_R10, ring_at(s, pos));	/* mov %gs:pos,%r10 */
	evtlog_emit_lea(c, EVTLOG_RAX, EVTLOG_R10, bytes - 8);
	evtlog_emit_at_cpu(c, 0x3b, 8, EVTLOG_RAX, ring_at(s, end));	/* cmp %gs:end,%rax */
	evtlog_emit_jump(c, EVTLOG_JAE, slow);
	if (!is_return(s) && s->route)
		evtlog_emit_push(c, EVTLOG_RDX);
	else if (!is_return(s))
		evtlog_emit(c, 0x49, 0x89, 0xd3);	/* mov %rdx,%r11 */
	evtlog_emit(c, 0x0f, 0x31);			/* rdtsc */
	evtlog_emit_at_cpu(c, 0x3b, 4, EVTLOG_RDX, ring_at(s, high));	/* cmp %gs:high,%edx */
	if (!is_return(s) && s->route)
		evtlog_emit(c, 0x5a);			/* pop %rdx */
	else if (!is_return(s))
		evtlog_emit(c, 0x4c, 0x89, 0xda);	/* mov %r11,%rdx */
	evtlog_emit_jump(c, EVTLOG_JNE, slow);
	evtlog_emit(c, 0x41, 0x89, 0x02);		/* mov %eax,(%r10) */
	evtlog_emit(c, 0x41, 0xc7, 0x42, 0x04);		/* movl $tag,4(%r10) */
	evtlog_emit_u32(c, s->p->tag);
	evtlog_emit_at_cpu(c, 0x81, 8, 0, ring_at(s, pos));	/* addq $bytes,%gs:pos */
	evtlog_emit_u32(c, bytes);
	if (s->route)
		evtlog_emit_at_cpu(c, 0xff, 8, 0, part_at(s, s->route->records)); /* incq */
}

static void emit_fill(struct stub *s)
{
	struct evtlog_code *c = &s->code;
	unsigned int i;

	if (s->staged && evtlog_probe_has_bytes(s->p)) {
		evtlog_probe_emit_bytes(c, s->p);
		emit_drop_all(s);
		return;
	}
	for (i = 0; i < s->p->nr_args; i++) {
		const struct evtlog_probe_arg *arg = &s->p->args[i];
		struct evtlog_operand to = { EVTLOG_R10, 8 + arg->offset };

		if (s->staged && evtlog_probe_is_swapped(arg)) {
			evtlog_emit(c, 0x58);			/* pop %rax */
			evtlog_probe_emit_store(c, arg);
		} else if (s->staged) {
			evtlog_emit(c, 0x41, 0x8f, 0x82);	/* pop offset(%r10) */
			evtlog_emit_u32(c, to.offset);
		} else if (evtlog_probe_is_register(s->p, arg)) {
			evtlog_emit_store(c, registers[arg->source], to);
		} else {
			emit_value(s, arg);
			evtlog_probe_emit_store(c, arg);
		}
	}
}

/* Returns to the function's caller, or to the site. */
static void emit_back(struct stub *s)
{
	struct evtlog_code *c = &s->code;

	if (is_return(s)) {
		evtlog_emit(c, 0x5a);		/* pop %rdx */
		evtlog_emit(c, 0x58);		/* pop %rax */
		count(s, EVTLOG_R10, out);
		evtlog_emit(c, 0xc9);		/* leave */
		/* Skip the return address into the function. */
		evtlog_emit(c, 0x48, 0x83, 0xc4, 0x08);
	}
	evtlog_emit_return(c);
}

/* Restores the interrupt flag, the only flag that matters, and returns. */
static void emit_leave(struct stub *s)
{
	struct evtlog_code *c = &s->code;
	struct evtlog_label stays_off = {};

	evtlog_emit(c, 0x58);			/* pop %rax */
	evtlog_emit(c, 0xf6, 0xc4, 0x02);	/* test $2,%ah */
	evtlog_emit_jump(c, EVTLOG_JE, &stays_off);
	evtlog_emit(c, 0xfb);			/* sti */
	evtlog_emit_label(c, &stays_off);
	emit_back(s);
}

/* The arguments are at rsp.  Rejected records jump to the start of the stub. */
static void emit_filter(struct stub *s)
{
	struct evtlog_code *c = &s->code;
	struct evtlog_filter_stub at = {
		.base = 4,
		.scratch = { EVTLOG_RAX, EVTLOG_R10 },
		.image = c->address + c->length,
		.reject = c->address,
		.key = c->key,
		.task = &evtlog_filter_current,
	};
	int bytes;

	if (!s->p->filter || !evtlog_code_is_whole(c))
		return;
	bytes = evtlog_filter_emit(s->p->filter, &at, c->buffer + c->length,
				   c->size - c->length);
	if (bytes < 0)
		c->failed = true;
	else
		c->length += bytes;
}

static void emit_ask(struct stub *s, const void *function, struct evtlog_label *rejected)
{
	struct evtlog_code *c = &s->code;

	emit_call(s, function);
	evtlog_emit(c, 0x84, 0xc0);		/* test %al,%al */
	evtlog_emit_jump(c, EVTLOG_JE, rejected);
}

static void emit_packet(struct stub *s, struct evtlog_label *rejected)
{
	struct evtlog_code *c = &s->code;

	if (!s->p->packet)
		return;
	evtlog_emit_lea(c, EVTLOG_R11, registers[s->p->packet_source], 0);
	emit_ask(s, evtlog_probe_call_packet, rejected);
}

/* The arguments are at rsp. */
static void emit_handler(struct stub *s, struct evtlog_label *rejected)
{
	if (!s->p->handler)
		return;
	evtlog_emit(&s->code, 0x49, 0x89, 0xe3);	/* mov %rsp,%r11 */
	emit_ask(s, evtlog_probe_call_handler, rejected);
}

#ifdef CONFIG_EVTLOG_PROFILE
/* A function in profiles: while profiles are off, only their key is tested. */
static void emit_timer_end(struct stub *s, const void *function)
{
	struct evtlog_code *c = &s->code;
	struct evtlog_label off = {};

	evtlog_emit(c, 0x83, 0x3c, 0x25);	/* cmpl $0,key */
	evtlog_emit_u32(c, (unsigned long)&evtlog_profile_key.key.enabled);
	evtlog_emit(c, 0x00);
	evtlog_emit_jump(c, EVTLOG_JE, &off);
	evtlog_emit_constant(c, EVTLOG_RAX, s->p->timer);
	evtlog_emit_call(c, function);
	evtlog_emit_label(c, &off);
}

static void emit_timer(struct stub *s)
{
	struct evtlog_code *c = &s->code;

	evtlog_emit(c, 0x55);			/* push %rbp */
	evtlog_emit(c, 0x48, 0x89, 0xe5);	/* mov %rsp,%rbp */
	count(s, EVTLOG_R10, in);
	count(s, EVTLOG_R10, recorded);
	emit_timer_end(s, evtlog_probe_call_timer_enter);
	evtlog_probe_emit_pass_on(c, s->p);
	evtlog_emit_call(c, (void *)(s->p->site + MCOUNT_INSN_SIZE));
	evtlog_emit(c, 0x50, 0x52);		/* push %rax; push %rdx */
	emit_timer_end(s, evtlog_probe_call_timer_exit);
	emit_back(s);
}

#else
static void emit_timer(struct stub *s)
{
	s->code.failed = true;
}
#endif

/* Fills what follows the record's first word. */
static void emit_record(struct stub *s)
{
	evtlog_probe_emit_weight(&s->code, s->p);
	emit_fill(s);
}

/* If the slow path has begun a record: fills it, commits it, and continues at @recorded. */
static void emit_routed_record(struct stub *s, unsigned int recorded)
{
	struct evtlog_code *c = &s->code;
	struct evtlog_label none = {};

	evtlog_emit_jump(c, EVTLOG_JE, &none);
	emit_record(s);
	emit_call(s, evtlog_probe_call_commit);
	evtlog_emit_back(c, EVTLOG_JMP, recorded);
	evtlog_emit_label(c, &none);
}

static void emit_stub(struct stub *s)
{
	struct evtlog_code *c = &s->code;
	struct evtlog_label slow = {}, off = {}, refused = {}, rejected = {}, skipped = {}, taken = {};
	struct evtlog_label unwanted = {};
	bool is_early = evtlog_probe_sample_is_early(s->p);
	unsigned int key = registers[s->p->args[s->p->sample_arg].source % EVTLOG_PROBE_REGISTERS];
	unsigned int fill, recorded, leave;

	if (s->p->filter)
		evtlog_emit_jump(c, EVTLOG_JMP, &rejected);
	s->entry = c->length;
	if (is_return(s))
		emit_function(s);
	/* Interrupts are on: if a run ends after this, the reservation of the record detects it. */
	evtlog_emit(c, 0x83, 0x3c, 0x25);	/* cmpl $0,key */
	evtlog_emit_u32(c, (unsigned long)&evtlog_event_keys[EVTLOG_EVENT].key.enabled);
	evtlog_emit(c, 0x00);
	evtlog_emit_jump(c, EVTLOG_JE, &off);
	evtlog_emit(c, 0x9c, 0xfa);		/* pushf; cli */
	evtlog_emit_on_cpu(c, &__preempt_count, 0xf7, 0x04);	/* testl $NMI_MASK,%gs:... */
	evtlog_emit_u32(c, NMI_MASK);
	evtlog_emit_jump(c, EVTLOG_JNE, &refused);
	if (evtlog_probe_loads(s->p)) {
		evtlog_emit_on_cpu(c, &evtlog_ring.busy, 0x80, 0x3c);	/* cmpb $0,%gs:busy */
		evtlog_emit(c, 0x00);
		evtlog_emit_jump(c, EVTLOG_JNE, &refused);
	}
	if (is_early) {
		evtlog_probe_emit_sample(c, s->p, key, &skipped, &taken);
		evtlog_emit_label(c, &taken);
	}
	if (s->staged) {
		emit_push_all(s);
		emit_filter(s);
	}
	emit_packet(s, &rejected);
	emit_handler(s, &rejected);
	if (!is_early) {
		evtlog_probe_emit_sample(c, s->p, key, &skipped, &taken);
		evtlog_emit_label(c, &taken);
	}
	if (s->route)
		emit_route(s, &slow, &unwanted);
	if (s->p->routed && !s->route)
		evtlog_emit_jump(c, EVTLOG_JMP, &slow);
	else
		emit_reserve(s, &slow);
	fill = c->length;
	emit_record(s);
	recorded = c->length;
	count(s, EVTLOG_RAX, recorded);
	leave = c->length;
	emit_leave(s);

	evtlog_emit_label(c, &slow);
	emit_call(s, evtlog_probe_call_slow);
	evtlog_emit(c, 0x4d, 0x85, 0xd2);	/* test %r10,%r10 */
	if (s->p->routed)
		emit_routed_record(s, recorded);
	else
		evtlog_emit_back(c, EVTLOG_JNE, fill);
	emit_drop_all(s);
	evtlog_emit_back(c, EVTLOG_JMP, leave);

	/* In an NMI, or while a probe reads: the hit is counted as lost, and never written. */
	evtlog_emit_label(c, &refused);
	emit_call(s, evtlog_probe_call_slow);
	evtlog_emit_back(c, EVTLOG_JMP, leave);

	evtlog_emit_label(c, &off);
	count(s, EVTLOG_RAX, idle);
	emit_back(s);

	if (unwanted.last) {
		evtlog_emit_label(c, &unwanted);
		evtlog_emit_at_cpu(c, 0xff, 8, 0, part_at(s, s->route->rejected));	/* incq */
		evtlog_emit_jump(c, EVTLOG_JMP, &rejected);
	}
	if (rejected.last) {
		evtlog_emit_label(c, &rejected);
		emit_drop_all(s);
		count(s, EVTLOG_RAX, rejected);
		emit_leave(s);
	}
	if (skipped.last) {
		evtlog_emit_label(c, &skipped);
		if (!is_early)
			emit_drop_all(s);
		count(s, EVTLOG_RAX, skipped);
		emit_leave(s);
	}
}

/**
 * evtlog_probe_emit() - make the machine code of a probe
 * @p:		resolved probe with its id, tag and counters
 * @buffer:	EVTLOG_PROBE_STUB_MAX bytes for the code
 * @address:	where the code will run; within 2 GiB of the kernel's text
 * @route:	named buffer with a ring that the code writes to, or NULL
 *
 * Return: length in bytes, which does not depend on @address; -E2BIG if the code does not fit.
 */
int evtlog_probe_emit(struct evtlog_probe *p, void *buffer, void *address,
		      const struct evtlog_event_route *route)
{
	bool is_by_key = p->sample.kind == EVTLOG_SAMPLE_KEY && !evtlog_probe_sample_is_early(p);
	struct stub s = {
		.code = {
			.buffer = buffer,
			.size = EVTLOG_PROBE_STUB_MAX,
			.address = (unsigned long)address,
			.key = p->key,
		},
		.p = p,
		.route = route,
		.staged = evtlog_probe_loads(p) || p->filter || is_by_key,
	};

	if (p->is_timer)
		emit_timer(&s);
	else
		emit_stub(&s);
	p->entry = s.entry;
	return evtlog_code_is_whole(&s.code) ? (int)s.code.length : -E2BIG;
}
